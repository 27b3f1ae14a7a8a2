import assert from 'node:assert/strict'
import { Worker } from 'node:worker_threads'
import { test } from 'vitest'
import { graphOf } from '../../../src/engine/routing/graph.js'
import type { Contracts } from '../../../src/operations/chain-port.js'
import type { ServedMarket } from '../../../src/service/feed/market-feed.js'
import { poolOf } from '../../../src/service/workers/worker-pool.js'
import { closing } from '../../support/closing.js'
import { deferred } from '../../support/deferred.js'
import { smallMarket } from '../../support/small-market.js'

const market = smallMarket({ 'a/b': {} }, { dialect: 'forward' })
const context = { openMarket: async () => ({ market, graph: graphOf(market) }) }
const served: ServedMarket = {
  view: { market, graph: graphOf(market) },
  height: 1,
  digest: '',
  inline: context,
  patient: context,
}

/** A thread that queries contracts before it answers `queries`, and never answers anything else. */
const THREAD = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ id, operation, answers }) => {
    if (answers !== undefined) parentPort.postMessage({ id, text: 'answered' })
    else if (operation === 'queries')
      parentPort.postMessage({ id, ask: 0, at: 1, method: 'simulations', questions: [] })
  })`

test('a request that waits for the chain is computed by another thread when its own is terminated', async () => {
  let threads = 0
  const spawn = () => {
    threads += 1
    return new Worker(THREAD, { eval: true })
  }
  const pool = closing(poolOf({ threads: 1, queue: 2, spawn }))
  const contracts = { simulations: async () => [] } as unknown as Contracts
  const { promise: hasQueried, resolve: queried } = deferred()
  const waiting = pool.run({
    operation: 'queries',
    request: {},
    served,
    deadline: 200_000,
    contracts: async () => {
      queried()
      // The first thread gets no answer.
      return threads === 1 ? new Promise<Contracts>(() => {}) : contracts
    },
  })
  await hasQueried
  const endless = pool.run({ operation: 'endless', request: {}, served, deadline: 1 })
  await assert.rejects(endless, { code: 'OVERLOADED', why: 'there was no time left to answer' })
  assert.equal(await waiting, 'answered')
  assert.equal(threads, 2)
})

test('a request that is computed when the pool closes is refused as one that waits is', async () => {
  const spawn = () => new Worker(THREAD, { eval: true })
  const pool = poolOf({ threads: 1, queue: 2, spawn })
  const jobs = [1, 2].map(() =>
    pool.run({ operation: 'endless', request: {}, served, deadline: 200_000 }),
  )
  const refused = { code: 'OVERLOADED', why: 'it is closing' }
  const refusals = jobs.map((job) => assert.rejects(job, refused))
  await pool.close()
  await Promise.all(refusals)
})
