/** An immutable value: a text, a bigint, or a plain object of such. */
export type StoredValue = unknown

/** Reads of one state. `space` is a namespace (`bank/<address>`), `key` a byte string in it. */
export type Reader = {
  get<T>(space: string, key: string): T | undefined
  /** Keys from `start` on that have a value, in the order of their bytes. */
  keys(space: string, start?: string): Iterable<string>
}

/** Reads and writes; `undefined` removes. */
export type Writer = Reader & { set(space: string, key: string, value: StoredValue): void }

/** One change of a block: `undefined` means removed. In the order of first change. */
export type Change = readonly [space: string, key: string, value: StoredValue]

/** Index of the first element of a sorted list that is not below `key`. */
export function lowerBound(sorted: readonly string[], key: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Inserts a new key into a sorted list. */
export function insertSorted(sorted: string[], key: string): void {
  const last = sorted.at(-1)
  if (last === undefined || last < key) sorted.push(key)
  else sorted.splice(lowerBound(sorted, key), 0, key)
}

/** A value as JSON text. Bigints are written as `#<digits>`; a text that starts with `#` gets one more. */
export const encodeValue = (value: StoredValue): string =>
  JSON.stringify(value, (_key, each: unknown) => {
    const isMarked = typeof each === 'bigint' || (typeof each === 'string' && each.startsWith('#'))
    return isMarked ? `#${each}` : each
  })

/** The inverse of `encodeValue`. */
export const decodeValue = (text: string): StoredValue =>
  JSON.parse(text, (_key, each: unknown) => {
    if (typeof each !== 'string' || !each.startsWith('#')) return each
    const rest = each.slice(1)
    return rest.startsWith('#') ? rest : BigInt(rest)
  })

/** A value that is decoded on first use: most values of a file are never read. */
export class LazyValue {
  constructor(readonly text: string) {}

  read(): StoredValue {
    return decodeValue(this.text)
  }
}

const textOf = (value: StoredValue): string =>
  value instanceof LazyValue ? value.text : encodeValue(value)

/** Changes as JSON text, values as texts of their own; a removed key has none. */
export const encodeChanges = (changes: Iterable<Change>): string =>
  JSON.stringify(
    [...changes].map(([space, key, value]) =>
      value === undefined ? [space, key] : [space, key, textOf(value)],
    ),
  )

/** The inverse of `encodeChanges`; values are decoded lazily. */
export const decodeChanges = (text: string): readonly Change[] =>
  (JSON.parse(text) as readonly (readonly [string, string, string?])[]).map(
    ([space, key, value]) =>
      [space, key, value === undefined ? undefined : new LazyValue(value)] as const,
  )

/**
 * Uncommitted writes of a message, a sub-call or a simulation over another state. Reads see them first.
 */
export class Overlay implements Writer {
  readonly #written = new Map<string, Map<string, StoredValue>>()

  constructor(readonly below: Reader) {}

  get<T>(space: string, key: string): T | undefined {
    const written = this.#written.get(space)
    return written?.has(key) ? (written.get(key) as T | undefined) : this.below.get<T>(space, key)
  }

  set(space: string, key: string, value: StoredValue): void {
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
