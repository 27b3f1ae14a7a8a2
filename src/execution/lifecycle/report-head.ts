import type { Evidence } from '../../chain/tx/outcome.js'
import { sumByDenom } from '../../engine/market/token.js'
import { coinDocument, coinFrom } from '../../operations/document-parts.js'
import type { CoinDocument } from '../../operations/document-schema.js'
import { allAgree } from '../../operations/simulations.js'
import {
  type FillRecord,
  type Intent,
  isDone,
  isFinal,
  legsLeft,
  type TxRecord,
} from '../journal/intent.js'
import type { ReportHead, Status, TxDocument } from './report-schema.js'

/**
 * The status of an intent, from its records.
 *
 * | records                                  | status                                     |
 * |------------------------------------------|--------------------------------------------|
 * | every leg executed                       | `confirmed`                                |
 * | the last transaction is open             | `signed`, `unknown`, `accepted`, `refused` |
 * | some legs executed                       | `partial`                                  |
 * | the last one failed in its block         | `failed`                                   |
 * | it was refused, and is in no block       | `refused`                                  |
 * | it is in no block for another reason     | `expired`, `replaced`, `abandoned`         |
 */
export function statusOf(intent: Intent): Status {
  const last = intent.txs.at(-1)
  if (last === undefined) return 'dry_run'
  if (legsLeft(intent).length === 0) return 'confirmed'
  if (last.state === 'sent') return 'unknown'
  if (last.state === 'signed' || last.state === 'accepted' || last.state === 'refused')
    return last.state
  if (intent.txs.some(isDone)) return 'partial'
  if (last.state === 'included') return 'failed'
  return last.code !== null && last.state !== 'replaced' ? 'refused' : last.state
}

/** A successful transaction with the coins that it moved. */
export type ExecutedTx = { readonly tx: TxRecord; readonly fill: FillRecord }

export const executedOf = ({ txs }: Intent): readonly ExecutedTx[] =>
  txs.flatMap((tx): readonly ExecutedTx[] =>
    isDone(tx) && tx.fill !== undefined ? [{ tx, fill: tx.fill }] : [],
  )

export function headOf(intent: Intent, executed: readonly ExecutedTx[]): ReportHead {
  const fills = executed.map(({ fill }) => fill)
  return {
    id: intent.id,
    once: intent.once,
    replayed: false,
    status: statusOf(intent),
    evidence: evidenceOf(intent),
    network: intent.network,
    chain_id: intent.chain_id,
    mode: intent.mode,
    key: intent.key,
    from: intent.address,
    txs: intent.txs.map(txDocument),
    verified: fills.length === 0 ? null : verifiedBy(fills),
  }
}

/** From the weakest to the strongest. */
const EVIDENCE: readonly Evidence[] = ['one_node', 'block', 'agreed']

/** The weakest evidence of all transactions; `null` while the last one, which decides the status, is open. */
function evidenceOf({ txs }: Intent): Evidence | null {
  const last = txs.at(-1)
  if (last === undefined || !isFinal(last)) return null
  return EVIDENCE.find((each) => txs.some(({ evidence }) => evidence === each)) ?? null
}

function verifiedBy(fills: readonly FillRecord[]): FillRecord['verified'] {
  const all = fills.map(({ verified }) => verified)
  return {
    events: all.every(({ events }) => events),
    balances: allAgree(all.map(({ balances }) => balances)),
    router: allAgree(all.map(({ router }) => router)),
  }
}

/** Sums by denom. */
export const documents = (coins: readonly CoinDocument[]): readonly CoinDocument[] =>
  sumByDenom(coins.map(coinFrom)).map(coinDocument)

const txDocument = (tx: TxRecord): TxDocument => ({
  hash: tx.hash,
  state: tx.state,
  height: tx.height,
  code: tx.code,
  codespace: tx.codespace,
  log: tx.log,
  sequence: tx.sequence,
  timeout_height: tx.timeout_height,
  gas_used: tx.fill?.gas_used ?? null,
  gas_limit: tx.fill?.gas_limit ?? null,
  fee: tx.fill?.fee ?? [],
})
