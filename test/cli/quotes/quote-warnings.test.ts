import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { runSwap } from '../../support/cli.js'

const warningsOf = (stderr: string) => stderr.split('\n').filter((line) => /^warning: /.test(line))

describe('a quote of which one value is printed', () => {
  test('has each warning of its screen as a line on standard error', async () => {
    for (const [command, flag] of [
      ['route', '-q'],
      ['route', '--id'],
      ['sroute', '-q'],
    ] as const) {
      const { status, stdout, stderr } = await runSwap([command, '1000', 'btc', 'rune', flag])
      assert.equal(status, 0)
      assert.match(stdout, /^\S+\n$/)
      const warnings = warningsOf(stderr)
      assert.equal(warnings.length, 2, stderr)
      assert.match(warnings[0]!, /^warning: takes \d+\.\d\d % of /)
      assert.match(warnings[1]!, /^warning: severe impact of 9\d\.\d\d %/)
    }
  })
  test('is not an id where a form of the answer is named', async () => {
    for (const form of ['--json', '--csv']) {
      const { status, stderr } = await runSwap(['route', '1', 'btc', 'rune', '--id', form])
      assert.equal(status, 2)
      assert.match(stderr, new RegExp(`--id does not go with ${form}`))
    }
  })
  test('has none where the screen has none, and none with -qq', async () => {
    assert.deepEqual(warningsOf((await runSwap(['route', '1', 'rune', 'usdc', '-q'])).stderr), [])
    assert.equal((await runSwap(['route', '1000', 'btc', 'rune', '-qq'])).stderr, '')
  })
})

describe('an amount that no path takes', () => {
  test('to receive has the most that is paid, and what is left of it after slippage', async () => {
    const asked = async (slippage: string) => {
      const args = ['btc', '1000000000', 'rune', '--slippage', slippage, '--json']
      return JSON.parse((await runSwap(['sroute', ...args])).stdout)
    }
    const { detail, hint } = await asked('0.5%')
    const [, least] = /^ask for ([\d.]+ RUNE) or less$/.exec(hint.replace(/^.* otherwise /, ''))!
    assert.match(detail, new RegExp(`; after slippage it is ${least}$`))
    assert.doesNotMatch((await asked('0%')).detail, /slippage/)
  })

  test('has a hint that names swap max, where the most that passes would lose most of its worth', async () => {
    for (const [command, flags] of [
      ['route', ''],
      ['sroute', ' --split'],
    ] as const) {
      const { stdout } = await runSwap([command, '100000000', 'btc', 'rune', '--json'])
      const { code, hint } = JSON.parse(stdout)
      assert.equal(code, 'INSUFFICIENT_LIQUIDITY')
      assert.match(hint, /or less; most of that would be lost: /)
      assert.ok(hint.includes(`swap max btc rune --max-impact 5%${flags} finds`), hint)
    }
  })
})
