import assert from 'node:assert/strict'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { runSwap } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'
import { blocksOf, recordTape } from '../../../support/tape.js'

const tape = join(temporaryFolder('tape'), 'blocks.tape')
const markets = blocksOf(104)
const first = markets[0]!.height
beforeAll(async () => {
  await recordTape(tape, markets)
})

const QUOTE = ['0.1', 'btc', 'usdc', '--tape', tape]
const json = async (...argv: readonly string[]) => {
  const { stdout, stderr } = await runSwap([...argv, '--json'])
  assert.notEqual(stdout, '', stderr)
  return JSON.parse(stdout)
}

describe('a command with --tape and --at', () => {
  test('answers as of the recorded block', async () => {
    for (const at of [0, 50])
      assert.equal((await json('route', ...QUOTE, '--at', `${first + at}`)).height, first + at)
    assert.equal((await json('route', ...QUOTE, '--at', 'last')).height, first + 103)
    assert.equal((await json('price', 'btc', '--tape', tape, '--at', 'last')).height, first + 103)
    for (const name of ['curve', 'arbs'])
      assert.equal(
        (
          await json(
            ...(name === 'arbs' ? [name] : [name, 'btc', 'usdc', '--points', '2']),
            '--tape',
            tape,
            '--at',
            `${first}`,
          )
        ).height,
        first,
      )
  })

  test('is refused without the other flag, and for a block that was not recorded', async () => {
    assert.match(
      (await json('route', '1', 'btc', 'usdc', '--at', '5')).detail,
      /--at goes with --tape/,
    )
    assert.match((await json('route', ...QUOTE)).detail, /--tape goes with --at/)
    const missing = await json('route', ...QUOTE, '--at', '5')
    assert.deepEqual([missing.code, missing.earliest], ['NOT_FOUND', first])
  })
})

describe('--slippage auto', () => {
  test('takes the slippage of recorded blocks, and says why', async () => {
    for (const name of ['route', 'sroute']) {
      const answer = await json(name, ...QUOTE, '--at', 'last', '--slippage', 'auto')
      const { slippage } = answer
      assert.equal(slippage.bps, answer.slippage_bps)
      assert.equal(slippage.evidence.blocks, 103)
      assert.ok(slippage.bps >= 1 && slippage.bps <= 50)
      const [best] = answer.routes
      const leg = best.legs?.[0] ?? best
      const least = (BigInt(leg.expected_output) * BigInt(10_000 - slippage.bps)) / 10_000n
      assert.equal(leg.min_return, `${least}`)
    }
  })

  test('falls back to the configured slippage, and says so', async () => {
    const early = await json('route', ...QUOTE, '--at', `${first + 60}`, '--slippage', 'auto')
    assert.deepEqual([early.slippage.source, early.slippage_bps], ['configured', 50])
    const none = await runSwap(['route', '0.1', 'btc', 'usdc', '--slippage', 'auto'])
    assert.match(
      none.stdout,
      /slippage\.reason\t0\.5 % \(50 bps\) as configured: 0 of at least 100/,
    )
  })

  test('is refused by commands that do not choose one', async () => {
    const { code } = await json('arbroute', '100', 'usdc', '--slippage', 'auto')
    assert.equal(code, 'INVALID_SLIPPAGE')
  })
})
