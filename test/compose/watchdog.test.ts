import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { stuckDetector } from '../../src/platform/loop-watchdog.js'
import { bundled } from '../support/bundle.js'
import { temporaryFolder } from '../support/folder.js'
import { longTest } from '../support/long.js'

/** What the scripts use, with the threads that it starts. */
let parts = ''
beforeAll(async () => {
  const files = ['compose/serve', 'chain/networks/demo', 'platform/loop-watchdog']
  const entry = join(temporaryFolder(), 'parts.ts')
  writeFileSync(entry, files.map((file) => `export * from '${resolve('src', file)}.ts'`).join('\n'))
  parts = JSON.stringify(await bundled(entry, { thread: 'src/compose/worker.ts' }))
})

/** Runs a script with a watchdog of some milliseconds; returns its exit code and output. */
const guarded = (limitMs: number, script: string) =>
  runScript(
    `import(${parts}).then(({ startWatchdog }) => { const { end, progress } = startWatchdog(${limitMs}); ${script} })`,
  )

const watched = (limitMs: number, script: string) =>
  runScript(`import(${parts})
    .then(({ watcherOf, demo: network, startHeartbeat, watchdogFor }) => {
      const watched = watchdogFor(${limitMs})
      const thread = watcherOf({ network, timeoutMs: 1_000, blockTimeMs: 1_000 }, watched)
      const begin = () => startHeartbeat(watched)
      ${script}
    })`)

async function runScript(text: string) {
  const child = spawn(process.execPath, ['--eval', text], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part
  })
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { status, signal, stderr }
}

/** Holds the thread up without its processor. An inspector gets in between two waits. */
const PAUSE =
  'const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);'
const BUSY = `${PAUSE} const busy = (ms) => { for (const end = Date.now() + ms; Date.now() < end;) pause(); };`

describe.concurrent('a process whose serving thread is stuck', () => {
  test('ends with 70 and an error that names the reason', async () => {
    const { status, stderr } = await guarded(1_000, `${BUSY} setTimeout(() => busy(60_000), 1_000)`)
    assert.equal(status, 70)
    const [line = ''] = stderr.split('\n')
    const { level, msg, stuck_ms } = JSON.parse(line) as Record<string, unknown>
    assert.deepEqual([level, msg, stuck_ms], ['error', 'the event loop is stuck', 1_000])
  })
  longTest('is killed where no JavaScript can be interrupted', async () => {
    const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
    const { status, signal } = await guarded(1_000, `setTimeout(() => ${wait}, 1_000)`)
    assert.ok(status === 70 || signal === 'SIGKILL', `${status} ${signal}`)
  })
  longTest('continues after the whole process was stopped for longer than the limit', async () => {
    const sleep = 'sleep 2; kill -STOP $0; sleep 3; kill -CONT $0'
    const stop = `process.getBuiltinModule('node:child_process').spawn('sh', ['-c', '${sleep}', process.pid], { stdio: 'ignore' }).unref();`
    const end = 'setTimeout(() => { end(); process.exitCode = 3 }, 7_000)'
    assert.equal((await guarded(1_000, `${stop} ${end}`)).status, 3)
  })
  longTest(
    'continues while its tasks are shorter than the limit, and ends with its own status',
    async () => {
      const rounds =
        'let n = 0; const go = () => { busy(400); if (++n < 8) setTimeout(go, 150); else { end(); process.exitCode = 3 } };'
      assert.equal((await guarded(8_000, `${BUSY} ${rounds} go()`)).status, 3)
    },
  )
  longTest('continues while it makes progress without running timers', async () => {
    const script =
      'setTimeout(async () => { for (const until = Date.now() + 2_500; Date.now() < until; ) { await undefined; pause(); progress() } end(); process.exitCode = 3 }, 100)'
    assert.equal((await guarded(1_000, `${PAUSE} ${script}`)).status, 3)
  })
  longTest('is ended by the thread that reads the market, where there is one', async () => {
    const stuck = `${BUSY} begin(); setTimeout(() => busy(60_000), 2_000)`
    const { status, stderr } = await watched(1_000, stuck)
    assert.equal(status, 70)
    assert.match(stderr, /the event loop is stuck/)
  })
  longTest('is not watched by that thread before it begins and after it ends', async () => {
    const script = `const { end } = begin(); setTimeout(() => { end(); thread.postMessage('close'); process.exitCode = 3 }, 2_000)`
    assert.equal((await watched(1_000, script)).status, 3)
    const idle = `${BUSY} setTimeout(() => { busy(3_000); process.exit(3) }, 2_000)`
    assert.equal((await watched(1_000, idle)).status, 3)
  })
})

describe('the detector of a stuck thread', () => {
  /** Looks every 100 ms with a limit of 1,000: how many pass until the thread counts as stuck, if it does. */
  const looksUntilStuck = (
    of: (look: number) => { count?: number; nowMs?: number; queuedMs?: number },
  ): number | undefined => {
    const look = (i: number) => ({ count: 1, nowMs: i * 100, queuedMs: 0, ...of(i) })
    const isStuck = stuckDetector(1_000, look(0))
    for (let i = 1; i <= 100; i += 1) if (isStuck(look(i))) return i
    return undefined
  }
  test('reports a thread that has made no progress for the limit', () => {
    assert.equal(
      looksUntilStuck(() => ({})),
      11,
    )
  })
  test('never reports a thread that makes progress within the limit, or is not watched', () => {
    assert.equal(
      looksUntilStuck((i) => ({ count: Math.floor(i / 10) + 1 })),
      undefined,
    )
    assert.equal(
      looksUntilStuck(() => ({ count: 0 })),
      undefined,
    )
  })
  test('does not count the time that the thread waited for a processor', () => {
    assert.equal(
      looksUntilStuck((i) => ({ queuedMs: i * 95 })),
      undefined,
    )
    assert.equal(
      looksUntilStuck((i) => ({ queuedMs: i * 50 })),
      21,
    )
  })
  test('does not count the time that the process was stopped', () => {
    assert.equal(
      looksUntilStuck((i) => ({ nowMs: i * 100 + (i >= 5 ? 60_000 : 0) })),
      10,
    )
  })
})
