import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { sql } from 'kysely'
import { test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { type IndexReport, indexFor } from '../../../src/compose/history/index-worker.js'
import { openHistory } from '../../../src/history/store/open.js'
import { openPostgres } from '../../../src/history/store/postgres/open-postgres.js'
import { faultyNode } from '../../chain/rpc/stage.js'
import { chainOf, threePairs } from '../../support/chain.js'
import { freshDatabase, testPostgres } from '../../support/postgres.js'

const server = await testPostgres()

test.skipIf(!server)(
  'a database without a table is not opened again and again without a pause',
  async () => {
    const { rpc, rest } = await faultyNode(chainOf({}, threePairs))
    const database = await freshDatabase(server!)
    const place = { database, chainId: demo.chainId, decoder: 'any' }
    const open = async () => (await openHistory(place)).close()
    await open()
    const altered = await openPostgres(database)
    await altered.alter(async (db) => void (await sql`drop table tally`.execute(db)))
    await altered.close()
    const { port1, port2 } = new MessageChannel()
    const reports = new EventEmitter()
    port1.on('message', (report: IndexReport) => reports.emit(report.is, report))
    let leads = 0
    reports.on('leading', () => void (leads += 1))
    const resigned = once(reports, 'resigned')
    const indexed = { network: { ...demo, rpc: [rpc], rest: [rest] }, timeoutMs: 5_000 }
    const ended = indexFor(port2, { place, indexed, from: undefined })
    await resigned
    for (let times = 0; times < 5; times += 1) await open()
    const found = leads
    port1.postMessage('close')
    await ended
    assert.equal(found, 1)
  },
)
