/** Request rate of an address: sustained rate and burst. */
export type Rate = { readonly perSecond: number; readonly burst: number }

/** Remaining requests of an address. */
export type Allowance = {
  readonly allowed: boolean
  readonly limit: number
  /** Whole requests that would pass at this moment. */
  readonly remaining: number
  /** Milliseconds until the next request passes; 0 if one would now. */
  readonly wait: number
}

type Bucket = { tokens: number; at: number }

/** Maximum number of buckets; beyond it the least recently used is dropped. */
const REMEMBERED = 20_000

/** A token bucket for each address. `now` is a monotonic clock in milliseconds. */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>()

  constructor(
    readonly rate: Rate,
    readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Takes `count` tokens. They are granted together if at least one is left; the balance may become negative
   * and is paid off over time.
   */
  take(address: string, count = 1): Allowance {
    const { perSecond, burst } = this.rate
    const bucket = this.#bucketOf(addressGroup(address))
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= count
    const remaining = Math.max(0, Math.floor(bucket.tokens))
    const wait = Math.max(0, Math.ceil(((1 - bucket.tokens) / perSecond) * 1_000))
    return { allowed, limit: burst, remaining, wait }
  }

  #bucketOf(key: string): Bucket {
    const { perSecond, burst } = this.rate
    const at = this.now()
    const found = this.#buckets.get(key)
    const tokens =
      found === undefined
        ? burst
        : Math.min(burst, found.tokens + ((at - found.at) / 1_000) * perSecond)
    const bucket = { tokens, at }
    // Moved to the end, so that the first entry is the least recently used.
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > REMEMBERED)
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest)
        break
      }
    return bucket
  }
}

/** The bucket key of an address: IPv6 addresses count by their /64 network. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]!
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? [] : Array(Math.max(0, 8 - front.length - back.length)).fill('0')
  return [...front, ...gap, ...back].slice(0, 4).join(':')
}
