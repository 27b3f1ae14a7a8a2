/** An event that fires once. Unlike an `AbortSignal` it does not warn beyond ten listeners. */
export type Ending = {
  isOver(): boolean
  /** Calls `then` when it is over, unless the returned function is called first. */
  whenOver(then: () => void): () => void
  end(): void
}

export function newEnding(): Ending {
  const listeners = new Set<() => void>()
  let over = false
  return {
    isOver: () => over,
    whenOver(then) {
      const listener = () => then()
      if (over) then()
      else listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    end() {
      over = true
      const called = [...listeners]
      listeners.clear()
      for (const listener of called) listener()
    },
  }
}
