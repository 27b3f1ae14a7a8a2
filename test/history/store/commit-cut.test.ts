import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { StoreFault } from '../../../src/history/store/fault.js'
import type { HistoryStore, Leadership } from '../../../src/history/store/swap-row.js'
import { ANSWER_BYTES, COMMIT, type Cut, cuttingProxy } from '../../support/cutting-proxy.js'
import { dice } from '../../support/dice.js'
import { blocksOf, contentsOf, openAt } from '../../support/history.js'
import { freshDatabase, testPostgres } from '../../support/postgres.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

/** How often each byte of the packet that commits, and of the answer to it, is the last; 32 of them. */
const ROUNDS = process.env['SWAP_LONG'] ? 4 : 1
/** Cuts anywhere in a session. */
const ANYWHERE = process.env['SWAP_LONG'] ? 100 : 10
const SEED = Number(process.env['SWAP_SEED'] ?? Date.now() % 1_000_000)
/** Bytes of a client that leads and keeps a few blocks, or more. */
const SESSION_BYTES = 40_000
const server = await testPostgres()
const chain = syntheticChain(SEED)

/** A server needs a moment to see that a session is gone; until then its lead is not free. */
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

/** Runs with a store behind the proxy, and another that is not; the contents are those of a clean run. */
async function disturbed(
  use: (
    proxy: Awaited<ReturnType<typeof cuttingProxy>>,
    behind: HistoryStore,
    direct: HistoryStore,
  ) => Promise<void>,
): Promise<number> {
  const [place, clean] = [await freshDatabase(server!), await freshDatabase(server!)]
  const proxy = await cuttingProxy(place)
  const direct = await openAt(place)
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
  assert.ok((await contentsOf(place)) === (await contentsOf(clean)), 'contents differ')
  return to
}

describe.skipIf(server === undefined)('a connection that is cut', () => {
  test(`${32 * ROUNDS} times at a byte of a commit or of its answer leaves it done or not done`, async () => {
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
        const told = await behind.commitBlocks(leadership, batch).catch((error: unknown) => {
          requireCut(error)
          return undefined
        })
        await cutting
        await leadership.release()
        // Who leads next knows: the session that was cut has ended, and with it what it did.
        const next = await leadSoon(behind)
        const after = await endOf(direct)
        const isDone = after === before + batch.length
        assert.ok(isDone || after === before, 'all of it or nothing')
        const arrived = cut.of === 'answer' || cut.after === COMMIT.length
        assert.equal(isDone, arrived, `${cut.of} cut after ${cut.after}`)
        if (told !== undefined) assert.ok(isDone, 'what was acknowledged is there')
        const again = await behind.commitBlocks(next, batch)
        assert.ok(
          again.every(({ known }) => known === isDone),
          'it is kept once',
        )
        outcomes[isDone ? 'done' : 'not done'] += 1
        await next.release()
      }
    })
    assert.ok(outcomes.done > 0 && outcomes['not done'] > 0)
    console.log(
      `${cuts.length} cuts of a commit, seed ${SEED}: ${outcomes.done} done, ${outcomes['not done']} not, ${blocks} blocks; 0 lost, 0 doubled`,
    )
  }, 3_600_000)

  test(`${ANYWHERE} times anywhere in a session loses nothing and doubles nothing`, async () => {
    const random = dice(SEED + 1)
    let faults = 0
    const blocks = await disturbed(async (proxy, behind, direct) => {
      for (let cut = 0; cut < ANYWHERE; cut += 1) {
        const cutting = proxy.cut({
          of: 'session',
          after: Math.floor(random() ** 2 * SESSION_BYTES),
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
                assert.ok((await endOf(direct)) >= to, 'what was acknowledged is there')
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
