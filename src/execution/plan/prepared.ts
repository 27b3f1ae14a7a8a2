import { signHashOf } from '../../chain/tx/unsigned-tx.js'
import type { Market } from '../../engine/market/market.js'
import type { Coin } from '../../engine/market/token.js'
import type { Intent } from '../journal/intent.js'
import type { Session } from '../session.js'
import type { Task } from '../task.js'
import type { BuiltTx } from './build.js'
import { requireWithinLimits, spentLastDay } from './limits.js'
import type { SignedContent, SigningView } from './signing-view.js'

/** Everything computed for a transaction before it is confirmed. */
export type PreparedTx<View extends SigningView = SigningView> = {
  readonly market: Market
  readonly built: BuiltTx
  /** Indexes of the prepared messages in this transaction; later transactions hold the others. */
  readonly indexes: readonly number[]
  /**
   * Value sold by all messages, in millionths of a dollar: for swaps the coins sent, for orders the coins newly
   * offered. `undefined` without a price.
   */
  readonly worthMicroUsd: bigint | undefined
  /** Value sold by this transaction alone, and a fee, which count towards the limits when it is signed. */
  txMicroUsd(fee: readonly Coin[]): Promise<bigint | undefined>
  readonly view: View
  /** The journal records of all messages. */
  readonly records: TaskRecords
  /**
   * Checks the messages of this transaction on a newer market. They are refused or signed as shown, never changed.
   *
   * @throws SwapError of the guard that fails
   */
  recheck(market: Market): Promise<void>
}

/** The members of an intent that describe its transactions. */
export type TaskRecords = Pick<
  Intent,
  'contract' | 'recipient' | 'affiliate' | 'slippage_bps' | 'decimals' | 'legs' | 'orders'
>

/** A new intent without transactions. */
export const intentOf = (
  { chain, clock }: Session,
  task: Task,
  { worthMicroUsd, records }: PreparedTx,
  id: string,
): Intent => ({
  format: 'swap.intent/1',
  id,
  network: chain.network,
  chain_id: chain.chainId,
  address: task.account.address,
  key: task.account.name,
  once: task.terms.once,
  ...(task.terms.once !== null &&
    task.terms.request !== undefined && { request: task.terms.request }),
  unattended: task.terms.unattended,
  mode: task.terms.mode,
  quote_id: 'requested' in task ? task.requested.quoteId : null,
  created: clock.time(),
  worth_micro_usd: worthMicroUsd === undefined ? null : `${worthMicroUsd}`,
  ...records,
  txs: [],
})

/** Checks the spending limits of unattended signing. @throws SwapError LIMIT_EXCEEDED */
export function requireLimits(
  session: Session,
  { account, terms }: Pick<Task, 'account' | 'terms'>,
  { worth, market }: { readonly worth: bigint | undefined; readonly market: Market },
): void {
  if (!terms.unattended) return
  const owner = { chainId: market.chainId, address: account.address }
  const times = { chain_time: market.time, local_time: session.clock.time() }
  requireWithinLimits(terms.limits, worth, () => spentLastDay(session, owner, times))
}

/** The members shown before every signature. */
export const signedContent = (
  { chain }: Session,
  keyName: string | null,
  { market, built, worthMicroUsd }: Pick<PreparedTx, 'market' | 'built' | 'worthMicroUsd'>,
): SignedContent => ({
  network: chain.network,
  keyName,
  decoded: built.decoded,
  fingerprint: signHashOf(built.signDoc),
  tokens: market.tokens,
  market: { height: market.height },
  worthMicroUsd,
})
