import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import type { HistoryChain } from '../../../src/history/indexer/indexing.js'
import { restartIndex, sync } from '../../../src/history/indexer/sync.js'
import { type FaultKind, StoreFault } from '../../../src/history/store/fault.js'
import type { HistoryStore, Leadership } from '../../../src/history/store/history-store.js'
import type { Heights } from '../../../src/operations/history/history-port.js'

const fault = (kind: FaultKind) => new StoreFault(kind, `fault ${kind}`)
const nodeFault = (kind: 'refused' | 'forbidden' | 'height_unavailable') =>
  new NodeFault(kind, 'http://node', kind)

/** A run on a chain of blocks 5 to 20, whose first step or rounds fail as given. */
async function run({
  first = [],
  rounds = [],
  gaps = [],
  earliest = 5,
  patienceMs = 2_500,
  ended,
}: {
  readonly first?: readonly Error[]
  readonly rounds?: readonly Error[]
  readonly gaps?: readonly Heights[]
  readonly earliest?: number
  readonly patienceMs?: number
  /** What ends it before the first round. */
  readonly ended?: 'signal' | 'lead'
}) {
  const [ending, lost] = [new AbortController(), new AbortController()]
  let failed = 0
  let steps = 0
  let looks = 0
  let known = gaps
  const store = {
    state: async () => ({ pruned: [], done: [{ from: 5, to: 30 }] }),
    knownBlock: async () => undefined,
    async gaps() {
      looks += 1
      // The first one is the count before the rounds.
      if (looks === 1) {
        if (ended === 'signal') ending.abort()
        if (ended === 'lead') lost.abort()
        return known
      }
      const error = rounds[looks - 2]
      if (error !== undefined) throw error
      return known
    },
    // One of the blocks of a round alone is written.
    async commitBlocks() {
      known = known
        .map(({ from, to }) => ({ from: from + 1, to }))
        .filter(({ from, to }) => from <= to)
      return { blocks: 1, swaps: 3, quarantined: 2 }
    },
    async notePruned(_: Leadership, { to }: Heights) {
      known = known.filter(({ from }) => from > to)
    },
  } as unknown as HistoryStore
  const chain = {
    newest: async () => 20,
    unshared: async () => 7,
    earliest: async () => ({ height: earliest }),
    creation: async () => 5,
    block: async () => ({ txs: [], others: [] }),
  } as unknown as HistoryChain
  const leadership: Leadership = { epoch: 1, lost: lost.signal, release: async () => {} }
  const { signal } = ending
  const events = { progress() {}, failed: () => void (failed += 1) }
  const prepare = async () => {
    const error = first[steps++]
    if (error !== undefined) throw error
  }
  const outcome = sync({ chain, store, leadership, signal, patienceMs, prepare, ...events })
  return {
    result: await outcome.catch((error: Error) => error),
    failed: () => failed,
  }
}

