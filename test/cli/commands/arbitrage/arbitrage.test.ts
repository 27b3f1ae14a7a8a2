import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { arbroute } from '../../../../src/operations/arbitrage/arbroute.js'
import { arbs } from '../../../../src/operations/arbitrage/arbs.js'
import { app, usdc } from '../../../operations/split/asking.js'
import { runIn, runSwap, withoutQuoteId } from '../../../support/cli.js'
import { folder } from '../../../support/program.js'

describe('swap arbs', () => {
  const rows: readonly (readonly [flags: readonly string[], parameters: object])[] = [
    [[], {}],
    [['--min-percent', '0.1'], { minPercent: 0.1 }],
    [['--min-percent', '0.53%'], { minPercent: 0.53 }],
    [['--min-profit-usd', '$0.01'], { min_profit_usd: 0.01 }],
    [['--max-hops', '3'], { max_hops: 3 }],
    [['--limit', '1'], { limit: 1 }],
  ]
  for (const [flags, parameters] of rows)
    test(`${flags.join(' ') || 'alone'}: --json prints what the service answers`, async () => {
      const { stdout, status } = await runSwap(['arbs', ...flags, '--json'])
      assert.equal(status, 0)
      assert.equal(stdout, `${JSON.stringify(await arbs(app, parameters))}\n`)
    })

  test('a pipe gets rows, -q ids, --csv a heading and rows', async () => {
    const [row = ''] = (await runSwap(['arbs'])).stdout.split('\n')
    const [id, , denom, ...amounts] = row.split('\t')
    assert.match(id!, /^[0-9a-f]{16}$/)
    assert.deepEqual(
      [denom, ...amounts],
      [usdc, '700000000', '703732613', '3732613', '0.53', '0.03732613', 'true'],
    )
    assert.equal((await runSwap(['arbs', '-q'])).stdout, `${id}\n`)
    assert.equal((await runSwap(['arbs', '--csv'])).stdout.split('\r\n').length, 3)
  })

  test('without a profitable loop ends with 0, and with 3 with --exit-code', async () => {
    assert.equal((await runSwap(['arbs', '--min-percent', '5'])).status, 0)
    const asked = await runSwap(['arbs', '--min-percent', '5', '--exit-code', '--json'])
    assert.equal(asked.status, 3)
    assert.deepEqual(JSON.parse(asked.stdout).opportunities, [])
    assert.equal((await runSwap(['arbs', '--exit-code'])).status, 0)
  })

  test('with wrong flags is INVALID_REQUEST, exit 2', async () => {
    for (const flags of [
      ['--min-percent', '-1'],
      ['--min-percent', '1e3'],
      ['--min-percent', '1001'],
      ['--min-percent', ''],
      ['--min-profit-usd', 'much'],
      ['--max-hops', '1'],
      ['--limit', '0'],
      ['more'],
    ]) {
      const { status, stdout } = await runSwap(['arbs', ...flags, '--json'])
      assert.deepEqual([status, JSON.parse(stdout).code], [2, 'INVALID_REQUEST'], flags.join(' '))
    }
  })
})

describe('swap arbroute', () => {
  test('prints the command that executes it only if there is a step', async () => {
    const next = async (...capital: readonly string[]) =>
      (await runIn({ home: folder, isTerminal: true }, ['arbroute', ...capital])).stdout.includes(
        'swap execute q_',
      )
    assert.deepEqual([await next('5000', 'usdc'), await next('1', 'tcy')], [true, false])
  })
  const input = { denom: usdc, amount: '500000000000' }
  const rows: readonly (readonly [flags: readonly string[], members: object])[] = [
    [[], {}],
    [['--slippage', '1%'], { slippage_bps: 100 }],
    [['--slippage-bps', '7'], { slippage_bps: 7 }],
    [['--max-hops', '2'], { max_hops: 2 }],
    [['--curve', '12'], { curve: 12 }],
  ]
  for (const [flags, members] of rows)
    test(`${flags.join(' ') || 'alone'}: --json prints what the service answers`, async () => {
      const { stdout, status } = await runSwap(['arbroute', '5000', 'usdc', ...flags, '--json'])
      assert.equal(status, 0)
      assert.equal(
        withoutQuoteId(stdout),
        `${JSON.stringify(await arbroute(app, { input, ...members }))}\n`,
      )
    })

  test('-q is the profit; the document is kept as a quote, without the picture', async () => {
    assert.equal((await runSwap(['arbroute', '5000', 'usdc', '-q'])).stdout, '8.82519615\n')
    assert.equal(
      (await runSwap(['arbroute', '500000000000', 'usdc', '-q', '--atomic'])).stdout,
      '882519615\n',
    )
    const { stdout } = await runSwap(['arbroute', '5000usdc', '-o', 'human'])
    const [id = ''] = /q_[0-9a-f]{8}/.exec(stdout) ?? []
    const kept = JSON.parse(readFileSync(join(folder, 'state', 'quotes', `${id}.json`), 'utf8'))
    assert.equal(kept.curve, undefined)
    assert.equal(kept.steps.length, 1)
  })

  test('a person sees the curve, a pipe and a narrow terminal do not', async () => {
    const call = ['arbroute', '5000', 'usdc']
    assert.match((await runSwap([...call, '-o', 'human'])).stdout, /•••┃•••/)
    assert.match((await runSwap([...call, '-o', 'human', '--ascii'])).stdout, /\*\*\*\|\*\*\*/)
    assert.doesNotMatch((await runSwap([...call, '-o', 'human', '--width', '50'])).stdout, /•/)
    assert.doesNotMatch((await runSwap(call)).stdout, /•/)
  })

  test('without a profit ends with 0', async () => {
    const { status, stdout } = await runSwap(['arbroute', '1', 'tcy', '-o', 'human'])
    assert.equal(status, 0)
    assert.match(stdout, /No loop returns more than it takes/)
  })

  test('with wrong arguments ends in its code and exit 2', async () => {
    const bad: readonly (readonly [readonly string[], string])[] = [
      [['arbroute'], 'INVALID_REQUEST'],
      [['arbroute', '5'], 'INVALID_REQUEST'],
      [['arbroute', '5', 'usdc', 'rune'], 'INVALID_REQUEST'],
      [['arbroute', '0', 'usdc'], 'INVALID_AMOUNT'],
      [['arbroute', '5', 'usdd'], 'UNKNOWN_TOKEN'],
      [['arbroute', '5', 'usdc', '--curve', '1'], 'INVALID_REQUEST'],
      [['arbroute', '5', 'usdc', '--slippage', '3'], 'INVALID_SLIPPAGE'],
    ]
    for (const [args, code] of bad) {
      const { status, stdout } = await runSwap([...args, '--json'])
      assert.deepEqual([status, JSON.parse(stdout).code], [2, code], args.join(' '))
    }
  })
})
