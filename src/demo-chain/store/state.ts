/** An immutable value: a text, a bigint, or a plain object of such. Never changed in place. */
export type Stored = unknown

/** Reads of one moment. `space` is whose state it is (`bank/<address>`), `key` a byte string in it. */
export type Reader = {
  get<T>(space: string, key: string): T | undefined
  /** Keys from `start` on that have a value, in the order of their bytes. */
  keys(space: string, start?: string): Iterable<string>
}

/** Reads and writes; `undefined` removes. */
export type Writer = Reader & { set(space: string, key: string, value: Stored): void }

/** What one block changed: `undefined` means removed. In the order of first change. */
export type Change = readonly [space: string, key: string, value: Stored]
