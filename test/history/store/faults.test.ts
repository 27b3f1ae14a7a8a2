import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, test } from 'vitest'
import type { StoreFault } from '../../../src/history/store/fault.js'
import { postgresFault } from '../../../src/history/store/postgres/postgres-fault.js'
import { openThread } from '../../../src/history/store/sqlite/connection.js'
import { openSqlite } from '../../../src/history/store/sqlite/open-sqlite.js'
import { sqliteFault } from '../../../src/history/store/sqlite/sqlite-fault.js'
import { writeIdentity } from '../../../src/platform/lock-file.js'
import {
  blocksOf,
  contentsOf,
  type DatabaseKind,
  databaseKinds,
  fileDrivers,
  inFolder,
  openAt,
} from '../../support/history.js'
import { LONG, longTest } from '../../support/long.js'
import { freshDatabase, testPostgres } from '../../support/postgres.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

const chain = syntheticChain(1)

/** The databases in files only. */
const onFiles = async (folder: string): Promise<readonly DatabaseKind[]> =>
  (await databaseKinds(folder)).filter(({ driver }) => driver !== undefined)

/** The longest time that this thread's timers were delayed meanwhile, in milliseconds. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now()
  let longest = 0
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 5)
  await work()
  clearInterval(timer)
  return longest
}

describe('a locked database', () => {
  longTest('is BUSY after two seconds, in which the thread is not blocked', async () => {
    await inFolder(async (folder) => {
      for (const driver of fileDrivers) {
        const database = join(folder, `${driver}.db`)
        const store = await openAt(database, { driver })
        const leadership = await store.lead()
        await store.commitBlocks(leadership, [chain.block(1)])
        const release = await lock(database, driver)
        const stallMs = await longestStall(() =>
          assert.rejects(store.commitBlocks(leadership, [chain.block(2)]), {
            code: 'BUSY',
            kind: 'locked',
          }),
        )
        assert.ok(stallMs < 1_000, `${driver}: this thread stood still for ${stallMs} ms`)
        if (driver === 'native') assert.equal((await store.state()).done[0]?.to, 1)
        await release()
        assert.equal((await store.commitBlocks(leadership, [chain.block(2)])).blocks, 1)
        await store.close()
      }
    })
  })

  test('locked by the other driver is refused with the name of the process', async () => {
    await inFolder(async (folder) => {
      const database = join(folder, 'both.db')
      const store = await openAt(database, { driver: 'wasm' })
      const own = join(`${database}.open`, 'native-x-1-1')
      writeIdentity(own)
      await assert.rejects(openAt(database, { driver: 'wasm' }), (error: StoreFault) => {
        assert.equal(error.code, 'BUSY')
        assert.match(error.why ?? '', new RegExp(`process ${process.pid} `))
        return true
      })
      rmSync(own)
      await (await openAt(database, { driver: 'wasm' })).close()
      await store.close()
    })
  })
})

/** Locks the file as another program would. @returns the function that releases it */
async function lock(database: string, driver: 'native' | 'wasm'): Promise<() => Promise<void>> {
  if (driver === 'wasm') {
    writeIdentity(`${database}.holder`)
    return async () => rmSync(`${database}.holder`)
  }
  const other = await openThread({ path: database, driver, own: '' })
  await other.ask('begin immediate', [])
  return async () => {
    await other.ask('rollback', [])
    await other.close()
  }
}

/** Whether a small disk can be made on this machine. */
function smallDisk(folder: string): boolean {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder])
  if (status !== 0) process.stderr.write('\n!! NOT TESTED ON A FULL DISK: nothing can be mounted\n')
  return status === 0
}

describe('a full disk', () => {
  test('stops the index before the block that does not fit, and lets it continue when there is space', async () => {
    await inFolder(async (folder) => {
      if (!smallDisk(folder)) return
      try {
        for (const kind of await onFiles(folder)) {
          const database = await kind.newDatabase()
          const store = await openAt(database, kind)
          const leadership = await store.lead()
          await store.commitBlocks(leadership, [chain.block(1)])
          writeFileSync(join(folder, 'filler'), Buffer.alloc(3_400_000))
          let next = 2
          await assert.rejects(
            async () => {
              for (; next < 2_000; next += 20)
                await store.commitBlocks(leadership, blocksOf(chain, next, next + 19))
            },
            { code: 'NOT_READY', kind: 'full' },
          )
          assert.deepEqual((await store.state()).done, [{ from: 1, to: next - 1 }])
          assert.ok((await store.page({ by: 'latest' }, { page: 1, limit: 5 })).items.length > 0)
          rmSync(join(folder, 'filler'))
          await store.commitBlocks(leadership, blocksOf(chain, next, next + 19))
          await store.close()
          const contents = await contentsOf(database, kind.driver)
          rmSync(database)
          await inFolder(async (otherFolder) => {
            const clean = join(otherFolder, 'clean.db')
            const other = await openAt(clean, kind)
            await other.commitBlocks(await other.lead(), blocksOf(chain, 1, next + 19))
            await other.close()
            assert.ok(contents === (await contentsOf(clean, kind.driver)), kind.name)
          })
        }
      } finally {
        spawnSync('umount', [folder])
      }
    })
  })
})

