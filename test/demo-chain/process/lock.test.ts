import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { filesIn } from '../../../src/demo-chain/process/files.js'
import { lockChain, writeRecord } from '../../../src/demo-chain/process/record.js'
import { resetChain, stopProcess } from '../../../src/demo-chain/process/run.js'
import { SwapError } from '../../../src/engine/errors.js'
import { thisProcess } from '../../../src/platform/process-identity.js'
import { temporaryFolder } from '../../support/folder.js'

const root = temporaryFolder('lock')

describe('the lock of a demo chain', () => {
  test('is refused as BUSY with the process that holds it', async () => {
    const path = join(root, 'held', 'lock')
    const lock = await lockChain(path)
    await assert.rejects(
      lockChain(path, 0),
      (error: unknown) =>
        error instanceof SwapError &&
        error.code === 'BUSY' &&
        error.message.includes(`process ${process.pid}`) &&
        error.members['pid'] === process.pid,
    )
    lock.release()
    assert.equal(existsSync(path), false)
  })

  test('is refused as BUSY without a process while its file is empty', async () => {
    const path = join(root, 'empty')
    writeFileSync(path, '')
    await assert.rejects(
      lockChain(path, 0),
      (error: unknown) => error instanceof SwapError && error.members['pid'] === null,
    )
  })

  test('is taken over within seconds where its file names no process', async () => {
    for (const text of ['', '{', 'null', '{"pid":0,"host":"h"}']) {
      const path = join(root, `cut-${text.length}`)
      writeFileSync(path, text)
      const before = Date.now() / 1_000 - 2
      utimesSync(path, before, before)
      const lock = await lockChain(path, 0)
      assert.equal(JSON.parse(readFileSync(path, 'utf8')).pid, process.pid)
      lock.release()
    }
  })
})

describe.each([
  ['stop', stopProcess],
  ['reset', resetChain],
] as const)('the %s of a demo chain', (name, end) => {
  test('ends a process that has the lock, and no record yet', async () => {
    const places = filesIn(join(root, name))
    const lock = await lockChain(places.lock)
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    child.once('exit', () => lock.release())
    const exited = once(child, 'exit')
    await once(child, 'spawn')
    const pid = child.pid!
    const ending = end(places)
    const [rpc, rest] = ['http://127.0.0.1:1', 'http://127.0.0.1:2']
    writeRecord(places, { ...thisProcess(), pid, startTime: '', rpc, rest, since: '' })
    assert.equal((await ending).pid, pid)
    assert.deepEqual(await exited, [null, 'SIGTERM'])
  })
})
