import {
  type Change,
  insertSorted,
  LazyValue,
  lowerBound,
  type Reader,
  type StoredValue,
} from './state.js'

/** A value from a height on; one from a file is decoded on first use. */
type Version = { readonly height: number; value: StoredValue }
type Space = { readonly versions: Map<string, Version[]>; readonly keys: string[] }

function readOf(version: Version): StoredValue {
  if (version.value instanceof LazyValue) version.value = version.value.read()
  return version.value
}

/**
 * The chain's state at its last `keep` heights: every key holds its values by height, so that old heights are read as
 * cheaply as the newest. Versions that no kept height can see are dropped.
 */
export class Store {
  readonly #spaces = new Map<string, Space>()
  /** Keys changed at a height, so that forgetting it touches nothing else. */
  readonly #changed = new Map<number, (readonly [string, string])[]>()
  #height: number
  #oldest: number

  constructor(
    height: number,
    readonly keep: number,
  ) {
    this.#height = height
    this.#oldest = height
  }

  get height(): number {
    return this.#height
  }

  /** The oldest height that can still be read. */
  get oldest(): number {
    return this.#oldest
  }

  /** How many values are held, old ones included. */
  get size(): number {
    let size = 0
    for (const { versions } of this.#spaces.values())
      for (const each of versions.values()) size += each.length
    return size
  }

  at(height: number): Reader {
    return {
      get: <T>(space: string, key: string) => this.#valueAt(space, key, height) as T | undefined,
      keys: (space, start) => this.#keysAt(space, start, height),
    }
  }

  /** Applies the changes of a block; `height` is the present one (genesis) or the next. */
  commit(height: number, changes: Iterable<Change>): void {
    const touched: (readonly [string, string])[] = []
    for (const [space, key, value] of changes) {
      this.#write(space, key, value, height)
      touched.push([space, key])
    }
    this.#changed.set(height, touched)
    this.#height = height
    while (this.#oldest <= height - this.keep) this.#forget(this.#oldest++)
  }

  #write(name: string, key: string, value: StoredValue, height: number): void {
    let space = this.#spaces.get(name)
    if (!space) {
      space = { versions: new Map(), keys: [] }
      this.#spaces.set(name, space)
    }
    const versions = space.versions.get(key)
    if (!versions) {
      space.versions.set(key, [{ height, value }])
      insertSorted(space.keys, key)
    } else if (versions.at(-1)?.height === height) versions[versions.length - 1] = { height, value }
    else versions.push({ height, value })
  }

  #valueAt(space: string, key: string, height: number): StoredValue {
    const versions = this.#spaces.get(space)?.versions.get(key)
    if (!versions) return undefined
    for (let at = versions.length - 1; at >= 0; at--) {
      const version = versions[at]
      if (version && version.height <= height) return readOf(version)
    }
    return undefined
  }

  *#keysAt(name: string, start: string | undefined, height: number): Iterable<string> {
    const keys = this.#spaces.get(name)?.keys ?? []
    for (let at = start === undefined ? 0 : lowerBound(keys, start); at < keys.length; at++) {
      const key = keys[at]
      if (key !== undefined && this.#valueAt(name, key, height) !== undefined) yield key
    }
  }

  /** Drops the versions that only heights up to `height` could see. */
  #forget(height: number): void {
    // A change at `height + 1` hides the older version from every remaining height.
    for (const [name, key] of this.#changed.get(height + 1) ?? []) {
      const space = this.#spaces.get(name)
      const versions = space?.versions.get(key)
      if (!space || !versions) continue
      while (versions[1] && versions[1].height <= height + 1) versions.shift()
      if (versions.length === 1 && versions[0]?.value === undefined) {
        space.versions.delete(key)
        space.keys.splice(lowerBound(space.keys, key), 1)
        if (space.keys.length === 0) this.#spaces.delete(name)
      }
    }
    this.#changed.delete(height)
  }

  /** The whole state at `height`, spaces and keys in byte order, for checkpoints and fingerprints. */
  *entries(height: number = this.#height): Iterable<Change> {
    for (const name of [...this.#spaces.keys()].sort())
      for (const key of this.#keysAt(name, undefined, height))
        yield [name, key, this.#valueAt(name, key, height)]
  }
}
