import type { Evidence } from '../../chain/tx/outcome.js'
import type { Coin } from '../../engine/market/token.js'
import { bpsBelow, formatRational, rational } from '../../engine/math/rational.js'
import { type CoinDocument, coinDocument } from '../../operations/route-document.js'
import { type Intent, isDone, legsLeft, type TxRecord } from '../journal/intent.js'
import { type Fill, fillIn, summed, type Verified } from '../verify.js'

/** Status of an execution: `expired` and `replaced` moved nothing, `failed` at most the fee. */
export type Status =
  | 'confirmed'
  | 'accepted'
  | 'refused'
  | 'failed'
  | 'expired'
  | 'replaced'
  | 'abandoned'
  | 'unknown'
  | 'partial'
  | 'signed'
  | 'dry_run'

/** One transaction of a report. */
export type TxDocument = {
  readonly hash: string
  readonly state: string
  readonly height: number | null
  readonly code: number | null
  readonly codespace: string | null
  readonly log: string | null
  readonly sequence: string
  readonly timeout_height: number
  readonly gas_used: string | null
  readonly gas_limit: string | null
  readonly fee: readonly CoinDocument[]
}

/** One leg: quoted, minimum and received amounts, in atomics of its output. */
export type LegReport = {
  readonly input: CoinDocument
  readonly output: string
  readonly quoted: string | null
  readonly expected: string
  readonly min_return: string
  readonly received: string | null
  readonly tx_hash: string | null
}

/** The answer of `swap execute --json`. Amounts are atomics. */
export type Report = {
  readonly id: string | null
  readonly once: string | null
  readonly replayed: boolean
  readonly status: Status
  /** The weakest evidence of all transactions; `null` while there is none. */
  readonly evidence: Evidence | null
  readonly network: string
  readonly chain_id: string
  readonly quote_id: string | null
  readonly mode: Intent['mode']
  readonly key: string | null
  readonly from: string
  readonly to: string
  readonly amount_in: CoinDocument
  /** Coins spent, less those returned. */
  readonly spent: readonly CoinDocument[]
  readonly returned: readonly CoinDocument[]
  readonly min_return: CoinDocument
  /** `null` if the quote of any leg is unknown. */
  readonly quoted: CoinDocument | null
  /** Expected output at the last requote. */
  readonly expected: CoinDocument
  readonly amount_out: CoinDocument | null
  /** Output above the quote (negative below it), and the same in basis points. */
  readonly vs_quote: string | null
  readonly vs_quote_bps: number | null
  /** Display units received per unit sold, rounded down; `null` if unknown. */
  readonly price: string | null
  /** Coins left in the router according to the events: the next caller may take them. */
  readonly left_behind: readonly CoinDocument[]
  /** Increase of the router's balances over the blocks; `null` if unknown. */
  readonly router_grew: readonly CoinDocument[] | null
  readonly txs: readonly TxDocument[]
  readonly legs: readonly LegReport[]
  readonly verified: Verified | null
}

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

/** A successful transaction, and the coins it moved. */
type Executed = { readonly tx: TxRecord; readonly fill: Fill }

