import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { StoreFault } from '../../../src/history/store/fault.js'
import type { HistoryStore } from '../../../src/history/store/history-store.js'
import { dice } from '../../support/dice.js'
import { blocksOf, contentsOf, openAt } from '../../support/history.js'
import { freshDatabase, testPostgres } from '../../support/postgres.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

const KILL_COUNT = Number(process.env['SWAP_KILLS'] ?? (process.env['SWAP_LONG'] ? 40 : 5))
const SEED = Number(process.env['SWAP_SEED'] ?? Date.now() % 1_000_000)
const ENDLESS = 1_000_000
const chain = syntheticChain(SEED)
const server = await testPostgres()

/** The errors that are allowed while a server is down or starts. */
const EXPECTED: ReadonlySet<string> = new Set(['down', 'lost', 'led', 'locked', 'slow'])

function requireExpected(error: unknown): void {
  assert.ok(error instanceof StoreFault && EXPECTED.has(error.kind), String(error))
}

/** The highest block whose commit was acknowledged, and the errors so far. */
type Written = { acknowledged: number; faults: number }

/** Indexes like an indexer: after each failure it takes the lead again and lists the missing ranges. */
async function index(
  store: HistoryStore,
  written: Written,
  random: () => number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted)
    try {
      const leadership = await store.lead()
      try {
        const [gap] = await store.gaps({ from: 1, to: ENDLESS })
        for (let from = gap!.from; !signal.aborted; ) {
          const to = from + Math.floor(random() * 8)
          const { blocks } = await store.commitBlocks(leadership, blocksOf(chain, from, to))
          assert.equal(blocks, to - from + 1, 'what is missing was not there')
          written.acknowledged = to
          from = to + 1
        }
      } finally {
        await leadership.release()
      }
    } catch (error) {
      requireExpected(error)
      written.faults += 1
      await delay(20)
    }
}

/** Reads all the time: answers never go back. @returns the number of answers */
async function read(store: HistoryStore, signal: AbortSignal): Promise<number> {
  let answers = 0
  let total = 0
  let height = 0
  while (!signal.aborted)
    try {
      const page = await store.page({ by: 'latest' }, { page: 1, limit: 5 })
      assert.ok(page.total >= total && (page.indexed?.height ?? 0) >= height, 'it went back')
      ;[total, height] = [page.total, page.indexed?.height ?? 0]
      answers += 1
      await delay(5)
    } catch (error) {
      requireExpected(error)
      await delay(20)
    }
  return answers
}

describe.skipIf(server?.kill === undefined)('a PostgreSQL server', () => {
  test(`that is killed ${KILL_COUNT} times during writes loses no swap and duplicates none`, async () => {
    const [database, clean] = [await freshDatabase(server!), await freshDatabase(server!)]
    const random = dice(SEED)
    const store = await openAt(database)
    const ending = new AbortController()
    const written: Written = { acknowledged: 0, faults: 0 }
    const indexing = index(store, written, random, ending.signal)
    const reading = read(store, ending.signal)
    const killing = async () => {
      for (let kill = 0; kill < KILL_COUNT; kill += 1) {
        const before = written.acknowledged
        while (written.acknowledged === before) await delay(1)
        await delay(random() * 60)
        const acknowledged = written.acknowledged
        await server!.kill!()
        const { done } = await stateOnceUp(store)
        assert.equal(done.length, 1, 'heights are done without a gap')
        assert.ok(done[0]!.to >= acknowledged, 'what was acknowledged is there')
      }
    }
    try {
      await Promise.race([killing(), indexing, reading])
    } finally {
      ending.abort()
    }
    await indexing
    const answers = await reading
    const { done, swaps } = await stateOnceUp(store)
    await store.close()
    const other = await openAt(clean)
    const leadership = await other.lead()
    for (let from = 1; from <= done[0]!.to; from += 200)
      await other.commitBlocks(leadership, blocksOf(chain, from, Math.min(from + 199, done[0]!.to)))
    await other.close()
    assert.ok((await contentsOf(database)) === (await contentsOf(clean)), 'contents differ')
    assert.ok(written.faults >= KILL_COUNT && answers > 0)
    console.log(
      `${KILL_COUNT} kills of the server, seed ${SEED}: ${done[0]!.to} blocks, ${swaps} swaps, ${written.faults} uses failed, ${answers} reads answered; 0 lost, 0 doubled`,
    )
  }, 7_200_000)
})

/** The state, as soon as the server answers. */
async function stateOnceUp(store: HistoryStore): ReturnType<HistoryStore['state']> {
  for (;;)
    try {
      return await store.state()
    } catch (error) {
      requireExpected(error)
      await delay(20)
    }
}
