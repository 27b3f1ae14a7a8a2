import { writeSync } from 'node:fs'

/** A count that the watched thread raises for as long as it goes on. */
export type Watched = { readonly beats: SharedArrayBuffer; readonly limitMs: number }

/** Looks within the time after which a thread counts as stuck. */
const LOOKS = 10

/** Milliseconds that ending the process in order may take. */
const ORDERLY_MS = 1_000

/** As for any other bug. */
const STATUS = 70

/** Raises the count of this thread. @returns what ends it */
export function beat({ beats, limitMs }: Watched): () => void {
  const count = new Int32Array(beats)
  const timer = setInterval(() => Atomics.add(count, 0, 1), limitMs / LOOKS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Watches the count from another thread. When it has stood still for the whole limit, the process
 * ends with status 70: whoever runs it starts it anew, which a stuck thread can no longer be told to do.
 * A process that was stopped as a whole is not stuck: what this thread slept through is not counted.
 */
export function guardLoop({ beats, limitMs }: Watched): void {
  const count = new Int32Array(beats)
  const every = limitMs / LOOKS
  let [seen, still, last] = [Atomics.load(count, 0), 0, performance.now()]
  setInterval(() => {
    const now = performance.now()
    still += Math.min(now - last, 2 * every)
    last = now
    const beaten = Atomics.load(count, 0)
    if (beaten !== seen) [seen, still] = [beaten, 0]
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
