import { writeSync } from 'node:fs'

/** A count that the watched thread raises for as long as it goes on; nothing before and after. */
export type Watched = { readonly beats: SharedArrayBuffer; readonly limitMs: number }

/** What is to be watched, for so long a time. Who is watched begins with `beat`. */
export const watchedFor = (limitMs: number): Watched => ({
  beats: new SharedArrayBuffer(4),
  limitMs,
})

/** Looks within the time after which a thread counts as stuck. */
const LOOKS = 10

/** Milliseconds that ending the process in order may take. */
const ORDERLY_MS = 1_000

/** As for any other bug. */
const STATUS = 70

/** Raises the count of this thread. @returns what ends it */
export function beat({ beats, limitMs }: Watched): () => void {
  const count = new Int32Array(beats)
  Atomics.store(count, 0, 1)
  const timer = setInterval(() => Atomics.add(count, 0, 1), limitMs / LOOKS)
  timer.unref()
  return () => {
    clearInterval(timer)
    Atomics.store(count, 0, 0)
  }
}

/**
 * Watches the count from another thread. When it has stood still for the whole limit, the process
 * ends with status 70: whoever runs it starts it anew, which a stuck thread can no longer be told to do.
 * A process that was stopped as a whole is not stuck: what this thread slept through is not counted.
 *
 * @returns the timer of the looks, which keeps this thread going
 */
export function guardLoop({ beats, limitMs }: Watched): NodeJS.Timeout {
  const count = new Int32Array(beats)
  const every = limitMs / LOOKS
  let [seen, still, last] = [Atomics.load(count, 0), 0, performance.now()]
  return setInterval(() => {
    const now = performance.now()
    still += Math.min(now - last, 2 * every)
    last = now
    const beaten = Atomics.load(count, 0)
    if (beaten !== seen || beaten === 0) [seen, still] = [beaten, 0]
    else if (still > limitMs) endProcess(limitMs)
  }, every)
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
