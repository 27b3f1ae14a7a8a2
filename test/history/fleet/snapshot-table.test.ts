import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { afterEach, describe, test } from 'vitest'
import { openSnapshotTable, type SnapshotTable } from '../../../src/history/fleet/snapshot-table.js'
import type { StoreFault } from '../../../src/history/store/fault.js'
import type { HistoryStore } from '../../../src/history/store/history-store.js'
import { ANSWER_BYTES, COMMIT, cuttingProxy } from '../../support/cutting-proxy.js'
import { deferred } from '../../support/deferred.js'
import { CHAIN, openAt } from '../../support/history.js'
import { longTest } from '../../support/long.js'
import { freshDatabase, testPostgres } from '../../support/postgres.js'

const server = await testPostgres()
const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

async function database(): Promise<{ url: string; store: HistoryStore }> {
  const url = await freshDatabase(server!)
  const store = await openAt(url)
  closings.push(() => store.close())
  return { url, store }
}

async function boardAt(url: string, notified = () => {}, chainId = CHAIN): Promise<SnapshotTable> {
  const board = await openSnapshotTable({ url, chainId }, notified)
  closings.push(() => board.close())
  return board
}

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

const document = (height: number): Uint8Array => Buffer.from(`market of ${height}`)
const snapshot = (height: number) => ({ height, document: document(height) })

