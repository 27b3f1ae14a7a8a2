import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, test, vi } from 'vitest'
import {
  acquireLock,
  isAbandoned,
  LockHeld,
  type LockRules,
  lockRules,
  readLock,
  tryLock,
  writeIdentity,
} from '../../src/platform/lock-file.js'
import { identityIn, processStatus, thisProcess } from '../../src/platform/process-identity.js'
import { bundled } from '../support/bundle.js'
import { longTest } from '../support/long.js'

const root = mkdtempSync(join(tmpdir(), 'swap-lock-file-'))
const fresh = (): string => mkdtempSync(join(root, 'case-'))

const own = thisProcess()
const { pid: endedPid } = spawnSync(process.execPath, ['-e', ''])
const ended = JSON.stringify({ ...own, pid: endedPid })
const elsewhere = JSON.stringify({ ...own, host: 'elsewhere.example' })

const age = (path: string, ms: number): void => {
  const past = new Date(Date.now() - ms)
  utimesSync(path, past, past)
}

let racerPath = ''
beforeAll(async () => {
  racerPath = await bundled('test/platform/lock-racer.ts')
})
const racer = (folder: string, how = ''): ChildProcess =>
  spawn(process.execPath, [racerPath, folder, how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

test.runIf(process.platform === 'linux')('a zombie counts as ended', async () => {
  // The shell would wait for a child that ended before it became a program that never waits:
  // the child ends after that, on a line of input.
  const parent = spawn('sh', ['-c', 'exec 3<&0; read line <&3 & echo $!; exec tail -f /dev/null'])
  const pid = Number(String((await once(parent.stdout, 'data'))[0]))
  const until = async (path: string, pattern: RegExp): Promise<void> => {
    while (!pattern.test(readFileSync(path, 'utf8')))
      await new Promise((resolve) => setImmediate(resolve))
  }
  await until(`/proc/${parent.pid}/comm`, /^tail/)
  parent.stdin.end('\n')
  await until(`/proc/${pid}/stat`, /\) Z /)
  assert.equal(processStatus({ ...own, pid, startTime: '' }), 'ended')
  parent.kill('SIGKILL')
})

test.runIf(existsSync('/dev/full'))('a full disk is reported with the path of the lock', () => {
  assert.throws(() => writeIdentity('/dev/full'), { code: 'ENOSPC', path: '/dev/full' })
})

describe('a process identity', () => {
  test('distinguishes running processes, ended ones and those of another machine', () => {
    assert.equal(processStatus(own), 'running')
    assert.equal(processStatus({ ...own, pid: endedPid }), 'ended')
    assert.equal(processStatus({ ...own, pid: endedPid, namespace: '' }), 'ended')
    assert.equal(processStatus({ ...own, host: 'elsewhere.example' }), 'elsewhere')
  })

  test.skipIf(process.platform !== 'linux')(
    'distinguishes a process from a later one with its number, also after a restart, and from one of a container',
    () => {
      const inContainer = { ...JSON.parse(ended), namespace: 'pid:[1]' }
      assert.equal(processStatus(identityIn(inContainer)!), 'elsewhere')
      const [ticks, boot] = own.startTime.split(' ')
      assert.match(boot ?? '', /^[0-9a-f-]{36}$/)
      assert.equal(processStatus({ ...own, startTime: '1' }), 'ended')
      assert.equal(processStatus({ ...own, startTime: `${ticks} another-boot` }), 'ended')
      assert.equal(processStatus({ ...own, startTime: '' }), 'running')
    },
  )
})

describe('a lock file', () => {
  longTest('is held by one process at a time, also when some die while they hold it', async () => {
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
    // The last process inside may have died there.
    tryLock(join(folder, 'lock'))?.release()
    assert.deepEqual(readdirSync(folder).sort(), ['entries', 'go'])
    const changes = entries.filter((pid, at) => at > 0 && pid !== entries[at - 1])
    assert.ok(changes.length > 10, 'the lock went from one process to another many times')
  })

  test('names the process that holds it after the wait', async () => {
    const folder = fresh()
    const path = join(folder, 'lock')
    const child = racer(folder, 'hold')
    assert.ok(child.stdout)
    await once(child.stdout, 'data')
    assert.equal(tryLock(path), undefined)
    await assert.rejects(
      acquireLock(path, 50),
      (error: unknown) => error instanceof LockHeld && error.holder?.pid === child.pid,
    )
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
    ;(await acquireLock(path, 0)).release()
    assert.deepEqual(readdirSync(folder), [])
  })

  test('is held within one process as well, and released once', async () => {
    const path = join(fresh(), 'lock')
    const lock = await acquireLock(path, 0)
    assert.equal(tryLock(path), undefined)
    lock.release()
    const next = await acquireLock(path, 0)
    lock.release()
    assert.equal(tryLock(path), undefined, 'the second release leaves the new lock alone')
    next.release()
    assert.equal(existsSync(path), false)
  })

  test.skipIf(process.platform !== 'linux')(
    'of a process whose number another process has is taken over',
    () => {
      const path = join(fresh(), 'lock')
      writeFileSync(path, JSON.stringify({ ...own, startTime: '1' }))
      const lock = tryLock(path)
      assert.deepEqual(readLock(path)?.holder, own)
      lock?.release()
    },
  )

  test('is released without an error where no further file can be written', () => {
    const folder = fresh()
    // The longest name beside which its own draft can be made; that of the guard, which is longer, cannot.
    const path = join(folder, 'x'.repeat(255 - `.${process.pid}.${'0'.repeat(16)}`.length))
    const lock = tryLock(path)
    lock?.release()
    assert.notEqual(lock, undefined)
    assert.deepEqual(readdirSync(folder), [])
  })
  test('of another machine or without a process is taken over only after its silence limit', () => {
    const path = join(fresh(), 'lock')
    for (const text of [elsewhere, '', '{"pid":', '{"pid":0}', 'nonsense']) {
      writeFileSync(path, text)
      age(path, 59_000)
      assert.equal(tryLock(path), undefined, text)
      age(path, 61_000)
      const lock = tryLock(path)
      assert.ok(lock, text)
      lock.release()
    }
    spawnSync('mkfifo', [path])
    assert.equal(tryLock(path), undefined, 'a pipe, whose other end is not waited for')
  })

  test('of a running process is taken over after its silence limit where the rules allow it', () => {
    const path = join(fresh(), 'lock')
    writeIdentity(path)
    age(path, 11_000)
    assert.equal(tryLock(path), undefined)
    const lock = tryLock(path, { ...lockRules, stoppedMs: 10_000 })
    assert.ok(lock)
    lock.release()
  })

  test('is taken over when a process died during a takeover, at most four in a row', () => {
    const folder = fresh()
    const path = join(folder, 'lock')
    for (const suffix of ['', '.dead', '.dead.dead', '.dead.dead.dead'])
      writeFileSync(path + suffix, ended)
    const lock = tryLock(path)
    assert.ok(lock)
    lock.release()
    assert.deepEqual(readdirSync(folder), [])
  })

  test('is refreshed, and notifies its holder when another process has taken it over', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const path = join(fresh(), 'lock')
      const lock = tryLock(path)
      assert.ok(lock)
      age(path, 30_000)
      vi.advanceTimersByTime(5_000)
      assert.ok((readLock(path)?.silentMs ?? Infinity) < 10_000)
      assert.equal(lock.lost.aborted, false)
      writeFileSync(path, elsewhere)
      vi.advanceTimersByTime(5_000)
      assert.equal(lock.lost.aborted, true)
      lock.release()
      assert.equal(readFileSync(path, 'utf8'), elsewhere)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the takeover of an abandoned lock', () => {
  /** Rules whose first evaluation runs `between`: between the first check and the second. */
  const afterFirstLook = (between: () => void): LockRules => {
    let isFirst = true
    return {
      ...lockRules,
      get stoppedMs() {
        if (isFirst) between()
        isFirst = false
        return 1_000_000
      },
    }
  }

  test('is checked twice and left to a faster process', () => {
    const path = join(fresh(), 'lock')
    writeFileSync(path, ended)
    const quicker = () => {
      rmSync(path)
      writeIdentity(path)
    }
    assert.equal(tryLock(path, afterFirstLook(quicker)), undefined)
    assert.deepEqual(readLock(path)?.holder, own)
  })

  test('is checked twice for a holder that resumed', () => {
    const path = join(fresh(), 'lock')
    writeFileSync(path, elsewhere)
    age(path, 61_000)
    assert.equal(
      tryLock(
        path,
        afterFirstLook(() => age(path, 61_000 - 60_500)),
      ),
      undefined,
    )
    assert.equal(readLock(path)?.holder?.host, 'elsewhere.example')
  })

  test('is left to the process that is already taking over', () => {
    const path = join(fresh(), 'lock')
    writeFileSync(path, ended)
    writeIdentity(`${path}.dead`)
    assert.equal(tryLock(path), undefined)
    assert.ok(existsSync(`${path}.dead`))
  })

  test('runs the cleanup before the lock changes hands', () => {
    const path = join(fresh(), 'lock')
    writeFileSync(path, ended)
    let holder: string | undefined
    const beforeTakeover = () => {
      holder = readFileSync(path, 'utf8')
    }
    tryLock(path, { ...lockRules, beforeTakeover })?.release()
    assert.equal(holder, ended)
  })

  test('uses the given identity file, and keeps it', () => {
    const path = join(fresh(), 'lock')
    const identityFile = `${path}.identity`
    writeIdentity(identityFile)
    for (const text of [undefined, ended]) {
      if (text !== undefined) writeFileSync(path, text)
      const lock = tryLock(path, { ...lockRules, identityFile })
      assert.deepEqual(readLock(path)?.holder, own)
      lock?.release()
      assert.ok(existsSync(identityFile) && !existsSync(path))
    }
  })

  test('is refused for a lock that is held', () => {
    assert.equal(isAbandoned({ holder: own, silentMs: 1e9 }), false)
  })
})
