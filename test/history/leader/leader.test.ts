import assert from 'node:assert/strict'
import { once } from 'node:events'
import { utimesSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { StoreFault } from '../../../src/history/store/fault.js'
import type { HistoryStore } from '../../../src/history/store/swap-row.js'
import {
  blocksOf,
  contentsOf,
  type Ground,
  grounds,
  inFolder,
  openAt,
} from '../../support/history.js'
import { buildChild, type Child, startChild } from '../../support/history-kill.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

const LONG = process.env['SWAP_LONG'] !== undefined
const TIMES = LONG ? 10 : 1
/** Blocks that take longer than a leader may be silent. */
const LAST = 3_000

let child: Awaited<ReturnType<typeof buildChild>>
beforeAll(async () => {
  child = await buildChild()
})
afterAll(() => child.remove())

const chain = syntheticChain(1)

/** Makes a leader that was stopped look as it does to the others some seconds later. */
async function makeSilent(place: string, ground: Ground): Promise<void> {
  if (ground.driver !== undefined) {
    const past = new Date(Date.now() - 11_000)
    utimesSync(`${place}.leader`, past, past)
    return
  }
  const client = new pg.Client({ connectionString: place })
  await client.connect()
  const { rows } = await client.query(
    "select pg_terminate_backend(pid) as ended from pg_stat_activity where application_name = 'swap history leader' and datname = current_database()",
  )
  assert.equal(rows.length, 1, 'one session leads')
  await client.end()
}

describe('one process leads a history', () => {
  test('the second is told who does, reads meanwhile, and leads after the first', async () => {
    await inFolder(async (folder) => {
      for (const ground of await grounds(folder))
        for (let time = 0; time < TIMES; time += 1) {
          const place = await ground.place()
          const first = startChild(child.path, {
            place,
            to: 1_000_000,
            restMs: 20,
            ...(ground.driver && { driver: ground.driver }),
          })
          assert.ok((await first.said('kept')) !== undefined, first.complaints())
          const second = await openAt(place, ground)
          await assert.rejects(second.lead(), (error: StoreFault) => {
            assert.deepEqual([error.code, error.kind], ['BUSY', 'led'])
            assert.match(error.why ?? '', new RegExp(`process ${first.process.pid} on `))
            return true
          })
          assert.equal((await second.leader())?.pid, first.process.pid)
          assert.ok(((await second.state()).done[0]?.to ?? 0) > 0)
          first.process.kill('SIGKILL')
          await first.ended
          const leadership = await leadSoon(() => second.lead())
          assert.equal((await second.leader())?.pid, process.pid)
          await leadership.release()
          await second.close()
        }
    })
  })

  test('what a leader writes after another took over is refused, whole', async () => {
    await inFolder(async (folder) => {
      for (const ground of await grounds(folder)) {
        const place = await ground.place()
        const heir = await openAt(place, ground)
        const stopped = startChild(child.path, {
          place,
          to: 1_000_000,
          restMs: 20,
          ...(ground.driver && { driver: ground.driver }),
        })
        assert.ok((await stopped.said('kept')) !== undefined, stopped.complaints())
        await stopOutside(stopped, heir)
        await makeSilent(place, ground)
        const leadership = await leadSoon(() => heir.lead())
        const next = ((await heir.state()).done[0]?.to ?? 0) + 1
        await heir.commitBlocks(leadership, blocksOf(chain, next, next + 50))
        stopped.process.kill('SIGCONT')
        assert.ok((await stopped.said('fault')) !== undefined, stopped.complaints())
        assert.deepEqual((await heir.state()).done, [{ from: 1, to: next + 50 }])
        await heir.commitBlocks(leadership, blocksOf(chain, next + 51, next + 60))
        // The other asks for the lead again, and goes on where this one ends.
        await leadership.release()
        await stopped.said('leading', 2)
        await stopped.said(`kept ${next + 62}`)
        stopped.process.kill('SIGKILL')
        await stopped.ended
        await heir.close()
        await assertClean(place, ground)
      }
    })
  })

  test('the lead of a store that let go of it writes nothing', async () => {
    await inFolder(async (folder) => {
      for (const ground of await grounds(folder)) {
        const store = await openAt(await ground.place(), ground)
        const old = await store.lead()
        await old.release()
        const now = await store.lead()
        assert.equal(now.epoch, old.epoch + 1)
        await assert.rejects(store.commitBlock(old, chain.block(1)), { kind: 'lost' })
        await assert.rejects(store.reindex(old, { prices: true }), { kind: 'lost' })
        await store.commitBlock(now, chain.block(1))
        await store.close()
      }
    })
  })

  test('hears that it lost the lead when the server ends its session', async () => {
    await inFolder(async (folder) => {
      const ground = (await grounds(folder)).find(({ driver }) => driver === undefined)
      if (ground === undefined) return
      const place = await ground.place()
      const store = await openAt(place, ground)
      const leadership = await store.lead()
      const lost = once(leadership.lost, 'abort')
      await makeSilent(place, ground)
      await lost
      await assert.rejects(store.commitBlock(leadership, chain.block(1)), { kind: 'lost' })
      await store.commitBlock(await leadSoon(() => store.lead()), chain.block(1))
      await store.close()
    })
  })

  test.skipIf(!LONG)(
    'a leader that is stopped is followed within 15 seconds',
    async () => {
      await inFolder(async (folder) => {
        for (const ground of await grounds(folder)) {
          const place = await ground.place()
          const order = {
            place,
            to: LAST,
            restMs: 10,
            ...(ground.driver && { driver: ground.driver }),
          }
          const [a, b, c] = [1, 2, 3].map(() => startChild(child.path, order))
          if (!a || !b || !c) return
          const first = await Promise.race([a, b, c].map((one) => one.said('kept').then(() => one)))
          first.process.kill('SIGSTOP')
          const stopped = performance.now()
          const others = [a, b, c].filter((one) => one !== first)
          await Promise.race(others.map((one) => one.said('kept')))
          const tookMs = performance.now() - stopped
          console.log(`${ground.name}: hand-over after ${(tookMs / 1000).toFixed(1)} s`)
          first.process.kill('SIGCONT')
          for (const one of [a, b, c]) assert.equal(await one.ended, 0, one.complaints())
          assert.ok(tookMs < 15_000)
          const store = await openAt(place, ground)
          assert.deepEqual((await store.state()).done, [{ from: 1, to: LAST }])
          await store.close()
        }
      })
    },
    600_000,
  )
})

/** Stops a leader while it holds no lock of the file: there, only its own end lets go of it. */
async function stopOutside(leader: Child, other: HistoryStore): Promise<void> {
  for (;;) {
    leader.process.kill('SIGSTOP')
    const free = await other.state().catch(() => undefined)
    if (free !== undefined) return
    leader.process.kill('SIGCONT')
  }
}

/** The contents are those of a run that nothing disturbed. */
async function assertClean(place: string, ground: Ground): Promise<void> {
  const store = await openAt(place, ground)
  const [range] = (await store.state()).done
  await store.close()
  const undisturbed = await ground.place()
  const other = await openAt(undisturbed, ground)
  await other.commitBlocks(await other.lead(), blocksOf(chain, 1, range?.to ?? 0))
  await other.close()
  const [left, right] = [
    await contentsOf(place, ground.driver),
    await contentsOf(undisturbed, ground.driver),
  ]
  assert.ok(left === right, ground.name)
}

/** A server needs a moment to see that a session is gone. */
async function leadSoon<T>(lead: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1)
    try {
      return await lead()
    } catch (error) {
      if (attempt === 400) throw error
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
}
