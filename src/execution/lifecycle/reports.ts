import { amountIn, coinsOf, differenceOf, sumsOf } from '../../engine/market/token.js'
import { bpsBelow, formatRational, rational } from '../../engine/math/rational.js'
import { coinDocument, coinFrom } from '../../operations/document-parts.js'
import type { CoinDocument } from '../../operations/document-schema.js'
import type { FillRecord, Intent, OrderRecord } from '../journal/intent.js'
import { documents, type ExecutedTx, executedOf, headOf } from './report-head.js'
import type { OrderReport, SwapReport } from './report-schema.js'

/** @param orders of the intent */
export function orderReportOf(intent: Intent, orders: readonly OrderRecord[]): OrderReport {
  const executed = executedOf(intent)
  const { txs, verified, ...head } = headOf(intent, executed)
  const spent = sumsOf(executed.flatMap(({ fill }) => fill.spent.map(coinFrom)))
  const paid = sumsOf(executed.flatMap(({ fill }) => (fill.paid ?? []).flat().map(coinFrom)))
  return {
    ...head,
    orders: orders.map((order, i) => {
      const done = executed.find(({ tx }) => tx.legs.includes(i))
      return {
        ...order,
        paid: done?.fill.paid?.[done.tx.legs.indexOf(i)] ?? null,
        tx_hash: intent.txs.findLast(({ legs }) => legs.includes(i))?.hash ?? null,
      }
    }),
    spent: coinsOf(differenceOf(spent, paid)).map(coinDocument),
    received: coinsOf(differenceOf(paid, spent)).map(coinDocument),
    txs,
    verified,
  }
}

export function swapReportOf(intent: Intent): SwapReport {
  const { legs } = intent
  const executed = executedOf(intent)
  const { mode, key, from, txs, verified, ...head } = headOf(intent, executed)
  const output = legs[0]?.output ?? ''
  const input = legs[0]?.funds.denom ?? ''
  // Bytes signed elsewhere may hold legs of several tokens: only those of the first one's tokens are added.
  const isAdded = (leg: Intent['legs'][number]) =>
    leg.funds.denom === input && leg.output === output
  const sum = (of: (leg: Intent['legs'][number], i: number) => string) =>
    legs.reduce((total, leg, i) => (isAdded(leg) ? total + BigInt(of(leg, i)) : total), 0n)
  const coin = (amount: bigint): CoinDocument => ({ denom: output, amount: `${amount}` })
  const received = receivedBy(intent, executed)
  const all = received.every((amount) => amount !== undefined)
  const out = sum((_, i) => received[i] ?? '0')
  const sold = sum((leg) => leg.funds.amount)
  const isQuoted = legs.every((leg) => leg.quoted !== null)
  const quoted = isQuoted ? sum((leg) => leg.quoted!) : null
  const fills = executed.map(({ fill }) => fill)
  return {
    ...head,
    quote_id: intent.quote_id,
    mode,
    key,
    from,
    to: intent.recipient,
    amount_in: { denom: input, amount: `${sold}` },
    spent: documents(fills.flatMap(({ spent }) => spent)),
    returned: documents(fills.flatMap(({ returned }) => returned)),
    min_return: coin(sum((leg) => leg.min_return)),
    quoted: quoted === null ? null : coin(quoted),
    expected: coin(sum((leg) => leg.expected)),
    amount_out: executed.length > 0 ? coin(out) : null,
    vs_quote: all && quoted !== null ? `${out - quoted}` : null,
    // `|| 0` makes 0 of -0.
    vs_quote_bps: all && quoted !== null && quoted > 0n ? -bpsBelow(out, quoted) || 0 : null,
    price: all ? priceOf(intent, out, fills) : null,
    left_behind: documents(fills.flatMap((fill) => fill.left_behind)),
    router_grew: grownBy(fills),
    txs,
    legs: legs.map((leg, i) => ({
      input: leg.funds,
      output: leg.output,
      quoted: leg.quoted,
      expected: leg.expected,
      min_return: leg.min_return,
      received: received[i] ?? null,
      tx_hash: intent.txs.findLast((tx) => tx.legs.includes(i))?.hash ?? null,
    })),
    verified,
  }
}

/** Price of the coins sold, without those returned. */
function priceOf(
  { legs, decimals }: Intent,
  out: bigint,
  fills: readonly FillRecord[],
): string | null {
  const input = legs[0]?.funds.denom
  if (decimals === undefined || input === undefined) return null
  const spent = fills.flatMap((fill) => fill.spent.map(coinFrom))
  const sold = amountIn(spent, input)
  if (sold <= 0n) return null
  const [inputDecimals, outputDecimals] = decimals
  const inputUnit = 10n ** BigInt(inputDecimals)
  const outputUnit = 10n ** BigInt(outputDecimals)
  return formatRational(rational(out * inputUnit, sold * outputUnit))
}

/** Output of each leg; `undefined` if it was not executed. */
function receivedBy(
  intent: Intent,
  executed: readonly ExecutedTx[],
): readonly (string | undefined)[] {
  return intent.legs.map((_, leg) => {
    const done = executed.find(({ tx }) => tx.legs.includes(leg))
    return done?.fill.received[done.tx.legs.indexOf(leg)]
  })
}

const grownBy = (fills: readonly FillRecord[]): readonly CoinDocument[] | null =>
  fills.length === 0 || fills.some((fill) => fill.router_grew === null)
    ? null
    : documents(fills.flatMap((fill) => fill.router_grew ?? []))
