import { readFileSync, writeSync } from 'node:fs'

/** A counter that the monitored thread raises while it makes progress; 0 before and after. */
export type Watchdog = { readonly beats: SharedArrayBuffer; readonly limitMs: number }

/** A watchdog with a time limit. The monitored thread starts with `beat`. */
export const watchdogFor = (limitMs: number): Watchdog => ({
  beats: new SharedArrayBuffer(4),
  limitMs,
})

/** Checks within the time limit. */
const LOOKS = 10

/** Milliseconds for the process to end in order. */
const ORDERLY_MS = 1_000

/** As for any other bug. */
const STATUS = 70

/** The monitored thread's side. */
export type Guard = {
  /**
   * Counts as progress. Called for every request: a burst of work may hold timers up for longer than
   * the limit, and a loop that is busy is not stuck.
   */
  progress(): void
  end(): void
}

/** Begins to raise the count of this thread, by a timer and by `progress`. */
export function beat({ beats, limitMs }: Watchdog): Guard {
  const count = new Int32Array(beats)
  Atomics.store(count, 0, 1)
  const progress = () => void Atomics.add(count, 0, 1)
  const timer = setInterval(progress, limitMs / LOOKS)
  timer.unref()
  return {
    progress,
    end() {
      clearInterval(timer)
      Atomics.store(count, 0, 0)
    },
  }
}

/** What one look found: the count, and how long the watched thread has waited for a processor so far. */
type Look = {
  readonly count: number
  readonly nowMs: number
  readonly queuedMs: number
}

/**
 * Judges looks in their order: whether the count has not changed for the whole limit. Neither the time
 * that this thread slept through counts (the process was stopped as a whole), nor the time that the
 * watched one waited for a processor (the machine is busy).
 */
export function stuckDetector(limitMs: number, first: Look): (look: Look) => boolean {
  let [last, still] = [first, 0]
  return (look) => {
    const passed = Math.min(look.nowMs - last.nowMs, (2 * limitMs) / LOOKS)
    still += Math.max(0, passed - (look.queuedMs - last.queuedMs))
    if (look.count !== last.count || look.count === 0) still = 0
    last = look
    return still > limitMs
  }
}

/**
 * Watches the count from another thread. When it is stuck, the process ends with status 70 for a
 * supervisor to start it again.
 *
 * @returns the timer of the looks, which keeps this thread going
 */
export function guardLoop({ beats, limitMs }: Watchdog): NodeJS.Timeout {
  const count = new Int32Array(beats)
  const look = (): Look => ({
    count: Atomics.load(count, 0),
    nowMs: performance.now(),
    queuedMs: queuedMs(),
  })
  const isStuck = stuckDetector(limitMs, look())
  return setInterval(() => {
    if (isStuck(look())) endProcess(limitMs)
  }, limitMs / LOOKS)
}

/** Milliseconds that the main thread has waited for a processor, where the system counts them. */
function queuedMs(): number {
  try {
    const [, queuedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
    return Number(queuedNs) / 1e6
  } catch {
    return 0
  }
}

/** A thread cannot end its process by itself; the main one does so when an inspector interrupts it. */
function endProcess(limitMs: number): void {
  const line = { level: 'error', time: new Date().toISOString(), stuck_ms: limitMs }
  writeSync(2, `${JSON.stringify({ ...line, msg: 'the event loop is stuck' })}\n`)
  // Inside of native code nothing can be interrupted.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), ORDERLY_MS)
  const { Session } = process.getBuiltinModule('node:inspector')
  const session = new Session()
  session.connectToMainThread()
  session.post('Runtime.evaluate', { expression: `process.reallyExit(${STATUS})` })
}
