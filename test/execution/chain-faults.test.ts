import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { longTest } from '../support/long.js'
import { stage } from './stage.js'

describe('an execution under a fault of the demo chain', () => {
  test('slippage: the chain refuses the price, and only the fee is spent', async () => {
    const { run, fail, executed } = await stage()
    fail({ kind: 'slippage', once: true })
    const { report, error } = await run()
    assert.equal(error?.code, 'SLIPPAGE_EXCEEDED')
    assert.equal(error?.members['funds'], 'fee_only')
    assert.equal(report.status, 'failed')
    assert.deepEqual(
      executed().map(({ code }) => code),
      [5],
    )
  })

  test('timeout: an accepted transaction that is never included is reported as expired after its timeout height, not before', async () => {
    const { run, fail, real, executed, intents } = await stage()
    fail({ kind: 'timeout' })
    const { report, error } = await run()
    assert.equal(error?.code, 'TX_FAILED')
    assert.equal(error?.members['funds'], 'untouched')
    assert.equal(report.status, 'expired')
    assert.ok(real.height > report.txs[0]!.timeout_height)
    assert.deepEqual(executed(), [])
    assert.equal(intents()[0]?.txs[0]?.state, 'expired')
  })

  longTest(
    'timeout: the outcome is unknown after the waiting time, and nothing else is signed',
    async () => {
      const { run, fail, heal, executed } = await stage()
      fail({ kind: 'timeout' })
      const { error } = await run({ waitMs: 3_000 })
      assert.equal(error?.code, 'OUTCOME_UNKNOWN')
      heal()
      // It is released at once: the next execution settles it first.
      const again = await run().catch((busy: unknown) => busy)
      const done = executed().length
      assert.ok(done <= 2)
      if (again instanceof Error) assert.equal((again as { code?: string }).code, 'BUSY')
    },
  )

  test('halt: the outcome is unknown until the chain makes blocks again', async () => {
    const { run, fail, heal, executed, session, intents } = await stage()
    fail({ kind: 'halt', once: true })
    const { error } = await run()
    assert.equal(error?.code, 'OUTCOME_UNKNOWN')
    assert.deepEqual(executed(), [])
    heal()
    const { resume } = await import('../../src/execution/execute.js')
    const { report } = await resume(session(), intents()[0]!)
    assert.equal(report.status, 'confirmed')
    assert.equal(executed().length, 1)
  })

  test('lost-reply: the same bytes are sent again, and are executed once', async () => {
    const { run, fail, executed } = await stage()
    fail({ kind: 'lost-reply', once: true })
    const { report, error } = await run()
    assert.equal(error, undefined)
    assert.equal(report.status, 'confirmed')
    assert.equal(executed().length, 1)
  })

  test('funds: the refusal is reported at once, and as certain when the height has passed', async () => {
    const { run, fail, executed, intents, session } = await stage()
    fail({ kind: 'funds' })
    const { error, report } = await run()
    assert.equal(error?.code, 'OUTCOME_UNKNOWN')
    assert.equal(error?.members['cause'], 'INSUFFICIENT_FUNDS')
    assert.equal(error?.members['funds'], 'unknown')
    assert.equal(report.status, 'refused')
    assert.equal(intents()[0]?.txs[0]?.state, 'refused')
    const { resume } = await import('../../src/execution/execute.js')
    const proven = await resume(session(), intents()[0]!)
    assert.equal(proven.error?.code, 'INSUFFICIENT_FUNDS')
    assert.equal(proven.error?.members['funds'], 'untouched')
    assert.equal(intents()[0]?.txs[0]?.state, 'expired')
    assert.deepEqual(executed(), [])
  })

  test('funds: the refusal of a node that this program runs is trusted at once', async () => {
    const { run, fail, intents } = await stage({ isOwn: true })
    fail({ kind: 'funds' })
    const { error, report } = await run()
    assert.equal(error?.code, 'INSUFFICIENT_FUNDS')
    assert.equal(error?.members['funds'], 'untouched')
    assert.equal(report.status, 'refused')
    assert.equal(intents()[0]?.txs[0]?.state, 'abandoned')
  })

  longTest('busy: the same bytes are sent again after a pause', async () => {
    const { run, fail, heal, executed, session } = await stage()
    fail({ kind: 'busy' })
    let pauses = 0
    const clock = session().clock
    const { report, error } = await run(
      {},
      {
        clock: {
          ...clock,
          async sleep(ms, signal) {
            pauses += 1
            if (pauses === 2) heal()
            await clock.sleep(ms, signal)
          },
        },
      },
    )
    assert.equal(error, undefined)
    assert.equal(report.status, 'confirmed')
    assert.equal(executed().length, 1)
  })

  test('sequence-lie: the transaction is refused, and no other sequence is signed while it may be included', async () => {
    const { run, fail, heal, executed, intents, block } = await stage()
    fail({ kind: 'sequence-lie' })
    // A trial would notice it before; who names the gas has none.
    const { error } = await run({ gas: 5_000_000n })
    assert.equal(error?.code, 'OUTCOME_UNKNOWN')
    assert.equal(error?.members['cause'], 'TX_FAILED')
    assert.deepEqual(executed(), [])
    heal()
    // What was signed with a sequence that is too high may come once that is reached.
    await assert.rejects(run(), { code: 'BUSY' })
    assert.equal(intents().length, 1)
    for (let left = 25; left > 0; left -= 1) block()
    const { report } = await run()
    assert.equal(report.status, 'confirmed')
    assert.equal(executed().length, 1)
    assert.deepEqual(
      intents().map(({ txs }) => txs[0]?.state),
      ['included', 'expired'],
    )
  })
})
