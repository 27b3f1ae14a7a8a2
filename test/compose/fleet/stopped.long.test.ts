import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type FaultyNode, openNode } from '../../chain/rpc/stage.js'
import { endAll, type Serving } from '../../service/serving.js'
import { body } from '../../service/stage.js'
import { chainOf, threePairs } from '../../support/chain.js'
import { closingLast } from '../../support/closing.js'
import { freshDatabase, testPostgres } from '../../support/postgres.js'
import { ask, member, registry, soon, truths } from './crew.js'
import { loadAll, nothingFound } from './load.js'

const ROUNDS = Number(process.env['SWAP_KILLS'] ?? 4)
const PROCESSES = 3
const BLOCK_MS = 1_000
/** A leader that is silent for so long has lost its place; it is stopped for longer. */
const LEASE_MS = 10_000
const STOPPED_MS = 13_000
/** Milliseconds until a stopped leader must be replaced: its lease, one poll and a first market. */
const HANDOVER_MS = 60_000
/** Milliseconds for which a resumed process is observed. */
const WATCHED_MS = 2_000

const server = await testPostgres()
const chain = chainOf({ seed: 11 }, threePairs)
const expected = truths(chain)
let node: FaultyNode

beforeAll(async () => {
  node = closingLast(await openNode(chain))
})
afterAll(endAll)

type Row = { readonly height: number; readonly epoch: number }

/** Records every published row and every change of it. */
async function journalOf(database: string) {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query(`
    create table seen (nth bigserial, height bigint, epoch bigint);
    create function see() returns trigger language plpgsql as
      $$ begin insert into seen (height, epoch) values (new.height, new.epoch); return new; end $$;
    create trigger seeing after insert or update on snapshot for each row execute function see();
    create table kept (nth bigserial, first bigint, last bigint, epoch bigint);
    create function keep() returns trigger language plpgsql as
      $$ begin insert into kept (first, last, epoch) select new.first, new.last, epoch from store; return new; end $$;
    create trigger keeping after insert or update on done for each row execute function keep();`)
  return {
    async seen(): Promise<readonly Row[]> {
      const { rows } = await client.query('select height, epoch from seen order by nth')
      return rows.map(({ height, epoch }) => ({ height: Number(height), epoch: Number(epoch) }))
    },
    async done(): Promise<readonly { first: number; last: number }[]> {
      const { rows } = await client.query('select first, last from done order by first')
      return rows.map(({ first, last }) => ({ first: Number(first), last: Number(last) }))
    },
    close: () => client.end(),
  }
}

describe.skipIf(server === undefined)('a leader that is stopped for longer than its lease', () => {
  test(`${ROUNDS} times is replaced, and when it resumes it publishes nothing, writes nothing and serves no older height`, async () => {
    const database = await freshDatabase(server!)
    const processes: Serving[] = []
    for (let i = 0; i < PROCESSES; i += 1) processes.push(await member(database, node))
    const board = await registry(database)
    const blocks = setInterval(() => expected.grow(), BLOCK_MS)
    await soon(async () => (await board.published()).heights.length > 2)
    const journal = await journalOf(database)
    const ending = new AbortController()
    const found = nothingFound()
    const loads = loadAll(processes, expected, found, ending.signal)
    const handovers: number[] = []
    const work = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = await board.published()
        const pid = await board.leader()
        const leader = processes.find(({ child }) => child.pid === pid)
        assert.ok(leader !== undefined, 'one of them leads')
        const answered = await soon(() => ask(leader.url, body()))
        leader.child.kill('SIGSTOP')
        const stopped = performance.now()
        const after = await soon(async () => {
          const now = await board.published()
          return now.epoch > before.epoch && now
        })
        handovers.push(performance.now() - stopped)
        await wait(Math.max(0, STOPPED_MS - (performance.now() - stopped)))
        assert.ok(performance.now() - stopped > LEASE_MS)
        const seen = (await journal.seen()).length
        leader.child.kill('SIGCONT')
        const first = await soon(() => ask(leader.url, body()))
        assert.ok(first.height >= answered.height, 'no served height goes back')
        await wait(WATCHED_MS)
        const since = await soon(async () => {
          const rows = (await journal.seen()).slice(seen)
          return rows.length > 1 && rows
        })
        for (const { epoch } of since) assert.ok(epoch >= after.epoch, 'the old leader published')
        assert.notEqual(await board.leader(), pid, 'and does not lead')
        await soon(async () => ((await ask(leader.url, body()))?.height ?? 0) > answered.height)
      }
    }
    try {
      await Promise.race([work(), Promise.all(loads)])
    } finally {
      ending.abort()
      clearInterval(blocks)
      await Promise.all(loads)
    }
    const rows = await journal.seen()
    for (const [i, { height, epoch }] of rows.entries()) {
      const before = rows[i - 1]
      assert.ok(before === undefined || (height > before.height && epoch >= before.epoch))
    }
    const done = await soon(async () => {
      const runs = await journal.done()
      return runs.length === 1 && runs[0]!.last >= chain.height - 1 && runs
    })
    assert.equal(done[0]!.first, chain.earliest)
    const slowest = Math.max(...handovers)
    console.log(
      `${ROUNDS} leaders stopped for ${STOPPED_MS / 1_000} s: replaced after up to ${Math.round(slowest)} ms; ${rows.length} heights published, none by an old leader; ${found.answers} answers, ${found.compared} compared`,
    )
    assert.ok(slowest <= HANDOVER_MS, `${slowest} ms`)
    await journal.close()
    await board.close()
    for (const each of processes) assert.equal(await each.end(), 0)
  }, 3_600_000)
})
