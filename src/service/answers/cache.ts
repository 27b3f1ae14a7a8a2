import { textHash } from '../../platform/encoding.js'

/** An answer: its text, and the weak entity tag of its market and request; empty for POST. */
export type CachedAnswer = {
  readonly text: string
  readonly tag: string
  /** The text encoded once, for answers sent repeatedly: encoding is a tenth of the cost of sending. */
  readonly bytes?: Buffer
}

type Entry = CachedAnswer & {
  readonly rawKeys: string[]
  size: number
}

/** Maximum bytes per character of a key. */
const PER_CHARACTER = 2

/** Slots for hashes of first-time requests; a collision replaces. A power of two. */
const ASKED_ONCE = 16_384

/** Raw keys stored for one request; requests with others are parsed each time. */
const RAW_KEYS = 8

/**
 * Cache of the answers of one height. A request is looked up by its raw key, without parsing, or by its
 * canonical key, which equivalent spellings share. Bounded by bytes: the oldest entries are removed first.
 */
export class AnswerCache {
  readonly #byRawKey = new Map<string, Entry>()
  readonly #byCanonicalKey = new Map<string, Entry>()
  #once: Int32Array | undefined
  readonly #most: number
  #bytes = 0

  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  /** Bytes in use, approximately. */
  get bytes(): number {
    return this.#bytes
  }

  byRawKey(rawKey: string): CachedAnswer | undefined {
    return this.#byRawKey.get(rawKey)
  }

  /** The answer for a canonical key; also stores the raw key for the next lookup. */
  byCanonicalKey(canonicalKey: string, rawKey: string): CachedAnswer | undefined {
    const entry = this.#byCanonicalKey.get(canonicalKey)
    if (entry !== undefined) this.#addRawKey(entry, rawKey)
    return entry
  }

  /**
   * Whether a request has been seen before, so that its answer is worth keeping; records it. Most requests occur once,
   * and the garbage of keeping their answers costs more than computing a few of them twice. A hash collision
   * only means that an answer is kept early.
   */
  wasAskedBefore(canonicalKey: string): boolean {
    this.#once ??= new Int32Array(ASKED_ONCE)
    // Keeping the requests themselves would be 2 kB of garbage each.
    const hash = textHash(canonicalKey)
    const place = hash & (ASKED_ONCE - 1)
    if (this.#once[place] === hash) return true
    this.#once[place] = hash
    return false
  }

  keep(rawKey: string, canonicalKey: string, { text, tag }: CachedAnswer): void {
    if (this.#byCanonicalKey.has(canonicalKey)) return
    const bytes = Buffer.from(text)
    // Texts also have one byte a character, except for the rare letters outside Latin-1.
    const size = 2 * bytes.length + PER_CHARACTER * (tag.length + canonicalKey.length)
    if (size > this.#most) return
    const entry: Entry = { text, tag, bytes, rawKeys: [], size }
    this.#byCanonicalKey.set(canonicalKey, entry)
    this.#bytes += size
    this.#addRawKey(entry, rawKey)
  }

  #addRawKey(entry: Entry, rawKey: string): void {
    if (entry.rawKeys.length < RAW_KEYS && !this.#byRawKey.has(rawKey)) {
      const bytes = PER_CHARACTER * rawKey.length
      entry.rawKeys.push(rawKey)
      entry.size += bytes
      this.#bytes += bytes
      this.#byRawKey.set(rawKey, entry)
    }
    this.#shrink()
  }

  #shrink(): void {
    for (const [canonicalKey, entry] of this.#byCanonicalKey) {
      if (this.#bytes <= this.#most) return
      this.#byCanonicalKey.delete(canonicalKey)
      for (const rawKey of entry.rawKeys) this.#byRawKey.delete(rawKey)
      this.#bytes -= entry.size
    }
  }
}