describe('a run of the indexer', () => {
  const times = <T>(count: number, value: T): readonly T[] =>
    Array.from({ length: count }, () => value)
  type Case = readonly [string, Parameters<typeof run>[0], string | undefined, number]
  const cases: readonly Case[] = [
    ['goes on after five failures', { first: times(5, fault('down')) }, undefined, 5],
    ['ends with the sixth failure in a row', { first: times(6, fault('down')) }, 'fault down', 5],
    ['waits for a node for its patience', { first: times(2, nodeFault('refused')) }, undefined, 2],
    [
      'waits for a node no longer than that',
      { first: times(9, nodeFault('refused')), patienceMs: 500 },
      'http://node refused',
      1,
    ],
    [
      'has all of its patience again after a success',
      { first: times(2, nodeFault('refused')), rounds: times(2, nodeFault('refused')) },
      undefined,
      4,
    ],
    [
      'does not wait for a node that refuses it',
      { first: [nodeFault('forbidden')] },
      'http://node forbidden',
      0,
    ],
    [
      'repeats a step at once, unreported, for blocks that were pruned meanwhile, five times',
      { first: times(6, nodeFault('height_unavailable')), patienceMs: 1e9 },
      'http://node height_unavailable',
      0,
    ],
    ['ends at once on another chain', { first: [fault('unlinked')] }, 'fault unlinked', 0],
    ['reads blocks that do not link once more', { rounds: [fault('unlinked')] }, undefined, 1],
    [
      'ends where they do not link again',
      { rounds: times(2, fault('unlinked')) },
      'fault unlinked',
      1,
    ],
  ]
  for (const [title, given, error, count] of cases)
    test.concurrent(title, async () => {
      const { result, failed } = await run(given)
      if (result instanceof Error) assert.equal(result.message, error)
      else assert.deepEqual([result.complete, error], [true, undefined])
      assert.equal(failed(), count)
    })

  test('names its attempts in the failure that ends them', async () => {
    const { result } = await run({ first: times(9, nodeFault('refused')), patienceMs: 500 })
    assert.match((result as NodeFault).why ?? '', /^the last of 2 attempts in \d+ s$/)
    const once = await run({ first: [nodeFault('forbidden')] })
    assert.doesNotMatch(`${(once.result as NodeFault).why}`, /attempts/)
  })

  test('is not complete when the signal ends it, and fails when it loses the lead', async () => {
    const { result } = await run({ ended: 'signal' })
    assert.ok(!(result instanceof Error) && !result.complete)
    const lost = await run({ ended: 'lead' })
    assert.ok(lost.result instanceof StoreFault && lost.result.kind === 'lost')
  })

  test('is complete when no block is left, with the sums of its rounds', async () => {
    const { result } = await run({ gaps: [{ from: 5, to: 7 }] })
    assert.ok(!(result instanceof Error))
    const { done, left, swaps, quarantined, unshared, beyond, complete } = result
    const counts = [done, left, swaps, quarantined, unshared, beyond]
    assert.deepEqual([...counts, complete], [3, 0, 9, 6, 7, 3, true])
  })

  test('counts and joins the ranges that no node has, and counts them as not left', async () => {
    const gaps = [
      { from: 5, to: 6 },
      { from: 7, to: 9 },
      { from: 11, to: 14 },
    ]
    const { result } = await run({ gaps, earliest: 15 })
    assert.ok(!(result instanceof Error))
    const { pruned, left, done, leftMs, complete } = result
    assert.deepEqual(pruned, [
      { from: 5, to: 9 },
      { from: 11, to: 14 },
    ])
    assert.deepEqual([left, done, leftMs, complete], [0, 0, undefined, true])
  })
})

describe('an index that is filled anew', () => {
  async function restart(
    { rows = [], kept, lost }: { rows?: readonly number[]; kept?: string; lost?: number },
    earliest: number,
    from?: number,
  ) {
    let how: unknown
    const store = {
      // One height an answer.
      holding: async ({ from }: Heights) => rows.filter((height) => height >= from).slice(0, 1),
      knownBlock: async () => (kept === undefined ? undefined : { height: 20, hash: kept }),
      reindex: async (_: Leadership, options: unknown) => void (how = options),
    } as unknown as HistoryStore
    const chain = {
      newest: async () => 20,
      earliest: async () => ({ height: earliest }),
      creation: async () => 5,
      block: async (height: number) => {
        if (height === lost) throw nodeFault('height_unavailable')
        return { hash: 'AA' }
      },
    } as unknown as HistoryChain
    await restartIndex(chain, store, {} as Leadership, from)
    return how
  }

  test('keeps its rows where a node no longer has the oldest block of them', async () => {
    await assert.rejects(restart({ rows: [8] }, 9), {
      code: 'INVALID_REQUEST',
      why: 'its oldest one is of block 8, and no node that answers has blocks before 9',
      members: { oldest_indexed: 8, earliest_held: 9 },
    })
    assert.notEqual(await restart({ rows: [8] }, 8), undefined)
  })

  test('keeps its rows where no node gives the block of a later answer with heights of rows', async () => {
    await assert.rejects(restart({ rows: [8, 12], lost: 12 }, 8), {
      code: 'INVALID_REQUEST',
      members: { height: 12 },
    })
    assert.notEqual(await restart({ rows: [8, 12] }, 8), undefined)
  })

  test('keeps its prices unless the chain is another one, and has to index all from the first block', async () => {
    const within = { from: 5, to: 20 }
    assert.deepEqual(await restart({}, 9), { prices: true, within })
    assert.deepEqual(await restart({ kept: 'AA' }, 9), { prices: true, within })
    assert.deepEqual(await restart({ kept: 'BB' }, 9), { prices: false, within })
    assert.deepEqual(await restart({}, 9, 12), { prices: true, within: { from: 12, to: 20 } })
  })
})
