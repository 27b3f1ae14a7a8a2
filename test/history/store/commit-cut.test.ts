import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { StoreFault } from '../../../src/history/store/fault.js'
import type { HistoryStore, Leadership } from '../../../src/history/store/history-store.js'
import { ANSWER_BYTES, COMMIT, type Cut, cuttingProxy } from '../../support/cutting-proxy.js'
import { dice } from '../../support/dice.js'
import { blocksOf, contentsOf, openAt } from '../../support/history.js'
import { freshDatabase, testPostgres } from '../../support/postgres.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

/** How often each byte of the commit packet, and of its answer, is the last one; there are 32. */
const ROUNDS = process.env['SWAP_LONG'] ? 4 : 1
/** Cuts anywhere in a session. */
const ANYWHERE = process.env['SWAP_LONG'] ? 100 : 6
const SEED = Number(process.env['SWAP_SEED'] ?? Date.now() % 1_000_000)
/** The bytes of a client that leads and writes a few blocks or more. */
const SESSION_BYTES = 40_000
const server = await testPostgres()
const chain = syntheticChain(SEED)

/** A server takes a moment to detect that a session ended; until then its lead is taken. */
async function leadSoon(store: HistoryStore): Promise<Leadership> {
  for (;;)
    try {
      return await store.lead()
    } catch (error) {
      requireCut(error)
      await delay(2)
    }
}

function requireCut(error: unknown): void {
  assert.ok(error instanceof StoreFault, String(error))
  assert.ok(['down', 'lost', 'led', 'slow'].includes(error.kind), `${error.kind}: ${error.message}`)
}

const endOf = async (store: HistoryStore): Promise<number> => {
  const { done } = await store.state()
  assert.ok(done.length <= 1, 'heights are done without a gap')
  return done[0]?.to ?? 0
}

/** Runs with one store behind the proxy and one without; the contents are those of a clean run. */
async function disturbed(
  use: (
    proxy: Awaited<ReturnType<typeof cuttingProxy>>,
    behind: HistoryStore,
    direct: HistoryStore,
  ) => Promise<void>,
): Promise<number> {
  const [database, clean] = [await freshDatabase(server!), await freshDatabase(server!)]
  const proxy = await cuttingProxy(database)
  const direct = await openAt(database)
  const behind = await openAt(proxy.url)
  await use(proxy, behind, direct)
  const to = await endOf(direct)
  await behind.close()
  await direct.close()
  await proxy.close()
  const other = await openAt(clean)
  const leadership = await other.lead()
  for (let from = 1; from <= to; from += 200)
    await other.commitBlocks(leadership, blocksOf(chain, from, Math.min(from + 199, to)))
  await other.close()
  assert.ok((await contentsOf(database)) === (await contentsOf(clean)), 'contents differ')
  return to
}

describe.skipIf(server === undefined)('a PostgreSQL connection that is cut', () => {
  test(`at a byte of a commit or of its answer, ${32 * ROUNDS} times, leaves the commit done or not done`, async () => {
    const random = dice(SEED)
    const cuts: Cut[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let after = 0; after <= COMMIT.length; after += 1) cuts.push({ of: 'packet', after })
      for (let after = 0; after <= ANSWER_BYTES; after += 1) cuts.push({ of: 'answer', after })
    }
    const outcomes = { done: 0, 'not done': 0 }
    const blocks = await disturbed(async (proxy, behind, direct) => {
      for (const cut of cuts) {
        const leadership = await leadSoon(behind)
        const before = await endOf(direct)
        const batch = blocksOf(chain, before + 1, before + 1 + Math.floor(random() * 5))
        const cutting = proxy.cut(cut)
        const committed = await behind.commitBlocks(leadership, batch).catch((error: unknown) => {
          requireCut(error)
          return undefined
        })
        await cutting
        await leadership.release()
        // The next leader sees the outcome: the session that was cut has ended.
        const next = await leadSoon(behind)
        const after = await endOf(direct)
        const isDone = after === before + batch.length
        assert.ok(isDone || after === before, 'all of it or nothing')
        const arrived = cut.of === 'answer' || cut.after === COMMIT.length
        assert.equal(isDone, arrived, `${cut.of} cut after ${cut.after}`)
        if (committed !== undefined) assert.ok(isDone, 'an acknowledged commit is there')
        const again = await behind.commitBlocks(next, batch)
        assert.equal(again.blocks, isDone ? 0 : batch.length, 'it is kept once')
        outcomes[isDone ? 'done' : 'not done'] += 1
        await next.release()
      }
    })
    assert.ok(outcomes.done > 0 && outcomes['not done'] > 0)
    console.log(
      `${cuts.length} cuts of a commit, seed ${SEED}: ${outcomes.done} done, ${outcomes['not done']} not, ${blocks} blocks; 0 lost, 0 doubled`,
    )
  }, 3_600_000)

  test(`anywhere in a session, ${ANYWHERE} times, loses nothing and duplicates nothing`, async () => {
    const random = dice(SEED + 1)
    let faults = 0
    const blocks = await disturbed(async (proxy, behind, direct) => {
      for (let cut = 0; cut < ANYWHERE; cut += 1) {
        const cutting = proxy.cut({
          of: 'session',
          // Spread over the session, so that some leave time for blocks.
          after: Math.floor(((cut + random()) / ANYWHERE) ** 2 * SESSION_BYTES),
        })
        let isCut = false
        void cutting.then(() => {
          isCut = true
        })
        while (!isCut)
          try {
            const leadership = await behind.lead()
            try {
              let next = (await behind.gaps({ from: 1, to: 1_000_000 }))[0]!.from
              while (!isCut) {
                const to = next + Math.floor(random() * 4)
                await behind.commitBlocks(leadership, blocksOf(chain, next, to))
                assert.ok((await endOf(direct)) >= to, 'an acknowledged commit is there')
                next = to + 1
              }
            } finally {
              await leadership.release()
            }
          } catch (error) {
            requireCut(error)
            faults += 1
            await delay(2)
          }
      }
    })
    assert.ok(faults > 0 && blocks >= ANYWHERE / 2)
    console.log(
      `${ANYWHERE} cuts anywhere, seed ${SEED}: ${faults} uses failed, ${blocks} blocks; 0 lost, 0 doubled`,
    )
  }, 3_600_000)
})
