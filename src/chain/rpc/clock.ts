/** The clock of the transport; tests replace it. */
export type Clock = {
  /** Monotonic milliseconds. */
  now(): number
  /** Calls `then` once after `ms` milliseconds, unless the returned function is called first. */
  after(ms: number, then: () => void): () => void
}

/** The process's monotonic clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms)
    return () => clearTimeout(timer)
  },
}

/** An event that fires once. Unlike an `AbortSignal` it does not warn beyond ten listeners. */
export type Ending = {
  isOver(): boolean
  /** Calls `then` when the event fires, unless the returned function is called first. */
  whenOver(then: () => void): () => void
  end(): void
}

export function newEnding(): Ending {
  const listeners = new Set<() => void>()
  let hasFired = false
  return {
    isOver: () => hasFired,
    whenOver(then) {
      const listener = () => then()
      if (hasFired) then()
      else listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    end() {
      hasFired = true
      const pending = [...listeners]
      listeners.clear()
      for (const listener of pending) listener()
    },
  }
}

/** Resolves after `ms` milliseconds, or when `ending` fires. */
export function pause(clock: Clock, ms: number, ending: Ending): Promise<void> {
  if (ms <= 0 || ending.isOver()) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = () => {
      cancel()
      forget()
      resolve()
    }
    const cancel = clock.after(ms, finish)
    const forget = ending.whenOver(finish)
  })
}
