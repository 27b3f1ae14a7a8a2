import { type Change, lowerBound, type Reader, type Stored, type Writer } from './state.js'

/**
 * Writes that are kept apart until they are committed: of a message, a sub-call, a simulation. Reads
 * see them before the state below.
 */
export class Overlay implements Writer {
  readonly #written = new Map<string, Map<string, Stored>>()

  constructor(readonly below: Reader) {}

  get<T>(space: string, key: string): T | undefined {
    const written = this.#written.get(space)
    return written?.has(key) ? (written.get(key) as T | undefined) : this.below.get<T>(space, key)
  }

  set(space: string, key: string, value: Stored): void {
    let written = this.#written.get(space)
    if (!written) {
      written = new Map()
      this.#written.set(space, written)
    }
    written.set(key, value)
  }

  *keys(space: string, start?: string): Iterable<string> {
    const written = this.#written.get(space)
    if (!written) {
      yield* this.below.keys(space, start)
      return
    }
    const own = [...written.keys()].sort()
    let at = start === undefined ? 0 : lowerBound(own, start)
    for (const key of this.below.keys(space, start)) {
      for (let mine = own[at]; mine !== undefined && mine < key; mine = own[++at])
        if (written.get(mine) !== undefined) yield mine
      if (own[at] !== key) yield key
      else if (written.get(own[at++] as string) !== undefined) yield key
    }
    for (; at < own.length; at++) {
      const key = own[at] as string
      if (written.get(key) !== undefined) yield key
    }
  }

  /** The writes, one entry per key. */
  *changes(): Iterable<Change> {
    for (const [space, written] of this.#written)
      for (const [key, value] of written) yield [space, key, value]
  }

  /** Writes everything to `target` and empties the overlay. */
  commitTo(target: Writer): void {
    for (const [space, key, value] of this.changes()) target.set(space, key, value)
    this.#written.clear()
  }
}
