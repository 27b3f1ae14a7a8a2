/** An answer: its text, and the weak tag of its height and request. */
export type CachedAnswer = {
  readonly text: string
  readonly tag: string
  /** The text as it is sent, where it is sent again and again: a tenth of what that costs is making it. */
  readonly bytes?: Buffer
}

type Entry = CachedAnswer & {
  readonly canonicalKey: string
  readonly rawKeys: string[]
  size: number
}

/** Bytes per character of a key, at most. */
const PER_CHARACTER = 2

/** Slots for hashes of requests that came once; a collision replaces. A power of two. */
const ASKED_ONCE = 16_384

/** Raw keys kept for one request; others are parsed each time. */
const RAW_KEYS = 8

/**
 * Answers of one height. A request is found by its raw key, without parsing, or by its canonical
 * key, which other spellings share. Bounded by bytes: the oldest entries are removed first.
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

  /** The answer for a canonical key; the raw key finds it from now on as well. */
  byCanonicalKey(canonicalKey: string, rawKey: string): CachedAnswer | undefined {
    const entry = this.#byCanonicalKey.get(canonicalKey)
    if (entry !== undefined) this.#addRawKey(entry, rawKey)
    return entry
  }

  /**
   * Whether an answer is worth keeping: it has been asked for before. Most requests are made once, and
   * keeping their answers costs more, by the garbage that it makes, than computing a few of them twice.
   * Two that hash to the same may be taken for one: then an answer is kept early, and nothing else.
   */
  wasAskedBefore(canonicalKey: string): boolean {
    this.#once ??= new Int32Array(ASKED_ONCE)
    const hash = hashOf(canonicalKey)
    const place = hash & (ASKED_ONCE - 1)
    if (this.#once[place] === hash) return true
    this.#once[place] = hash
    return false
  }

  keep(rawKey: string, canonicalKey: string, { text, tag }: CachedAnswer): void {
    if (this.#byCanonicalKey.has(canonicalKey)) return
    const bytes = Buffer.from(text)
    // The text has a byte a character as well, but for letters that no answer has many of.
    const size = 2 * bytes.length + PER_CHARACTER * (tag.length + canonicalKey.length)
    if (size > this.#most) return
    const entry: Entry = { text, tag, bytes, canonicalKey, rawKeys: [], size }
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

/** FNV-1a, 32 bits. To keep the requests themselves for a height would be 2 kB of garbage for each. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
