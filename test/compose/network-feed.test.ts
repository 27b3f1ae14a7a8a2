import { Worker } from 'node:worker_threads'
import { test } from 'vitest'
import { demo } from '../../src/chain/networks/demo.js'
import { networkFeed } from '../../src/compose/network-feed.js'
import { closing } from '../support/closing.js'

/** A thread that reports a new block once, and then nothing. */
const thread = () =>
  new Worker(
    `const { parentPort } = require('node:worker_threads')
     parentPort.on('message', ({ id }) => {
       if (id === undefined) return parentPort.close()
       if (id === 1) parentPort.postMessage({ hint: true })
       parentPort.postMessage({ id, same: true })
     })`,
    { eval: true },
  )

test('a process of a fleet looks again within a second after a hint, however long a block takes', async () => {
  const fleet = { table: { url: '', chainId: '' }, mayLead: false, patienceMs: 1 }
  const target = { network: demo, timeoutMs: 1_000, blockTimeMs: 3_600_000, fleet }
  const worker = thread()
  const looked = new Promise<void>((resolve) => {
    worker.on('message', ({ id }) => id === 3 && resolve())
  })
  closing(networkFeed(target, {}, () => worker))
  await looked
})
