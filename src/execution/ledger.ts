import type { Owner } from './journal/intent.js'

/** One signature made on this machine, from any state folder. */
export type Signing = {
  readonly hash: string
  /** The intent that it belongs to; empty where `swap tx sign` made it. */
  readonly id: string
  /** Time of the newest block when it was signed, and this machine's time then, RFC 3339. */
  readonly chain_time: string
  readonly local_time: string
  /** Value sold, in millionths of a dollar; `null` if a person confirmed it. */
  readonly micro_usd: string | null
}

/** Append-only record of the signatures for the accounts of this user. */
export type Ledger = {
  read(owner: Owner): readonly Signing[]
  /**
   * Appends a signature before it is published, unless `judge` throws. A lock keeps other processes
   * from appending for the same account meanwhile.
   *
   * @throws SwapError NOT_READY, BUSY, and what `judge` throws
   */
  claim(owner: Owner, signing: Signing, judge: (before: readonly Signing[]) => void): Promise<void>
}

/** The current times of the chain and of this machine. */
export type Times = Pick<Signing, 'chain_time' | 'local_time'>

const DAY_MS = 86_400_000

/**
 * Value signed unattended in the last 24 hours, in millionths of a dollar. A signature counts until a
 * day has passed by both the chain's time and this machine's, so neither a lying node nor a clock that
 * was set forward raises the allowance; a clock that was set back is ignored.
 *
 * @param isVoid whether the signed transaction certainly had no effect and never will
 */
export const spentUnattended = (
  signings: readonly Signing[],
  { chain_time, local_time }: Times,
  isVoid: (signing: Signing) => boolean,
): bigint =>
  signings
    .filter((signing) => {
      const byChain = Date.parse(chain_time) - Date.parse(signing.chain_time)
      const byClock = Date.parse(local_time) - Date.parse(signing.local_time)
      return byChain < DAY_MS || (byClock >= 0 && byClock < DAY_MS)
    })
    .map((signing) => ({ signing, sold: BigInt(signing.micro_usd ?? 0) }))
    .filter(({ signing, sold }) => sold > 0n && !isVoid(signing))
    .reduce((sum, { sold }) => sum + sold, 0n)
