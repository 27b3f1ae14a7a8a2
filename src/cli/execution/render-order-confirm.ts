import type { Pair } from '../../engine/market/pair.js'
import type { Coin } from '../../engine/market/token.js'
import { formatDecimal } from '../../engine/math/decimal.js'
import type { EntryPreview } from '../../engine/orders/order-entry.js'
import { givenDenom, type OrderEntry } from '../../engine/orders/order-message.js'
import { ORDER_VERBS } from '../../engine/orders/order-price.js'
import type { OrderView } from '../../execution/plan/signing-view.js'
import { summed } from '../../execution/verify.js'
import { counted, groupThousands } from '../../render/amount.js'
import { field, paragraph } from '../../render/layout.js'
import { type Names, namesOf } from '../../render/names.js'
import type { Style } from '../../render/style.js'
import {
  type ConfirmContext,
  coinPieces,
  fullCoin,
  inParts,
  signerLines,
  transactionLines,
} from './confirm-fields.js'

/**
 * What a signature of order messages covers, as its bytes say it, and what each message does by the
 * preview. Amounts are printed in full.
 */
export function renderOrderConfirm(
  view: OrderView,
  context: ConfirmContext,
  style: Style,
): readonly string[] {
  const names = namesOf({ ...context, tokens: view.tokens }, style)
  const { messages, later, market } = view
  const sent = summed(messages.flatMap(({ decoded }) => decoded.funds))
  const back = summed(messages.flatMap(({ planned }) => planned.plan.preview.paid))
  const coinLines = (label: string, coins: readonly Coin[]) =>
    coins.length === 0
      ? field(label, ['nothing'], style)
      : coins.flatMap((coin, i) =>
          field(i === 0 ? label : '', coinPieces(coin, names, style), style),
        )
  const isExact = messages.every(({ planned }) => planned.plan.preview.exact)
  const count = counted(messages.length, 'message')
  return [
    ...signerLines(view, context, names, style),
    ...coinLines('Sends', sent),
    ...coinLines('Gets back', back),
    ...field(
      'Previewed',
      [`at block ${groupThousands(`${market.height}`)}`, isExact ? 'exact' : 'an estimate'],
      style,
    ),
    ...transactionLines(view, context, names, style),
    '',
    ...paragraph(
      later === 0
        ? `${count}  MsgExecuteContract: all of it happens, or nothing`
        : `${count}  MsgExecuteContract; ${later} more follow in transactions of their own`,
      style,
    ),
    ...messages.flatMap((message) => messageLines(message, names, style)),
  ]
}

/** The pair, then each entry as it is signed and what it does. */
function messageLines(
  { decoded, planned }: OrderView['messages'][number],
  names: Names,
  style: Style,
): readonly string[] {
  const { pair, plan } = planned
  return [
    ...paragraph(
      [names.pair(decoded.pair), ...inParts(names.text(decoded.pair), style)].join(' '),
      style,
    ),
    ...decoded.entries.flatMap((entry, i) => [
      ...paragraph(entryText(pair, entry, names), style, 4),
      ...effectTexts(plan.preview.entries[i]!, names).flatMap((text) => paragraph(text, style, 6)),
    ]),
    ...plan.notices.flatMap(({ text }) =>
      paragraph(text, style, 4).map((line) => style.warning(line)),
    ),
  ]
}

/** An entry in words. @example 'buy at 0.499 USDC per RUNE, up to 49.90000000 USDC' */
function entryText(pair: Pair, entry: OrderEntry, names: Names): string {
  const { side, target } = entry
  const verb = ORDER_VERBS[side]
  const price = orderPriceText(pair, entry.price, names)
  if (target === undefined) return `claim the fills of: ${verb} at ${price}`
  if (target === 0n) return `cancel: ${verb} at ${price}`
  return `${verb} at ${price}, up to ${fullCoin({ denom: givenDenom(pair, side), amount: target }, names)}`
}

/** @example '0.499 USDC per RUNE', 'the oracle price -25 bps' */
function orderPriceText(
  pair: Pick<Pair, 'base' | 'quote'>,
  price: OrderEntry['price'],
  names: Names,
): string {
  if ('bps' in price) return `the oracle price ${price.bps < 0 ? '' : '+'}${price.bps} bps`
  const shown = names.price(formatDecimal(price.fixed), pair)
  return `${shown} ${names.symbol(pair.quote)} per ${names.symbol(pair.base)}`
}

/** What an entry does, coin by coin; nothing that is zero. */
function effectTexts(effect: EntryPreview, names: Names): readonly string[] {
  const { given, wanted, claimed, taken, returned, rests } = effect
  const give = (amount: bigint) => fullCoin({ denom: given, amount }, names)
  const want = (amount: bigint) => fullCoin({ denom: wanted, amount }, names)
  const levels = counted(taken.levels.length, 'level')
  return [
    ...(claimed.filled === 0n
      ? []
      : [`pays fills of ${want(claimed.paid)} after a fee of ${want(claimed.fee)}`]),
    ...(taken.offered === 0n
      ? []
      : [
          `takes ${want(taken.received)} for ${give(taken.offered)} at ${levels}, after a fee of ${want(taken.fee)}`,
        ]),
    ...(returned === 0n ? [] : [`returns ${give(returned)}`]),
    ...(rests === 0n ? [] : [`${give(rests)} rest`]),
  ]
}