describe.skipIf(server === undefined)('the snapshot table of a fleet', () => {
  test('is empty before its tables exist, and before any leader', async () => {
    const url = await freshDatabase(server!)
    const early = await boardAt(url)
    assert.deepEqual(await early.status(), { newest: undefined, epoch: undefined })
    assert.equal(await early.newest(), undefined)
    const store = await openAt(url)
    closings.push(() => store.close())
    assert.deepEqual(await early.status(), { newest: undefined, epoch: undefined })
  })

  test('gives every process the publication of a leader, and notifies listeners', async () => {
    const { url, store } = await database()
    const { epoch } = await store.lead()
    const writer = await boardAt(url)
    const { promise: notified, resolve: wake } = deferred()
    const reader = await boardAt(url, () => wake())
    assert.equal(await writer.publish(epoch, snapshot(7)), 'published')
    await notified
    const newest = await reader.newest()
    assert.deepEqual(
      [newest?.height, Buffer.from(newest?.document ?? []).toString()],
      [7, 'market of 7'],
    )
    assert.ok(newest!.ageMs >= 0 && newest!.ageMs < 60_000)
    const status = await reader.status()
    assert.deepEqual([status.newest?.height, status.epoch], [7, epoch])
  })

  test('reports that another process leads', async () => {
    const { url, store } = await database()
    const { epoch } = await store.lead()
    const board = await boardAt(url)
    assert.equal((await board.status()).epoch, epoch)
    await query(url, 'update store set leader_pid = leader_pid + 1')
    assert.equal((await board.status()).epoch, undefined)
    await query(url, "update store set leader_pid = leader_pid - 1, leader_host = 'elsewhere'")
    assert.equal((await board.status()).epoch, undefined)
  })

  test('distinguishes processes of containers with one host name and process number', async () => {
    const { url, store } = await database()
    await store.lead()
    const board = await boardAt(url)
    await query(url, "update store set leader_process = 'that of another container'")
    assert.equal((await board.status()).epoch, undefined)
  })

  test('refuses a replaced leader, and keeps what the new leader published', async () => {
    const { url, store } = await database()
    const first = await store.lead()
    const board = await boardAt(url)
    await board.publish(first.epoch, snapshot(3))
    await first.release()
    const second = await store.lead()
    await board.publish(second.epoch, snapshot(4))
    await assert.rejects(board.publish(first.epoch, snapshot(5)), (error: StoreFault) => {
      assert.deepEqual([error.code, error.kind], ['BUSY', 'lost'])
      return true
    })
    assert.equal((await board.newest())?.height, 4)
    assert.equal(await board.publish(second.epoch, snapshot(5)), 'published')
  })

  test('never returns to a lower height, and never replaces a height', async () => {
    const { url, store } = await database()
    const { epoch } = await store.lead()
    const board = await boardAt(url)
    await board.publish(epoch, snapshot(9))
    for (const height of [9, 8, 1])
      assert.equal(
        await board.publish(epoch, { height, document: Buffer.from('another') }),
        'behind',
      )
    const newest = await board.newest()
    assert.equal(Buffer.from(newest!.document).toString(), 'market of 9')
    const { rows } = await query(url, 'select height from snapshot')
    assert.equal(rows.length, 1)
  })

  test('starts over with a chain that was reset, a minute after the last height of the old one', async () => {
    const { url, store } = await database()
    const { epoch } = await store.lead()
    const board = await boardAt(url)
    await board.publish(epoch, snapshot(900))
    assert.equal(await board.publish(epoch, snapshot(5)), 'behind')
    await query(url, 'update snapshot set published_ms = published_ms - 61000')
    assert.equal(await board.publish(epoch, snapshot(5)), 'published')
    assert.equal((await board.newest())?.height, 5)
  })

  test('keeps the newest eight heights, whatever their distance', async () => {
    const { url, store } = await database()
    const { epoch } = await store.lead()
    const board = await boardAt(url)
    const heights = Array.from({ length: 20 }, (_, i) => 10 + i * i)
    for (const height of heights) await board.publish(epoch, snapshot(height))
    const { rows } = await query(url, 'select height from snapshot order by height')
    assert.deepEqual(
      rows.map(({ height }) => Number(height)),
      heights.slice(-8),
    )
  })

  test('has nothing of another chain', async () => {
    const { url, store } = await database()
    const { epoch } = await store.lead()
    const board = await boardAt(url)
    await board.publish(epoch, snapshot(7))
    const foreign = await boardAt(url, () => {}, 'another-1')
    assert.deepEqual(await foreign.status(), { newest: undefined, epoch: undefined })
    assert.equal(await foreign.newest(), undefined)
  })

  longTest(
    'has a publication once or not at all if its connection is cut at a byte of the commit or of its answer',
    async () => {
      const { url, store } = await database()
      const { epoch } = await store.lead()
      const direct = await boardAt(url)
      const proxy = await cuttingProxy(url)
      closings.push(() => proxy.close())
      let height = 0
      const outcomes = new Map<string, number>()
      for (const [of, bytes] of [
        ['packet', COMMIT.length],
        ['answer', ANSWER_BYTES],
      ] as const)
        for (let after = 0; after <= bytes; after += 1) {
          height += 1
          const board = await boardAt(proxy.url)
          const cutting = proxy.cut({ of, after })
          const published = await board
            .publish(epoch, snapshot(height))
            .catch((error: StoreFault) => {
              assert.equal(error.kind, 'down')
              return undefined
            })
          await cutting
          const arrived = of === 'answer' || after === bytes
          if (published !== undefined) assert.ok(arrived)
          const again = await direct.publish(epoch, snapshot(height))
          assert.equal(again, arrived ? 'behind' : 'published', `${of} cut after ${after}`)
          outcomes.set(again, (outcomes.get(again) ?? 0) + 1)
        }
      assert.equal((await direct.newest())?.height, height)
      assert.deepEqual(
        [...outcomes],
        [
          ['published', COMMIT.length],
          ['behind', ANSWER_BYTES + 2],
        ],
      )
    },
  )

  test('reports a cut connection, and then fails queries', async () => {
    const { url } = await database()
    const board = await boardAt(url)
    const lost = new Promise((resolve) => board.lost.addEventListener('abort', resolve))
    await query(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'swap fleet' and datname = current_database()",
    )
    await lost
    await assert.rejects(board.status(), (error: StoreFault) => error.kind === 'down')
  })
})

/** A server that answers every query with an error, as one in recovery does `listen`. */
async function refusingServer(): Promise<{ url: string; closed: Promise<void> }> {
  const message = (kind: string, body: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(kind), length, body])
  }
  const ready = message('Z', Buffer.from('I'))
  const refusal = message('E', Buffer.from('SERROR\0C25006\0Min recovery\0\0'))
  const { promise: closed, resolve: end } = deferred()
  const listening = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]))
      socket.on('data', (data) => data[0] === 0x51 && socket.write(Buffer.concat([refusal, ready])))
    })
    socket.once('end', end)
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  closings.push(() => listening.close())
  const { port } = listening.address() as AddressInfo
  return { url: `postgres://user@127.0.0.1:${port}/history`, closed }
}

test('a snapshot table at a server that refuses to listen closes its connection', async () => {
  const { url, closed } = await refusingServer()
  await assert.rejects(
    openSnapshotTable({ url, chainId: CHAIN }, () => {}),
    { kind: 'down' },
  )
  await closed
})
