import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { runSwap } from '../support/cli.js'

describe('the command line', () => {
  const digits = '1234567890123456789012345678901234567890'
  const rows: readonly (readonly [readonly string[], string, number])[] = [
    [['route', '0', 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', '-1', 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', '1e6', 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', '1,5', 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', '0x10', 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', digits, 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', '0.123456789', 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', '1', 'btc', 'btc'], 'SAME_TOKEN', 2],
    [['route', '1', 'btc', 'runr'], 'UNKNOWN_TOKEN', 2],
    [['route', '1', '__proto__', 'rune'], 'UNKNOWN_TOKEN', 2],
    [['route', '1', 'btc', 'constructor'], 'UNKNOWN_TOKEN', 2],
    [['route', '1', 'btc/btc', 'rune'], 'UNKNOWN_TOKEN', 2],
    [['route', '1', 'btc', 'rune', '--slippage', '3'], 'INVALID_SLIPPAGE', 2],
    [['route', '1', 'btc', 'rune', '--slippage', '200%'], 'INVALID_SLIPPAGE', 2],
    [['route', '1', 'btc', 'rune', '--affiliate', 'nobody'], 'INVALID_AFFILIATE', 2],
    [['route', '1', 'btc', 'rune', '--recipient', 'thor1xyz'], 'INVALID_ADDRESS', 2],
    [['route', '1', 'btc', 'rune', '--max-hops', '9'], 'INVALID_REQUEST', 2],
    [['route', '1', 'btc', 'rune', 'more'], 'INVALID_REQUEST', 2],
    [['route', '1', 'btc'], 'INVALID_REQUEST', 2],
    [['route', '1', 'btc', 'rune', '--max-hop', '3'], 'INVALID_REQUEST', 2],
    [['srote'], 'INVALID_REQUEST', 2],
    [['route', '1', 'btc', 'rune', '--path', 'nowhere'], 'NOT_FOUND', 2],
    [['route', '1', 'xusk', 'lqdy', '--max-hops', '1'], 'NO_ROUTE', 3],
    [['route', 'gusd', '500000000', 'rune'], 'INSUFFICIENT_LIQUIDITY', 3],
    [['route', '--atomic', '1', 'rune', 'btc'], 'AMOUNT_TOO_SMALL', 3],
    [['route', '1.5', 'btc', 'rune', '--min-out', '300000rune'], 'ASSERTION_FAILED', 5],
    [['route', '1.5', 'btc', 'rune', '--max-impact', '1%'], 'PRICE_IMPACT_TOO_HIGH', 5],
    [['route', '1.5', 'btc', 'rune', '--snapshot', '/nowhere.json'], 'INVALID_SNAPSHOT', 2],
    [['route', '1.5', 'btc', 'rune', '--snapshot', '/'], 'INVALID_SNAPSHOT', 2],
  ]
  for (const [args, code, status] of rows)
    test(`swap ${args.join(' ')} is ${code}, exit ${status}`, async () => {
      const human = await runSwap(args)
      assert.equal(human.status, status)
      assert.equal(human.stdout, '')
      assert.match(human.stderr, new RegExp(`code {2}${code} \\(exit ${status}\\)`))
      assert.doesNotMatch(human.stderr, /\n\s+at /)
      const json = await runSwap([...args, '--json'])
      assert.equal(json.status, status)
      const problem = JSON.parse(json.stdout) as { code: string; detail: string }
      assert.equal(problem.code, code)
      assert.ok(problem.detail.length > 0)
    })
})
