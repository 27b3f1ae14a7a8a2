import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { heldPreviews } from '../../../../src/cli/commands/mcp/preview.js'
import { SwapError } from '../../../../src/engine/errors.js'
import type { PreparedTx } from '../../../../src/execution/plan/prepared.js'

const signing = new Error('it would be signed')
const swap = { view: { kind: 'swap' } } as PreparedTx

/** Previews that would be signed, and the time. */
function held() {
  const clock = { now: 0 }
  const session = () => Promise.reject(signing)
  const previews = heldPreviews({} as never, session, () => clock.now)
  const outcome = (id: string, kind: 'swap' | 'order' = 'swap') =>
    previews.execute(kind, { preview_id: id }, {} as never)
  return { clock, hold: () => previews.hold({} as never, swap), outcome }
}

describe('a preview of swap mcp', () => {
  test('may be executed for a minute, and is expired afterwards', async () => {
    const { clock, hold, outcome } = held()
    const [first, second] = [hold(), hold()]
    clock.now = 60_000
    await assert.rejects(outcome(first), signing)
    clock.now = 60_001
    await assert.rejects(outcome(second), { code: 'QUOTE_EXPIRED' })
    // What was executed in time has its result for good.
    await assert.rejects(outcome(first), signing)
  })
  test('may be executed again after another process held the lock, unless something was signed', async () => {
    const busy = (members: Readonly<Record<string, string>>) =>
      new SwapError('BUSY', 'the account is locked', { members })
    const outcomes = [busy({}), busy({ id: 'x_1' }), signing]
    const previews = heldPreviews({} as never, () => Promise.reject(outcomes.shift()))
    const preview_id = previews.hold({} as never, swap)
    const outcome = () => previews.execute('swap', { preview_id }, {} as never)
    const [first, second] = [...outcomes]
    await assert.rejects(outcome(), first)
    await assert.rejects(outcome(), second)
    await assert.rejects(outcome(), second)
  })
  test('is one of the last hundred, of its own kind, of this process', async () => {
    const { hold, outcome } = held()
    const oldest = hold()
    const last = Array.from({ length: 100 }, hold)
    await assert.rejects(outcome(oldest), { code: 'NOT_FOUND' })
    await assert.rejects(outcome(last[0]!, 'order'), { code: 'NOT_FOUND' })
    await assert.rejects(held().outcome(last[0]!), { code: 'NOT_FOUND' })
    await assert.rejects(outcome(last[0]!), signing)
  })
  test('is the only transaction that is signed', async () => {
    const task = { account: { address: 'demo1' } } as never
    const prepared = {
      view: { kind: 'swap', fingerprint: 'aa', decoded: { sequence: 4n } },
    } as never
    const outcome = (fingerprint: string, sequence: bigint) => {
      const parts = { chain: async () => ({ accountStates: async () => [{ sequence }] }) }
      const previews = heldPreviews(parts as never, async (_, confirm) => {
        await confirm({ fingerprint, decoded: { sequence: 4n } } as never)
        throw signing
      })
      const id = previews.hold(task, prepared)
      return previews.execute('swap', { preview_id: id }, {} as never)
    }
    await assert.rejects(outcome('aa', 4n), signing)
    await assert.rejects(outcome('bb', 4n), { code: 'QUOTE_EXPIRED' })
    await assert.rejects(outcome('aa', 5n), { code: 'QUOTE_EXPIRED' })
  })
})
