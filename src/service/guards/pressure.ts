import { getHeapStatistics } from 'node:v8'

/** How hard this process has to work. */
export type Pressure = {
  /** Why nothing more should be taken on, or `undefined`. */
  tooMuch(): string | undefined
  /** Milliseconds that the event loop was last late. */
  lag(): number
  close(): void
}

const EVERY_MS = 100
/** Later than this, twice in a row, the loop has more to do than it can; once may be a pause. */
const MOST_LAG_MS = 200
/** Beyond this share of the heap, collecting garbage is most of what is done. */
const MOST_HEAP = 0.85
/** The heap is looked at once in so many times. */
const HEAP_EVERY = 10

/** Watches the event loop and the heap. */
export function watchPressure(): Pressure {
  let [due, lag, late, looks, full] = [performance.now() + EVERY_MS, 0, 0, 0, false]
  const look = () => {
    const at = performance.now()
    lag = Math.max(0, at - due)
    due = at + EVERY_MS
    late = lag > MOST_LAG_MS ? late + 1 : 0
    if (looks++ % HEAP_EVERY !== 0) return
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    full = used > limit * MOST_HEAP
  }
  const timer = setInterval(look, EVERY_MS)
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

/** Milliseconds of work after which other events go first. */
const TURN_MS = 2

/**
 * Divides work into turns. Awaited between two pieces of it, the result lets waiting events be handled
 * once a turn is over.
 */
export function timeSlices(): () => Promise<void> {
  let until = performance.now() + TURN_MS
  return async () => {
    if (performance.now() < until) return
    await new Promise((resolve) => setImmediate(resolve))
    until = performance.now() + TURN_MS
  }
}
