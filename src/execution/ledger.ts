import type { Owner } from './journal/intent.js'

/** One transaction that was signed on this machine, whichever state folder it was signed from. */
export type Signing = {
  readonly hash: string
  /** The intent that it belongs to; empty where `swap tx sign` made it. */
  readonly id: string
  /** Time of the newest block when it was signed, and this machine's time then, RFC 3339. */
  readonly chain_time: string
  readonly local_time: string
  /** Worth of what it sells, in millionths of a dollar; `null` where a person confirmed it. */
  readonly micro_usd: string | null
}

/** What was signed for the accounts of this machine's user. It is only ever added to. */
export type Ledger = {
  read(owner: Owner): readonly Signing[]
  /**
   * Adds a signature before anybody can see it, unless `judge` throws. No other process adds to the
   * account's signatures meanwhile.
   *
   * @throws SwapError NOT_READY, BUSY, and what `judge` throws
   */
  claim(owner: Owner, signing: Signing, judge: (before: readonly Signing[]) => void): Promise<void>
}

/** The times of now. */
export type Times = Pick<Signing, 'chain_time' | 'local_time'>

const DAY_MS = 86_400_000

/**
 * Worth of what was signed without a person in the last 24 hours, in millionths of a dollar. A
 * signature counts until both the chain's time and this machine's say that a day has passed, so that
 * neither a lying node nor a clock set forward frees anything; a clock that was set back says nothing.
 *
 * @param isVoid whether a transaction has certainly done nothing and never will
 */
export const spentUnattended = (
  signings: readonly Signing[],
  { chain_time, local_time }: Times,
  isVoid: (hash: string) => boolean,
): bigint =>
  signings
    .filter((signing) => {
      const byChain = Date.parse(chain_time) - Date.parse(signing.chain_time)
      const byClock = Date.parse(local_time) - Date.parse(signing.local_time)
      return byChain < DAY_MS || (byClock >= 0 && byClock < DAY_MS)
    })
    .filter(({ micro_usd, hash }) => micro_usd !== null && !isVoid(hash))
    .reduce((sum, { micro_usd }) => sum + BigInt(micro_usd ?? 0), 0n)