describe('an unusable database', () => {
  test('is refused when it is damaged, and left unchanged', async () => {
    await inFolder(async (folder) => {
      for (const kind of await onFiles(folder)) {
        const database = await kind.newDatabase()
        const store = await openAt(database, kind)
        await store.commitBlocks(await store.lead(), blocksOf(chain, 1, 50))
        await store.close()
        const validFile = readFileSync(database)
        for (const at of [0, 4_096]) {
          const damaged = Buffer.from(validFile)
          damaged.fill(0xa5, at, at === 0 ? 100 : damaged.length)
          writeFileSync(database, damaged)
          await assert.rejects(
            async () => {
              const opened = await openAt(database, kind)
              try {
                await opened.page({ by: 'latest' }, { page: 1, limit: 100 })
              } finally {
                await opened.close()
              }
            },
            { code: 'NOT_READY', kind: 'corrupt', hint: /move the file away/ },
          )
          assert.ok(damaged.equals(readFileSync(database)))
        }
      }
    })
  })

  test('is refused when it is of another chain, or of a newer version', async () => {
    await inFolder(async (folder) => {
      for (const kind of await databaseKinds(folder)) {
        const path = await kind.newDatabase()
        await (await openAt(path, kind)).close()
        await assert.rejects(openAt(path, { driver: kind.driver, chainId: 'other-1' }), {
          code: 'INVALID_REQUEST',
          kind: 'foreign',
          message: /synthetic-1, not of other-1/,
        })
        if (kind.driver === undefined) continue
        const database = await openSqlite(path, kind)
        await sql`insert into kysely_migration values ('9999-later', '2999-01-01T00:00:00.000Z')`.execute(
          database.reads,
        )
        await database.close()
        await assert.rejects(openAt(path, kind), {
          code: 'INVALID_REQUEST',
          kind: 'newer',
          why: /9999-later/,
        })
      }
    })
  })

  test('is NOT_READY when it cannot be reached, without its password in the error', async () => {
    for (const database of [
      'postgres://swap:s3cr%40t@127.0.0.1:1/history',
      '/proc/nowhere/history.db',
    ])
      await assert.rejects(openAt(database), (error: StoreFault) => {
        assert.equal(error.code, 'NOT_READY')
        const text = `${error.message} ${error.why} ${error.hint} ${error.stack}`
        assert.doesNotMatch(text, /s3cr/)
        return true
      })
  })
  test('is OVERLOADED where the process can open no further file', () => {
    const error = new Error("EMFILE: too many open files, open '/x.db.holder'")
    const url = 'postgres://swap@db.example/history'
    for (const fault of [sqliteFault('/x.db', error), postgresFault(url, error)])
      assert.equal(fault?.code, 'OVERLOADED')
  })
  const untrusted = [
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'],
    ['CERT_HAS_EXPIRED', 'certificate has expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames: -"],
  ] as const
  for (const [code, message] of untrusted)
    test(`is NOT_READY when its certificate is refused: ${code}`, () => {
      const error = Object.assign(new Error(message), { code })
      const fault = postgresFault('postgres://swap@db.example/history?sslmode=verify-full', error)
      assert.equal(fault?.kind, 'down')
      assert.match(fault?.why ?? '', /certificate/)
    })

  test('asks for a password where none is given', () => {
    const error = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')
    const fault = postgresFault('postgres://swap@db.example/history', error)
    assert.equal(fault?.why, 'postgres://swap@db.example/history: the server asks for a password')
    assert.match(fault?.hint ?? '', /PGPASSWORD/)
  })
})

describe.runIf(LONG)('a PostgreSQL server', () => {
  longTest('that restarts during indexing loses no block and duplicates none', async () => {
    const server = await testPostgres()
    if (server?.restart === undefined) return
    const [database, clean] = [await freshDatabase(server), await freshDatabase(server)]
    const store = await openAt(database)
    let [leadership, restarts, faults] = [await store.lead(), 0, 0]
    for (let height = 1; height <= 80; height += 5) {
      const pending = store.commitBlocks(leadership, blocksOf(chain, height, height + 4))
      if (height % 40 === 1) {
        server.restart()
        restarts += 1
      }
      try {
        await pending
      } catch (error) {
        assert.match((error as StoreFault).kind, /down|lost/)
        faults += 1
        await leadership.release()
        leadership = await store.lead()
        // It is unknown whether the block was committed: it is written again.
        await store.commitBlocks(leadership, blocksOf(chain, height, height + 4))
      }
    }
    assert.ok(restarts === 2 && faults > 0)
    await store.close()
    const other = await openAt(clean)
    await other.commitBlocks(await other.lead(), blocksOf(chain, 1, 80))
    await other.close()
    assert.ok((await contentsOf(database)) === (await contentsOf(clean)))
  })

  longTest('that is too slow is OVERLOADED within seconds', async () => {
    const server = await testPostgres()
    if (server === undefined) return
    const database = await freshDatabase(server)
    const store = await openAt(database)
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    await client.query('begin; lock table swap in access exclusive mode')
    const start = performance.now()
    // More than there are connections: some wait for a statement, the others for a connection.
    const reads = Array.from({ length: 12 }, () =>
      store.page({ by: 'transaction', txHash: 'AB'.repeat(32) }, { page: 1, limit: 1 }),
    )
    for (const read of await Promise.allSettled(reads))
      assert.equal(read.status === 'rejected' && read.reason.code, 'OVERLOADED')
    assert.ok(performance.now() - start < 6_000)
    await client.end()
    assert.equal((await store.page({ by: 'latest' }, { page: 1, limit: 1 })).total, 0)
    await store.close()
  })
})
