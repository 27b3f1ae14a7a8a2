/** An answer: its text, and the weak tag of its height and request. */
export type Kept = {
  readonly text: string
  readonly tag: string
  /** The text as it is sent, where it is sent again and again: a tenth of what that costs is making it. */
  readonly bytes?: Buffer
}

type Entry = Kept & { readonly meaning: string; readonly spellings: string[]; size: number }

/** What a character of a spelling may take, in bytes. */
const PER_CHARACTER = 2

/** Places for requests that were asked once; one that falls on another's takes it. A power of two. */
const ASKED_ONCE = 16_384

/** Spellings of one request that are known; another one is read anew each time. */
const SPELLINGS = 8

/**
 * Answers of one height. A request is known by its spelling, which costs nothing to look up, and by
 * its meaning, so that another spelling finds it as well. Bounded by bytes: the oldest go first.
 */
export class AnswerCache {
  readonly #bySpelling = new Map<string, Entry>()
  readonly #byMeaning = new Map<string, Entry>()
  #once: Int32Array | undefined
  readonly #most: number
  #bytes = 0

  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  /** Bytes that are kept, at most about. */
  get bytes(): number {
    return this.#bytes
  }

  spelled(spelling: string): Kept | undefined {
    return this.#bySpelling.get(spelling)
  }

  /** The answer to a request of this meaning; the spelling finds it too from now on. */
  meant(meaning: string, spelling: string): Kept | undefined {
    const entry = this.#byMeaning.get(meaning)
    if (entry !== undefined) this.#spell(entry, spelling)
    return entry
  }

  /**
   * Whether an answer is worth keeping: it has been asked for before. Most requests are made once, and
   * keeping their answers costs more, by the garbage that it makes, than computing a few of them twice.
   * Two that hash to the same may be taken for one: then an answer is kept early, and nothing else.
   */
  isWorth(meaning: string): boolean {
    this.#once ??= new Int32Array(ASKED_ONCE)
    const hash = hashOf(meaning)
    const place = hash & (ASKED_ONCE - 1)
    if (this.#once[place] === hash) return true
    this.#once[place] = hash
    return false
  }

  keep(spelling: string, meaning: string, { text, tag }: Kept): void {
    if (this.#byMeaning.has(meaning)) return
    const bytes = Buffer.from(text)
    // The text has a byte a character as well, but for letters that no answer has many of.
    const size = 2 * bytes.length + PER_CHARACTER * (tag.length + meaning.length)
    if (size > this.#most) return
    const entry: Entry = { text, tag, bytes, meaning, spellings: [], size }
    this.#byMeaning.set(meaning, entry)
    this.#bytes += size
    this.#spell(entry, spelling)
  }

  #spell(entry: Entry, spelling: string): void {
    if (entry.spellings.length < SPELLINGS && !this.#bySpelling.has(spelling)) {
      const bytes = PER_CHARACTER * spelling.length
      entry.spellings.push(spelling)
      entry.size += bytes
      this.#bytes += bytes
      this.#bySpelling.set(spelling, entry)
    }
    this.#shrink()
  }

  #shrink(): void {
    for (const [meaning, entry] of this.#byMeaning) {
      if (this.#bytes <= this.#most) return
      this.#byMeaning.delete(meaning)
      for (const spelling of entry.spellings) this.#bySpelling.delete(spelling)
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
