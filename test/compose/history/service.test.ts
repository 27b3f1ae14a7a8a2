import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { test } from 'vitest'
import type { IndexReport } from '../../../src/compose/history/index-worker.js'
import { servedHistory } from '../../../src/compose/history/service.js'
import { pollFigures } from '../../../src/compose/history/store.js'
import { loadConfig } from '../../../src/config/load.js'
import { temporaryFolder } from '../../support/folder.js'
import { blocksOf, openAt } from '../../support/history.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

test('the served history has the height of an index that another process rebuilds or whose file is replaced', async () => {
  const folder = temporaryFolder('history')
  const database = join(folder, 'history.db')
  const sources = { env: {}, cwd: folder, home: undefined, flags: { database } }
  const config = await loadConfig(sources)
  const store = await openAt(database, { here: true, chainId: config.network.chainId })
  const leadership = await store.lead()
  const history = servedHistory(
    config,
    { ...sources, stdin: process.stdin },
    {
      index: false,
      event: () => {},
      spawn: () => assert.fail('a process that does not index starts no thread'),
    },
  )
  const until = async (height: number | undefined) => {
    while (history.indexed() !== height) await wait(20)
  }
  await store.commitBlocks(leadership, blocksOf(syntheticChain(1), 1, 20))
  await until(20)
  await store.reindex(leadership, { prices: false })
  await until(undefined)
  await store.commitBlocks(leadership, blocksOf(syntheticChain(2), 1, 7))
  await until(7)
  await leadership.release()
  rmSync(database)
  const fresh = await openAt(database, { here: true, chainId: config.network.chainId })
  assert.deepEqual([store.isReplaced(), fresh.isReplaced()], [true, false])
  const next = await fresh.lead()
  await fresh.commitBlocks(next, blocksOf(syntheticChain(3), 1, 3))
  await until(3)
  await next.release()
  await history.close()
  await store.close()
  await fresh.close()
})

test('reads of a database that is down are logged only a few times a second, and a failed round makes the head unknown', async () => {
  const folder = temporaryFolder('history')
  const sources = {
    env: {},
    cwd: folder,
    home: undefined,
    flags: { database: 'postgres://swap@127.0.0.1:1/swap' },
  }
  const events: string[] = []
  const thread = Object.assign(new EventEmitter(), { unref() {}, postMessage() {} })
  const history = servedHistory(
    await loadConfig(sources),
    { ...sources, stdin: process.stdin },
    {
      index: true,
      event: (_, message) => void events.push(message),
      spawn: () => thread as unknown as Worker,
    },
  )
  const window = { page: 1, limit: 1 }
  for (let n = 0; n < 50; n += 1)
    await assert.rejects(history.port.orders({ by: 'latest' }, window), { code: 'NOT_READY' })
  assert.ok(events.length >= 10 && events.length < 40, `${events.length} lines`)
  thread.emit('message', { is: 'progress', newest: 9, left: 2 })
  assert.deepEqual([history.figures().head, history.figures().missing], [9, 2])
  thread.emit('message', { is: 'failed', reason: 'the disk is full' })
  assert.deepEqual([history.figures().head, history.figures().missing], [undefined, undefined])
  const closing = history.close()
  thread.emit('exit')
  await closing
})

test('the log names the process that fills the history where it is known, and each failure once with the next step', async () => {
  const sources = {
    env: {},
    cwd: temporaryFolder('history'),
    home: undefined,
    flags: { database: 'postgres://swap@127.0.0.1:1/swap' },
  }
  const events: unknown[] = []
  const thread = Object.assign(new EventEmitter(), { unref() {}, postMessage() {} })
  const history = servedHistory(
    await loadConfig(sources),
    { ...sources, stdin: process.stdin },
    {
      index: true,
      event: (_, ...event) => void events.push(event),
      spawn: () => thread as unknown as Worker,
    },
  )
  const leader = { host: 'db-2', pid: 7 }
  const waiting: IndexReport = { is: 'waiting', leader }
  const unknown: IndexReport = { is: 'waiting', leader: undefined }
  for (const report of [waiting, { is: 'resigned' }, unknown]) thread.emit('message', report)
  const message = 'another process fills the history'
  const disk = { reason: 'the disk is full', hint: 'free some space' }
  const node = { reason: 'the node is gone after 5 ms' }
  for (const failure of [disk, disk, node, { reason: 'the node is gone after 7 ms' }])
    thread.emit('message', { is: 'failed', ...failure })
  thread.emit('message', { is: 'progress', newest: 9, left: 2 })
  thread.emit('message', { is: 'failed', ...disk })
  for (const is of ['waiting', 'failed', 'waiting', 'waiting', 'failed'])
    thread.emit('message', { is, ...(is === 'failed' ? disk : { leader }) })
  assert.deepEqual(events, [
    [message, leader],
    [message, undefined],
    ['the history cannot be filled', disk],
    ['the history cannot be filled', node],
    ['history', { height: 9, missing: 2 }],
    ['the history cannot be filled', disk],
    [message, leader],
    [message, leader],
    ['the history cannot be filled', disk],
  ])
  const closing = history.close()
  thread.emit('exit')
  await closing
})

test('a poll that the closing of its database cuts off reports nothing', async () => {
  let cutOff = (_: Error) => {}
  const reported: string[] = []
  const read = new Promise<undefined>((_, reject) => {
    cutOff = reject
  })
  const stop = pollFigures(
    () => read,
    ({ is }) => reported.push(is),
  )
  stop()
  cutOff(new Error('driver has already been destroyed'))
  await wait(0)
  assert.deepEqual(reported, [])
})
