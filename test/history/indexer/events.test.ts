import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import { type FollowEvent, follow } from '../../../src/history/indexer/follow.js'
import type { HistoryChain } from '../../../src/history/indexer/indexing.js'
import { type FaultKind, StoreFault } from '../../../src/history/store/fault.js'
import type { HistoryState, HistoryStore } from '../../../src/history/store/history-store.js'

/** What a round does: nothing, throw an error, or what the test calls. */
type Step = Error | ((given: { readonly lose: () => void }) => void)

/**
 * The events of a follower without blocks, by the script of a test: what its attempts to lead and its rounds do. It ends
 * after the last round of the script, or after `most` events.
 */
async function scripted(script: {
  readonly rounds?: readonly (Step | undefined)[]
  readonly leads?: readonly (Error | undefined)[]
  readonly release?: Error
  /** What the looks at a blocked index find, until it has been rebuilt. */
  readonly blocked?: readonly ('unreadable' | 'of another decoder' | 'of another chain')[]
  readonly replacedAfter?: number
  /** Whether the newest indexed block is that of the chain; else none can be compared. */
  readonly isCompared?: boolean
  readonly from?: number
  readonly most?: number
}) {
  const { rounds = [undefined], leads = [], blocked = [] } = script
  const ending = new AbortController()
  const events: string[] = []
  const asked = { from: 0, forgotten: 0 }
  let led = 0
  let done = 0
  let lose = () => {}
  /** What a look finds; `undefined` when the index is not blocked. */
  const seen = () =>
    events.at(-1) === 'looks'
      ? blocked[events.filter((event) => event === 'looks').length - 1]
      : undefined
  const chain = {
    newest: async () => 20,
    earliest: async () => ({ height: 3 }),
    creation: async () => 5,
    block: async () => ({ hash: 'AA' }),
  } as unknown as HistoryChain
  const store = {
    async lead() {
      const refusal = leads[led++]
      if (refusal !== undefined) throw refusal
      const lost = new AbortController()
      lose = () => lost.abort()
      const release = async () => {
        if (script.release !== undefined) throw script.release
      }
      return { epoch: led, lost: lost.signal, release }
    },
    async leader() {
      if (led > 1) throw new Error('unreadable')
      return { pid: 7 }
    },
    async gaps({ from }: { readonly from: number }) {
      asked.from = from
      const step = rounds[done++]
      const isLast = done === rounds.length
      if (isLast) ending.abort()
      if (step instanceof Error) throw step
      step?.({ lose })
      return []
    },
    async state() {
      if (events.at(-1) === 'blocked' || events.at(-1) === 'looks') events.push('looks')
      if (seen() === 'unreadable') throw fault('slow')
      const isCurrent = seen() !== 'of another decoder'
      return { current: isCurrent, pruned: [{ from: 1, to: 4 }] } as unknown as HistoryState
    },
    async knownBlock() {
      if (script.isCompared) return { height: 20, hash: 'AA' }
      return seen() === 'of another chain' ? { height: 20, hash: 'BB' } : undefined
    },
    forgetPruned: async () => void (asked.forgotten += 1),
    isReplaced: () => done === script.replacedAfter,
  } as unknown as HistoryStore
  const emit = (event: FollowEvent): void => {
    if (events.push(wordOf(event)) === script.most) ending.abort()
  }
  await follow({
    chain,
    store,
    signal: ending.signal,
    every: 1,
    from: script.from,
    emit,
  })
  return { events: events.join(' '), asked }
}

function wordOf(event: FollowEvent): string {
  if (event.is === 'waiting') return `waits for ${event.leader?.pid}`
  const words: Readonly<Record<string, string>> = {
    leading: 'leads',
    resigned: 'rests',
    progress: 'round',
  }
  return words[event.is] ?? event.is
}

const fault = (kind: FaultKind) => new StoreFault(kind, 'a fault')
const late = new NodeFault('timeout', 'http://node', 'did not answer in time')
const missing = new NodeFault('height_unavailable', 'http://node', 'has no such block')

describe('the events of a follower', () => {
  const cases: readonly (readonly [string, Parameters<typeof scripted>[0], string])[] = [
    [
      'that loses the lead and takes it again',
      { rounds: [({ lose }) => lose(), undefined] },
      'leads round rests leads round rests',
    ],
    [
      'of a file that is replaced',
      { rounds: [undefined, undefined, undefined], replacedAfter: 1 },
      'leads round rests',
    ],
    [
      'whose blocks do not link now and then',
      {
        rounds: [
          fault('unlinked'),
          undefined,
          fault('unlinked'),
          undefined,
          fault('unlinked'),
          undefined,
        ],
      },
      'leads failed round failed round failed round rests',
    ],
    [
      'whose rounds keep failing for several reasons',
      {
        rounds: [fault('unlinked'), fault('down'), fault('unlinked'), fault('unlinked'), undefined],
        most: 7,
      },
      'leads failed failed rests failed leads failed rests',
    ],
    [
      'whose node gives no answer until a deadline, again and again',
      { rounds: [late, late, late, undefined] },
      'leads rests failed leads failed failed round rests',
    ],
    [
      'of an index of another decoder until it is rebuilt',
      { rounds: [fault('decoder'), undefined], blocked: ['of another decoder'] },
      'leads rests blocked looks looks leads round rests',
    ],
    [
      'of another chain until it is rebuilt',
      {
        rounds: [fault('unlinked'), fault('unlinked'), fault('unlinked'), undefined],
        blocked: ['of another chain', 'unreadable'],
      },
      'leads failed failed rests blocked looks looks looks leads round rests',
    ],
    ['of a damaged database', { rounds: [fault('corrupt'), undefined] }, 'leads rests stopped'],
    [
      'that cannot lead at first',
      { leads: [fault('led'), fault('led'), fault('down')] },
      'waits for 7 waits for undefined failed leads round rests',
    ],
    ['that can never lead', { leads: [fault('foreign')] }, 'stopped'],
    ['whose lead cannot be released', { release: fault('down') }, 'leads round rests failed'],
    ['of a block that is late', { rounds: [missing, undefined] }, 'leads round rests'],
    [
      'of a block that does not come',
      { rounds: [missing, missing, missing, undefined] },
      'leads rests failed leads round rests',
    ],
    ['that is ended during a round that fails', { rounds: [fault('down')] }, 'leads rests'],
  ]
  for (const [title, script, expected] of cases)
    test.concurrent(title, async () => assert.equal((await scripted(script)).events, expected))

  test('begin with the blocks that a node has again, from the configured height', async () => {
    assert.deepEqual((await scripted({})).asked, { from: 5, forgotten: 1 })
    assert.equal((await scripted({ from: 9 })).asked.from, 9)
  })

  test('look for blocks that a node has again when they begin, and every sixty rounds', async () => {
    const forgottenIn = async (count: number) =>
      (await scripted({ isCompared: true, rounds: Array(count).fill(undefined) })).asked.forgotten
    assert.deepEqual([await forgottenIn(60), await forgottenIn(61)], [1, 2])
  })

  test('end the lead once at a height that has not risen for 120 idle rounds', async () => {
    const { events } = await scripted({ rounds: Array(400).fill(undefined) })
    const turns = events.split('leads').map((turn) => turn.split('round').length - 1)
    assert.deepEqual(turns, [0, 121, 279])
    assert.match(events, /round rests leads round/)
  })
})
