/** How often an address may ask: `perSecond` for long, `burst` at once. */
export type Rate = { readonly perSecond: number; readonly burst: number }

/** What is left to an address. */
export type Allowance = {
  readonly allowed: boolean
  readonly limit: number
  /** Whole requests that would still pass at this moment. */
  readonly remaining: number
  /** Milliseconds until one more passes; 0 when one would now. */
  readonly wait: number
}

type Bucket = { tokens: number; at: number }

/** Addresses that are remembered; an attacker with more of them only makes the oldest forgotten. */
const REMEMBERED = 20_000

/** A token bucket for each address. `now` is a monotonic clock in milliseconds. */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>()

  constructor(
    readonly rate: Rate,
    readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Takes so many requests at once. What is allowed is allowed whole, and what it lacks is a debt: a
   * batch is paid for by the time after it.
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
    // Put behind the others, so that the first one is the one that asked longest ago.
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

/** Whom an address counts as: whoever has one IPv6 address has the 2^64 around it. */
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
