import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { acquireLock, isAlive, self, tryLock } from '../../../src/demo-chain/process/lock.js'
import { SwapError } from '../../../src/engine/errors.js'

const fresh = (): string => mkdtempSync(join(tmpdir(), 'swap-lock-'))

const racer = (folder: string, how = ''): ChildProcess =>
  spawn(process.execPath, ['--import', 'tsx', 'test/demo-chain/process/racer.ts', folder, how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** A process that holds the lock. */
async function holder(folder: string): Promise<ChildProcess> {
  const child = racer(folder, 'hold')
  assert.ok(child.stdout)
  await once(child.stdout, 'data')
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

describe('a process', () => {
  test('is known by its number and by when it began', () => {
    assert.ok(isAlive(self()))
    assert.equal(self().pid, process.pid)
    if (self().began !== '') assert.equal(isAlive({ ...self(), began: '1' }), false)
    assert.equal(isAlive({ pid: 2 ** 22 + 1, began: '' }), false)
  })
})

describe('the lock', () => {
  test('is one process’s at a time, also when some die while they hold it', async () => {
    const folder = fresh()
    const children = ['', '', 'dies', 'dies'].map((how) => racer(folder, how))
    await Promise.all(children.map((child) => child.stdout && once(child.stdout, 'data')))
    writeFileSync(join(folder, 'go'), '')
    const exits = await Promise.all(children.map((child) => once(child, 'exit')))
    assert.deepEqual(
      exits.map(([code, signal]) => code ?? signal),
      [0, 0, 'SIGKILL', 'SIGKILL'],
    )
    assert.equal(existsSync(join(folder, 'collisions')), false)
    const entries = readFileSync(join(folder, 'entries'), 'utf8').trim().split('\n')
    assert.equal(entries.length, 20 + 20 + 3 + 3)
    // The last one inside may have died there.
    tryLock(join(folder, 'lock'))?.release()
    assert.deepEqual(readdirSync(folder).sort(), ['entries', 'go'])
    // They did compete: the lock went from one to another many times.
    const changes = entries.filter((pid, at) => at > 0 && pid !== entries[at - 1])
    assert.ok(changes.length > 10)
  })

  test('names the process that holds it, after a moment of waiting', async () => {
    const folder = fresh()
    const path = join(folder, 'lock')
    const child = await holder(folder)
    assert.equal(tryLock(path), undefined)
    await assert.rejects(
      acquireLock(path, 100),
      (error: unknown) =>
        error instanceof SwapError &&
        error.code === 'BUSY' &&
        error.message.includes(`process ${child.pid}`) &&
        error.members['pid'] === child.pid,
    )
    await killed(child)
    const lock = await acquireLock(path, 0)
    lock.release()
    assert.equal(existsSync(path), false)
  })

  test('of a process whose number another program has by now is taken over', () => {
    if (self().began === '') return
    const path = join(fresh(), 'lock')
    writeFileSync(path, JSON.stringify({ pid: process.pid, began: '1' }))
    const lock = tryLock(path)
    assert.ok(lock)
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), self())
    lock.release()
  })

  test('is held within one process as well', async () => {
    const path = join(fresh(), 'lock')
    const lock = await acquireLock(path)
    assert.equal(tryLock(path), undefined)
    lock.release()
    lock.release()
    tryLock(path)?.release()
    assert.equal(existsSync(path), false)
  })

  test('a guard whose holder died while clearing away stops nobody', () => {
    const path = join(fresh(), 'lock')
    const dead = JSON.stringify({ pid: 2 ** 22 + 1, began: '7' })
    writeFileSync(path, dead)
    writeFileSync(`${path}.dead`, dead)
    const lock = tryLock(path)
    assert.ok(lock)
    lock.release()
    assert.equal(existsSync(`${path}.dead`), false)
  })
})
