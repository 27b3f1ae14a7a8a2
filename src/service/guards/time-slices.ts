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
