import { readFileSync, writeSync } from 'node:fs'
import { attempt } from './attempt.js'

/** A counter that the monitored thread increments while it makes progress; 0 before and after. */
export type Watchdog = { readonly beats: SharedArrayBuffer; readonly limitMs: number }

/** A watchdog with a time limit. The monitored thread starts with `beat`. */
export const watchdogFor = (limitMs: number): Watchdog => ({
  beats: new SharedArrayBuffer(4),
  limitMs,
})

/** Number of checks within the time limit. */
const LOOKS = 10

/** Milliseconds for an orderly exit of the process. */
const ORDERLY_MS = 1_000

/** Exit status, as for any other bug. */
const STATUS = 70

/** The monitored thread's side. */
export type Guard = {
  /**
   * Counts as progress. Called for every request: a burst of work may delay timers for longer than the limit, and a
   * busy loop is not stuck.
   */
  progress(): void
  end(): void
}

/** Starts to increment the counter of this thread, by a timer and by `progress`. */
export function startHeartbeat({ beats, limitMs }: Watchdog): Guard {
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

/** One check: the count, and how long the monitored thread has waited for a processor so far. */
type LoopCheck = {
  readonly count: number
  readonly nowMs: number
  readonly queuedMs: number
}

/**
 * Decides by consecutive checks whether the count has not changed for the whole limit. Excluded are the time for which
 * this thread was suspended (the whole process was stopped), and the time for which the monitored thread waited for a
 * processor (the machine is busy).
 */
export function stuckDetector(limitMs: number, first: LoopCheck): (look: LoopCheck) => boolean {
  let last = first
  let still = 0
  return (look) => {
    const passed = Math.min(look.nowMs - last.nowMs, (2 * limitMs) / LOOKS)
    still += Math.max(0, passed - (look.queuedMs - last.queuedMs))
    if (look.count !== last.count || look.count === 0) still = 0
    last = look
    return still > limitMs
  }
}

/**
 * Monitors the counter from another thread. If it is stuck, the process exits with status 70, so that a supervisor
 * restarts it.
 *
 * @returns the timer of the checks, which keeps this thread alive
 */
export function guardLoop({ beats, limitMs }: Watchdog): NodeJS.Timeout {
  const count = new Int32Array(beats)
  const look = (): LoopCheck => ({
    count: Atomics.load(count, 0),
    nowMs: performance.now(),
    queuedMs: queuedMs(),
  })
  const isStuck = stuckDetector(limitMs, look())
  return setInterval(() => {
    if (isStuck(look())) endProcess(limitMs)
  }, limitMs / LOOKS)
}

/** Milliseconds for which the main thread has waited for a processor, if the system counts them. */
function queuedMs(): number {
  const counts = attempt(() => readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8'))
  return counts === undefined ? 0 : Number(counts.split(' ')[1]) / 1e6
}

/** Ends the process through the inspector, which interrupts the main thread: other threads cannot end the process. */
function endProcess(limitMs: number): void {
  const line = { level: 'error', time: new Date().toISOString(), stuck_ms: limitMs }
  writeSync(2, `${JSON.stringify({ ...line, msg: 'the event loop is stuck' })}\n`)
  // Native code cannot be interrupted.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), ORDERLY_MS)
  const { Session } = process.getBuiltinModule('node:inspector')
  const session = new Session()
  session.connectToMainThread()
  session.post('Runtime.evaluate', { expression: `process.reallyExit(${STATUS})` })
}
