import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import type { HistoryChain } from '../../../src/history/indexer/chain.js'
import { follow } from '../../../src/history/indexer/follow.js'
import { type FaultKind, StoreFault } from '../../../src/history/store/fault.js'
import type { HistoryState, HistoryStore } from '../../../src/history/store/swap-row.js'

/** What a round does: nothing, throw an error, or what the test calls. */
type Step = Error | ((given: { readonly lose: () => void; readonly end: () => void }) => void)

/**
 * The events of a follower without blocks, by the script of a test: what its attempts to lead and its rounds do. It ends
 * after the last round of the script, or after `most` events.
 */
async function scripted(script: {
  readonly rounds?: readonly (Step | undefined)[]
  readonly leads?: readonly (Error | undefined)[]
  readonly release?: Error
  /** Number of looks at a blocked index until it has been rebuilt. */
  readonly rebuiltAfter?: number
  readonly replacedAfter?: number
  readonly from?: number
  readonly most?: number
}) {
  const { rounds = [undefined], leads = [], rebuiltAfter = 0 } = script
  const ending = new AbortController()
  const events: string[] = []
  const asked = { from: 0, forgotten: 0 }
  let [led, done] = [0, 0]
  let lose = () => {}
  const chain = {
    newest: async () => 20,
    earliest: async () => 3,
    creation: async () => 5,
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
    leader: () => Promise.reject(new Error('unreadable')),
    async gaps({ from }: { readonly from: number }) {
      asked.from = from
      const step = rounds[done++]
      const isLast = done === rounds.length
      const end = () => ending.abort()
      if (isLast) end()
      if (step instanceof Error) throw step
      step?.({ lose, end })
      return []
    },
    async state() {
      if (events.at(-1) === 'blocked' || events.at(-1) === 'looks') events.push('looks')
      const looks = events.filter((event) => event === 'looks').length
      return {
        current: looks >= rebuiltAfter,
        pruned: [{ from: 1, to: 4 }],
      } as unknown as HistoryState
    },
    knownBlock: async () => undefined,
    forgetPruned: async () => void (asked.forgotten += 1),
    isReplaced: () => done === script.replacedAfter,
  } as unknown as HistoryStore
  const hear = (event: string) => () => {
    if (events.push(event) === script.most) ending.abort()
  }
  await follow({
    ...{ chain, store, signal: ending.signal, every: 1, from: script.from },
    events: {
      ...{ leading: hear('leads'), resigned: hear('rests'), waiting: hear('waits') },
      ...{ wrote: hear('wrote'), pruned: hear('pruned'), progress: hear('round') },
      ...{ failed: hear('failed'), blocked: hear('blocked'), stopped: hear('stopped') },
    },
  })
  return { events: events.join(' '), asked }
}

const fault = (kind: FaultKind) => new StoreFault(kind, 'a fault')
const pruned = new NodeFault('height_unavailable', 'http://node', 'has no such block')

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
      'of an index of another decoder until it is rebuilt',
      { rounds: [fault('decoder'), undefined], rebuiltAfter: 2 },
      'leads rests blocked looks looks leads round rests',
    ],
    ['of a damaged database', { rounds: [fault('corrupt'), undefined] }, 'leads rests stopped'],
    [
      'that cannot lead at first',
      { leads: [fault('led'), fault('down')] },
      'waits failed leads round rests',
    ],
    ['that can never lead', { leads: [fault('foreign')] }, 'stopped'],
    ['whose lead cannot be released', { release: fault('down') }, 'leads round rests failed'],
    ['of blocks that are pruned meanwhile', { rounds: [pruned, undefined] }, 'leads round rests'],
    ['that is ended during a round that fails', { rounds: [fault('down')] }, 'leads rests'],
  ]
  for (const [title, script, expected] of cases)
    test.concurrent(title, async () => assert.equal((await scripted(script)).events, expected))

  test('begin with the blocks that a node has again, from the configured height', async () => {
    assert.deepEqual((await scripted({})).asked, { from: 5, forgotten: 1 })
    assert.equal((await scripted({ from: 9 })).asked.from, 9)
  })
})
