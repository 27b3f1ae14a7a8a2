import { getHeapStatistics } from 'node:v8'

/** Load of this process. */
export type Pressure = {
  /** Why new work should be refused; `undefined` if it should not. */
  tooMuch(): string | undefined
  /** The last measured delay of the event loop, in milliseconds. */
  lag(): number
  close(): void
}

const EVERY_MS = 100
/** A delay above this, twice in a row, is overload; once may be a pause of garbage collection. */
const MOST_LAG_MS = 200
/** Above this share of the heap limit most of the time is spent on garbage collection. */
const MOST_HEAP = 0.85
/** The heap is measured once in this many ticks. */
const HEAP_EVERY = 10

/** Monitors the event loop and the heap. */
export function watchPressure(): Pressure {
  let due = performance.now() + EVERY_MS
  let lag = 0
  let late = 0
  let ticks = 0
  let full = false
  const measure = () => {
    const at = performance.now()
    lag = Math.max(0, at - due)
    due = at + EVERY_MS
    late = lag > MOST_LAG_MS ? late + 1 : 0
    if (ticks++ % HEAP_EVERY !== 0) return
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    full = used > limit * MOST_HEAP
  }
  const timer = setInterval(measure, EVERY_MS)
  timer.unref()
  return {
    tooMuch() {
      if (late > 1) return 'requests wait too long for the processor'
      return full ? 'memory is nearly used up' : undefined
    },
    lag: () => lag,
    close: () => clearInterval(timer),
  }
}

/** Milliseconds of work before yielding to other events. */
const TURN_MS = 2

/**
 * Divides work into time slices: awaited between pieces of work, the result yields to pending events at the
 * end of each slice. Of several works that share it one continues at a time, for one piece, so that events wait for a
 * single piece however many works there are.
 */
export function timeSlices(): () => Promise<void> {
  let until = performance.now() + TURN_MS
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return async () => {
    if (waiting === 0 && performance.now() < until) return
    waiting += 1
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
    await last
    waiting -= 1
    until = performance.now() + TURN_MS
  }
}
