import assert from 'node:assert/strict'
import { once } from 'node:events'
import { utimesSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { StoreFault } from '../../../src/history/store/fault.js'
import type { HistoryStore } from '../../../src/history/store/history-store.js'
import {
  blocksOf,
  contentsOf,
  type DatabaseKind,
  databaseKinds,
  inFolder,
  openAt,
} from '../../support/history.js'
import { buildChild, type Child, startChild } from '../../support/history-kill.js'
import { longTest } from '../../support/long.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

const LONG = process.env['SWAP_LONG'] !== undefined
const TIMES = LONG ? 10 : 1
/** Blocks that take longer than the time after which a silent leader is replaced. */
const LAST = 3_000

let child: Awaited<ReturnType<typeof buildChild>>
beforeAll(async () => {
  child = await buildChild()
})
afterAll(() => child.remove())

const chain = syntheticChain(1)

/** Ages the record of a stopped leader by some seconds, as the other processes see it. */
async function makeSilent(database: string, kind: DatabaseKind): Promise<void> {
  if (kind.driver !== undefined) {
    const past = new Date(Date.now() - 11_000)
    utimesSync(`${database}.leader`, past, past)
    return
  }
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const { rows } = await client.query(
    "select pg_terminate_backend(pid) as ended from pg_stat_activity where application_name = 'swap history leader' and datname = current_database()",
  )
  assert.equal(rows.length, 1, 'one session leads')
  await client.end()
}

describe('the leader of a history', () => {
  longTest('is named to a second process, which reads meanwhile and leads afterwards', async () => {
    await inFolder(async (folder) => {
      for (const kind of await databaseKinds(folder))
        for (let time = 0; time < TIMES; time += 1) {
          const database = await kind.newDatabase()
          const first = startChild(child.path, {
            database,
            to: 1_000_000,
            restMs: 20,
            ...(kind.driver && { driver: kind.driver }),
          })
          assert.ok((await first.nextLine('kept')) !== undefined, first.complaints())
          const second = await openAt(database, kind)
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

  test('is refused every write after another process took over', async () => {
    await inFolder(async (folder) => {
      for (const kind of await databaseKinds(folder)) {
        const database = await kind.newDatabase()
        const successor = await openAt(database, kind)
        const stopped = startChild(child.path, {
          database,
          to: 1_000_000,
          restMs: 20,
          ...(kind.driver && { driver: kind.driver }),
        })
        assert.ok((await stopped.nextLine('kept')) !== undefined, stopped.complaints())
        await stopOutside(stopped, successor)
        await makeSilent(database, kind)
        const leadership = await leadSoon(() => successor.lead())
        const next = ((await successor.state()).done[0]?.to ?? 0) + 1
        await successor.commitBlocks(leadership, blocksOf(chain, next, next + 50))
        stopped.process.kill('SIGCONT')
        assert.ok((await stopped.nextLine('fault')) !== undefined, stopped.complaints())
        assert.deepEqual((await successor.state()).done, [{ from: 1, to: next + 50 }])
        await successor.commitBlocks(leadership, blocksOf(chain, next + 51, next + 60))
        // The other process requests the lead again, and continues where this one ends.
        await leadership.release()
        await stopped.nextLine('leading', 2)
        await stopped.nextLine(`kept ${next + 62}`)
        stopped.process.kill('SIGKILL')
        await stopped.ended
        await successor.close()
        await assertClean(database, kind)
      }
    })
  })

  test('writes nothing after its store released the lead', async () => {
    await inFolder(async (folder) => {
      for (const kind of await databaseKinds(folder)) {
        const store = await openAt(await kind.newDatabase(), kind)
        const old = await store.lead()
        await old.release()
        const now = await store.lead()
        assert.equal(now.epoch, old.epoch + 1)
        await assert.rejects(store.commitBlocks(old, [chain.block(1)]), { kind: 'lost' })
        await assert.rejects(store.reindex(old, { prices: true }), { kind: 'lost' })
        await store.commitBlocks(now, [chain.block(1)])
        await store.close()
      }
    })
  })

  longTest('is notified when the server ends its session', async () => {
    await inFolder(async (folder) => {
      const kind = (await databaseKinds(folder)).find(({ driver }) => driver === undefined)
      if (kind === undefined) return
      const database = await kind.newDatabase()
      const store = await openAt(database, kind)
      const leadership = await store.lead()
      const lost = once(leadership.lost, 'abort')
      await makeSilent(database, kind)
      await lost
      await assert.rejects(store.commitBlocks(leadership, [chain.block(1)]), { kind: 'lost' })
      await store.commitBlocks(await leadSoon(() => store.lead()), [chain.block(1)])
      await store.close()
    })
  })

  test.skipIf(!LONG)(
    'is replaced if it is stopped',
    async () => {
      await inFolder(async (folder) => {
        for (const kind of await databaseKinds(folder)) {
          const database = await kind.newDatabase()
          const order = {
            database,
            to: LAST,
            restMs: 10,
            ...(kind.driver && { driver: kind.driver }),
          }
          const [a, b, c] = [1, 2, 3].map(() => startChild(child.path, order))
          if (!a || !b || !c) return
          const first = await Promise.race(
            [a, b, c].map((one) => one.nextLine('kept').then(() => one)),
          )
          first.process.kill('SIGSTOP')
          const stopped = performance.now()
          const others = [a, b, c].filter((one) => one !== first)
          await Promise.race(others.map((one) => one.nextLine('kept')))
          const tookMs = performance.now() - stopped
          console.log(`${kind.name}: hand-over after ${(tookMs / 1000).toFixed(1)} s`)
          first.process.kill('SIGCONT')
          for (const one of [a, b, c]) assert.equal(await one.ended, 0, one.complaints())
          const store = await openAt(database, kind)
          assert.deepEqual((await store.state()).done, [{ from: 1, to: LAST }])
          await store.close()
        }
      })
    },
    1_800_000,
  )
})

/** Stops a leader while it holds no lock of the file: a lock would be released only by its end. */
async function stopOutside(leader: Child, other: HistoryStore): Promise<void> {
  for (;;) {
    leader.process.kill('SIGSTOP')
    const free = await other.state().catch(() => undefined)
    if (free !== undefined) return
    leader.process.kill('SIGCONT')
  }
}

/** The contents equal those of an undisturbed run. */
async function assertClean(database: string, kind: DatabaseKind): Promise<void> {
  const store = await openAt(database, kind)
  const [range] = (await store.state()).done
  await store.close()
  const undisturbed = await kind.newDatabase()
  const other = await openAt(undisturbed, kind)
  await other.commitBlocks(await other.lead(), blocksOf(chain, 1, range?.to ?? 0))
  await other.close()
  const [left, right] = [
    await contentsOf(database, kind.driver),
    await contentsOf(undisturbed, kind.driver),
  ]
  assert.ok(left === right, kind.name)
}

/** A server takes a moment to detect that a session ended. */
async function leadSoon<T>(lead: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1)
    try {
      return await lead()
    } catch (error) {
      if (attempt === 400) throw error
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
}
