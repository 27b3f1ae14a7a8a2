import assert from 'node:assert/strict'
import { once } from 'node:events'
import pg from 'pg'
import { afterEach, test, vi } from 'vitest'
import { cuttingProxy } from '../../support/cutting-proxy.js'
import { forgetMigration, openAt } from '../../support/history.js'
import { freshDatabase, testPostgres } from '../../support/postgres.js'

const server = await testPostgres()

afterEach(() => void vi.useRealTimers())

/** Passes so many seconds of the timers, whatever they wait for. */
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000)

const fakeTimers = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })

test.skipIf(server === undefined)(
  'reads that a silent server does not answer end after seconds, and later ones use new connections',
  async () => {
    const proxy = await cuttingProxy(await freshDatabase(server!))
    const store = await openAt(proxy.url)
    const reads = () => Array.from({ length: 8 }, () => store.state())
    await Promise.all(reads())
    fakeTimers()
    proxy.silence()
    const unanswered = Promise.allSettled(reads())
    await pass(4)
    for (const read of await unanswered) {
      assert.ok(read.status === 'rejected')
      assert.equal(read.reason.code, 'NOT_READY')
    }
    vi.useRealTimers()
    await Promise.all(reads())
    await store.close()
    await proxy.close()
  },
)

test.skipIf(server === undefined)('a leader whose server is silent loses the lead', async () => {
  const proxy = await cuttingProxy(await freshDatabase(server!))
  const store = await openAt(proxy.url)
  fakeTimers()
  const leadership = await store.lead()
  proxy.silence()
  const lost = once(leadership.lost, 'abort')
  await pass(70)
  await lost
  await leadership.release()
  vi.useRealTimers()
  await (await store.lead()).release()
  await store.close()
  await proxy.close()
})

test.skipIf(server === undefined)(
  'a store whose database was created anew is to be opened again, which creates its tables',
  async () => {
    const url = await freshDatabase(server!)
    const store = await openAt(url)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('drop schema public cascade')
    await client.query('create schema public')
    await client.end()
    assert.equal(store.isReplaced(), false)
    await assert.rejects(store.state(), { code: 'NOT_READY', kind: 'down' })
    assert.equal(store.isReplaced(), true)
    const again = await openAt(url)
    assert.equal((await again.state()).swaps, 0)
    await store.close()
    await again.close()
  },
)

test.skipIf(server === undefined)('two schemas of one database have an index each', async () => {
  const url = await freshDatabase(server!)
  const first = await openAt(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create schema "Second"')
  const inSecond = new URL(url)
  inSecond.searchParams.set('options', '-c search_path="Second"')
  const second = await openAt(inSecond.href)
  const leaderships = [await first.lead(), await second.lead()]
  const { rows } = await client.query(
    "select schemaname from pg_tables where tablename = 'store' order by 1",
  )
  assert.deepEqual(rows, [{ schemaname: 'Second' }, { schemaname: 'public' }])
  for (const leadership of leaderships) await leadership.release()
  for (const each of [first, second]) await each.close()
  await (await openAt(inSecond.href)).close()
  await client.query('drop schema "Second" cascade')
  await assert.rejects(openAt(inSecond.href), { code: 'NOT_READY' })
  await client.end()
})

test.skipIf(server === undefined)(
  'a migration has minutes for a statement, where a read has seconds',
  async () => {
    const url = await freshDatabase(server!)
    await (await openAt(url)).close()
    await forgetMigration(url, '0004-empty-orders')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create table seen (time_limit text);
      create function see() returns trigger language plpgsql as $$
        begin insert into seen values (current_setting('statement_timeout')); return new; end $$;
      create trigger see before update on tally for each row execute function see();
      insert into tally (scope, name, swaps) values ('orders', '', 0)`)
    await (await openAt(url)).close()
    const { rows } = await client.query('select time_limit from seen')
    await client.end()
    assert.deepEqual(rows, [{ time_limit: '10min' }])
  },
)

test.skipIf(server === undefined)(
  'a user who may not create tables is refused with the right that is missing',
  async () => {
    const url = await freshDatabase(server!)
    const role = `reader_${process.pid}`
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('revoke create on schema public from public')
    await client.query(`create role ${role} login password 'x'`)
    const asReader = new URL(url)
    asReader.username = role
    asReader.password = 'x'
    await assert.rejects(openAt(asReader.href), { code: 'NOT_READY', hint: /grant it CREATE/ })
    await client.query(`drop role ${role}`)
    await client.end()
  },
)

test.skipIf(server === undefined)(
  'a database that takes no writes is refused with the server to name instead',
  async () => {
    const url = new URL(await freshDatabase(server!))
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    await assert.rejects(openAt(url.href), { code: 'NOT_READY', hint: /the primary server/ })
  },
)