/** The report of an intent. It is derived from the records alone, so it is never stale. */
export function reportOf(intent: Intent): Report {
  const { legs } = intent
  const executed = intent.txs.flatMap((tx): readonly Executed[] =>
    isDone(tx) && tx.fill !== undefined ? [{ tx, fill: fillIn(tx.fill) }] : [],
  )
  const output = legs[0]?.output ?? ''
  const input = legs[0]?.funds.denom ?? ''
  // Bytes signed elsewhere may hold legs of several tokens: only amounts of one token are added.
  const isBought = (leg: Intent['legs'][number]) => leg.output === output
  const sum = (of: (leg: Intent['legs'][number]) => string, isCounted = isBought) =>
    legs.filter(isCounted).reduce((total, leg) => total + BigInt(of(leg)), 0n)
  const coin = (amount: bigint): CoinDocument => ({ denom: output, amount: `${amount}` })
  const received = receivedBy(intent, executed)
  const all = received.every((amount) => amount !== undefined) && received.length > 0
  const out = received.reduce<bigint>(
    (total, amount, i) => (isBought(legs[i]!) ? total + (amount ?? 0n) : total),
    0n,
  )
  const sold = sum(
    (leg) => leg.funds.amount,
    ({ funds }) => funds.denom === input,
  )
  const isQuoted = legs.every((leg) => leg.quoted !== null)
  const quoted = isQuoted ? sum((leg) => leg.quoted!) : null
  const fills = executed.map(({ fill }) => fill)
  return {
    id: intent.id,
    once: intent.once,
    replayed: false,
    status: statusOf(intent),
    evidence: weakest(intent.txs.flatMap(({ evidence }) => evidence ?? [])),
    network: intent.network,
    chain_id: intent.chain_id,
    quote_id: intent.quote_id,
    mode: intent.mode,
    key: intent.key,
    from: intent.address,
    to: intent.recipient,
    amount_in: { denom: input, amount: `${sold}` },
    spent: documents(fills.flatMap(({ spent }) => spent)),
    returned: documents(fills.flatMap(({ returned }) => returned)),
    min_return: coin(sum((leg) => leg.min_return)),
    quoted: quoted === null ? null : coin(quoted),
    expected: coin(sum((leg) => leg.expected)),
    amount_out: executed.length > 0 ? coin(out) : null,
    vs_quote: all && quoted !== null ? `${out - quoted}` : null,
    vs_quote_bps: all && quoted !== null && quoted > 0n ? -bpsBelow(out, quoted) || 0 : null,
    price: all ? priceOf(intent, out, fills) : null,
    left_behind: documents(fills.flatMap(({ leftBehind }) => leftBehind)),
    router_grew: grownBy(fills),
    txs: intent.txs.map(txDocument),
    legs: legs.map((leg, i) => ({
      input: leg.funds,
      output: leg.output,
      quoted: leg.quoted,
      expected: leg.expected,
      min_return: leg.min_return,
      received: received[i] === undefined ? null : `${received[i]}`,
      tx_hash: intent.txs.findLast((tx) => tx.legs.includes(i))?.hash ?? null,
    })),
    verified: fills.length === 0 ? null : verifiedBy(fills),
  }
}

const WEAKEST: readonly Evidence[] = ['one_node', 'block', 'agreed']

const weakest = (all: readonly Evidence[]): Evidence | null =>
  WEAKEST.find((each) => all.includes(each)) ?? null

/** Price of what was sold; returned coins do not count. */
function priceOf({ legs, decimals }: Intent, out: bigint, fills: readonly Fill[]): string | null {
  const input = legs[0]?.funds.denom
  const spent = summed(fills.flatMap((fill) => fill.spent))
  const sold = spent.find(({ denom }) => denom === input)?.amount ?? 0n
  if (decimals === undefined || sold <= 0n) return null
  const [places, bought] = decimals.map((count) => 10n ** BigInt(count)) as [bigint, bigint]
  return formatRational(rational(out * places, sold * bought))
}

const documents = (coins: readonly Coin[]): readonly CoinDocument[] =>
  summed(coins).map(coinDocument)

/** Output of each leg; `undefined` if it was not executed. */
function receivedBy(
  intent: Intent,
  executed: readonly Executed[],
): readonly (bigint | undefined)[] {
  return intent.legs.map((_, leg) => {
    for (const { tx, fill } of executed) {
      const at = tx.legs.indexOf(leg)
      if (at >= 0) return fill.received[at]
    }
    return undefined
  })
}

function verifiedBy(fills: readonly Fill[]): Verified {
  const together = (of: (verified: Verified) => boolean | null) => {
    const all = fills.map(({ verified }) => of(verified))
    return all.includes(false) ? false : all.includes(null) ? null : true
  }
  return {
    events: fills.every(({ verified }) => verified.events),
    balances: together(({ balances }) => balances),
    router: together(({ router }) => router),
  }
}

const grownBy = (fills: readonly Fill[]): readonly CoinDocument[] | null =>
  fills.length === 0 || fills.some(({ routerGrew }) => routerGrew === null)
    ? null
    : documents(fills.flatMap(({ routerGrew }) => routerGrew ?? []))

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
