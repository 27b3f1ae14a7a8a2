import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { lockAccount } from '../../../src/execution/journal/lock.js'
import { temporaryFolder } from '../../support/folder.js'

const root = temporaryFolder('lock')
let folders = 0
const place = () => join(root, `${(folders += 1)}`)
const owner = { chainId: 'demo-1', address: 'demo1abc' }

describe('the lock of an account', () => {
  test('is held by one process at a time, and free again after its release', async () => {
    const folder = place()
    const lock = await lockAccount(folder, owner, 0)
    await assert.rejects(lockAccount(folder, owner, 0), { code: 'BUSY' })
    const other = await lockAccount(folder, { ...owner, address: 'demo1other' }, 0)
    const elsewhere = await lockAccount(folder, { ...owner, chainId: 'demo-2' }, 0)
    lock.release()
    const again = await lockAccount(folder, owner, 0)
    for (const each of [again, other, elsewhere]) each.release()
    assert.deepEqual(readdirSync(folder), [])
  })

  test('is lost once its file is removed, or another process has it', async () => {
    for (const change of [
      (path: string) => rmSync(path),
      (path: string) => {
        const mine = JSON.parse(readFileSync(path, 'utf8'))
        writeFileSync(path, JSON.stringify({ ...mine, pid: 1 }))
      },
    ]) {
      const folder = place()
      const lock = await lockAccount(folder, owner, 0)
      assert.equal(lock.isHeld(), true)
      change(join(folder, readdirSync(folder)[0]!))
      assert.equal(lock.isHeld(), false)
      lock.release()
    }
  })

  test('is not held by the call whose file was removed, once another call of its process has it', async () => {
    const folder = place()
    const first = await lockAccount(folder, owner, 0)
    rmSync(join(folder, readdirSync(folder)[0]!))
    const second = await lockAccount(folder, owner, 0)
    assert.deepEqual([first.isHeld(), second.isHeld()], [false, true])
    first.release()
    assert.equal(second.isHeld(), true)
    second.release()
    assert.deepEqual(readdirSync(folder), [])
  })

  test('names the process that holds it, which may be its own', async () => {
    const folder = place()
    const lock = await lockAccount(folder, owner, 0)
    const path = join(folder, readdirSync(folder)[0]!)
    await assert.rejects(lockAccount(folder, owner, 0), {
      message: 'another execution with this account is running',
      why: `process ${process.pid} on ${hostname()} holds demo1abc`,
      hint: 'wait for it, or let this one wait: --lock-wait 30s',
      httpHint: 'wait for it, and call again',
      members: { pid: process.pid, path },
    })
    lock.release()
  })

  test('names no process where its file does not', async () => {
    const folder = place()
    const lock = await lockAccount(folder, owner, 0)
    const path = join(folder, readdirSync(folder)[0]!)
    writeFileSync(path, '')
    await assert.rejects(lockAccount(folder, owner, 0), {
      code: 'BUSY',
      why: 'an unknown process holds demo1abc',
      members: { path },
    })
    lock.release()
  })

  test('is waited for with --lock-wait', async () => {
    const folder = place()
    const lock = await lockAccount(folder, owner, 0)
    const waiting = lockAccount(folder, owner, 10_000)
    lock.release()
    ;(await waiting).release()
  })

  test('of a process that was killed is taken over', async () => {
    const folder = place()
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    const lock = await lockAccount(folder, owner, 0)
    const [name = ''] = readdirSync(folder)
    const mine = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    lock.release()
    writeFileSync(join(folder, name), JSON.stringify({ ...mine, pid }))
    ;(await lockAccount(folder, owner, 0)).release()
  })

  test('of a process number that now belongs to another process is taken over', async () => {
    const folder = place()
    const sleeper = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
    try {
      const lock = await lockAccount(folder, owner, 0)
      const [name = ''] = readdirSync(folder)
      const mine = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      lock.release()
      writeFileSync(
        join(folder, name),
        JSON.stringify({ ...mine, pid: sleeper.pid, startTime: '1' }),
      )
      if (process.platform === 'linux') (await lockAccount(folder, owner, 0)).release()
    } finally {
      sleeper.kill()
    }
  })

  test('of another machine is taken over after a minute without a change', async () => {
    const folder = place()
    const lock = await lockAccount(folder, owner, 0)
    const [name = ''] = readdirSync(folder)
    const mine = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    lock.release()
    writeFileSync(join(folder, name), JSON.stringify({ ...mine, host: 'elsewhere' }))
    await assert.rejects(lockAccount(folder, owner, 0), { code: 'BUSY' })
    const past = new Date(Date.now() - 120_000)
    utimesSync(join(folder, name), past, past)
    ;(await lockAccount(folder, owner, 0)).release()
  })

  test('that was cut off by a power failure is taken over after a minute without a change', async () => {
    const folder = place()
    const lock = await lockAccount(folder, owner, 0)
    const [name = ''] = readdirSync(folder)
    lock.release()
    for (const text of ['', '{"pid":', 'nonsense']) {
      writeFileSync(join(folder, name), text)
      // Where a file system has no links, a lock is empty for a moment before it is filled.
      await assert.rejects(lockAccount(folder, owner, 0), { code: 'BUSY' })
      const past = new Date(Date.now() - 120_000)
      utimesSync(join(folder, name), past, past)
      ;(await lockAccount(folder, owner, 0)).release()
    }
  })

  test('that cannot be written is reported as such', async () => {
    const folder = place()
    writeFileSync(folder, 'in the way')
    await assert.rejects(lockAccount(folder, owner, 0), { code: 'NOT_READY' })
  })

  test('of a dead process is taken over by exactly one of many processes', async () => {
    const folder = place()
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    for (let round = 0; round < 20; round += 1) {
      const lock = await lockAccount(folder, owner, 0)
      const [name = ''] = readdirSync(folder)
      const mine = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      lock.release()
      writeFileSync(join(folder, name), JSON.stringify({ ...mine, pid }))
      const all = await Promise.allSettled(
        Array.from({ length: 8 }, () => lockAccount(folder, owner, 0)),
      )
      const held = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      assert.equal(held.length, 1)
      held[0]!.release()
    }
  })
})
