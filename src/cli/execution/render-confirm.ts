import type { Pair } from '../../engine/market/pair.js'
import { type Coin, sumByDenom } from '../../engine/market/token.js'
import { counted, groupThousands } from '../../engine/math/counted.js'
import { formatDecimal } from '../../engine/math/decimal.js'
import type { EntryPreview } from '../../engine/orders/order-entry.js'
import { givenDenom, type OrderEntry } from '../../engine/orders/order-message.js'
import { ORDER_VERBS } from '../../engine/orders/order-price.js'
import type { DecodedCall, OrderView, SwapView } from '../../execution/plan/signing-view.js'
import { formatBps, renderImpact } from '../../render/amount.js'
import { type FieldRow, fields, hangingEntry, inParts, paragraph } from '../../render/layout.js'
import { type Names, namesOf } from '../../render/names.js'
import { glyphsOf, type Style } from '../../render/style.js'
import {
  type ConfirmContext,
  coinPieces,
  fullCoin,
  heading,
  type Sum,
  signerRows,
  transactionRows,
} from './confirm-fields.js'

/**
 * The content of signed order messages, decoded from the bytes, and their effects by the preview. Amounts are
 * printed in full.
 */
export function renderOrderConfirm(
  view: OrderView,
  context: ConfirmContext,
  style: Style,
): readonly string[] {
  const names = namesOf({ ...context, tokens: view.tokens }, style)
  const { messages, later, market } = view
  const sent = sumByDenom(messages.flatMap(({ decoded }) => decoded.funds))
  const back = sumByDenom(messages.flatMap(({ planned }) => planned.plan.preview.paid))
  const coinRows = (label: string, coins: readonly Coin[]): readonly FieldRow[] =>
    coins.length === 0
      ? [[label, ['nothing']]]
      : coins.map((coin, i) => [i === 0 ? label : '', coinPieces(coin, names)])
  const isExact = messages.every(({ planned }) => planned.plan.preview.exact)
  const after = later > 0 && `${later} more follow in transactions of their own`
  return [
    ...heading(view, style),
    ...fields(style, [
      ...signerRows(view, context, names),
      ...coinRows('Sends', sent),
      ...coinRows('Gets back', back),
      [
        'Previewed',
        [`at block ${groupThousands(`${market.height}`)}`, isExact ? 'exact' : 'an estimate'],
      ],
      ...transactionRows(view, context, names),
    ]),
    '',
    ...paragraph(messagesText(messages, after), style),
    ...messages.flatMap((message) => messageLines(message, names)),
  ]
}

/** The number of messages, and what happens `after` them, if anything. */
function messagesText(messages: readonly unknown[], after: string | false): string {
  const what = `${counted(messages.length, 'message')}  MsgExecuteContract`
  return after === false ? `${what}: all of it happens, or nothing` : `${what}; ${after}`
}

/** The pair, then each entry as signed with its effects. */
function messageLines(
  { decoded, planned }: OrderView['messages'][number],
  names: Names,
): readonly string[] {
  const { style } = names
  const { pair, plan } = planned
  const [name, address] = [names.pair(decoded.pair), inParts(names.text(decoded.pair), style)]
  const title = address.length === 1 ? [`${name} ${address[0]}`] : [name, ...address]
  return [
    ...title.flatMap((line) => paragraph(line, style)),
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
  const price = orderPriceText(pair, entry.price, inFull(names))
  if (target === undefined) return `claim the fills of: ${verb} at ${price}`
  if (target === 0n) return `cancel: ${verb} at ${price}`
  return `${verb} at ${price}, up to ${fullCoin({ denom: givenDenom(pair, side), amount: target }, names)}`
}

/** The same names with every digit of a price: it is signed. */
const inFull = (names: Names): Names => ({
  ...names,
  price: (price, pair) => groupThousands(names.unitPrice(price, pair)),
})

/** @example '0.499 USDC per RUNE', 'the oracle price -25 bps' */
export function orderPriceText(
  pair: Pick<Pair, 'base' | 'quote'>,
  price: OrderEntry['price'],
  names: Names,
): string {
  if ('bps' in price) return `the oracle price ${price.bps < 0 ? '' : '+'}${price.bps} bps`
  return `${names.price(formatDecimal(price.fixed), pair)} ${names.per(pair)}`
}

/** The effects of an entry, coin by coin, without zeros. */
function effectTexts(effect: EntryPreview, names: Names): readonly string[] {
  const { given, wanted, claimed, taken, returned, rests } = effect
  const give = (amount: bigint) => fullCoin({ denom: given, amount }, names)
  const want = (amount: bigint) => fullCoin({ denom: wanted, amount }, names)
  const levels = counted(taken.levels.length, 'level')
  return [
    claimed.filled > 0n &&
      `pays fills of ${want(claimed.paid)} after a fee of ${want(claimed.fee)}`,
    taken.offered > 0n &&
      `takes ${want(taken.received)} for ${give(taken.offered)} at ${levels}, after a fee of ${want(taken.fee)}`,
    returned > 0n && `returns ${give(returned)}`,
    rests > 0n && `${give(rests)} rest`,
  ].filter((text) => text !== false)
}

/**
 * The signed content of a swap, decoded from the bytes: sender, amounts, minimum output, recipient, contract
 * and deadline. Amounts are printed in full, with their atomics.
 */
export function renderSwapConfirm(
  view: SwapView,
  context: ConfirmContext,
  style: Style,
): readonly string[] {
  const names = namesOf({ ...context, tokens: view.tokens }, style)
  const { calls, later, tolerance } = view
  const [first] = calls
  const { dot } = glyphsOf(style)
  const sold = sumByDenom(calls.map(({ funds }) => funds))
  const least = sumByDenom(calls.map((call) => call.least))
  const coin = (sum: Sum) => coinPieces(sum, names)
  const router = `router ${names.text(context.routerOrigin)}`
  const [affiliate] = calls.flatMap((call) => call.affiliate ?? [])
  const recipients = new Set(calls.map(({ recipient }) => recipient))
  return [
    ...heading(view, style),
    ...fields(style, [
      ...signerRows(view, context, names),
      ...sold.map((sum) => ['Sends', coin(sum)] as const),
      ...least.map(
        (sum, i) => [i === 0 ? 'Receives' : '', [`at least ${coin(sum).join('   ')}`]] as const,
      ),
      later.length > 0 && ['In all', inAllPieces(view, names)],
      ['Expected', expectedPieces(view, first!, names), ` ${dot} `],
      ['Slippage', [`${formatBps(tolerance.bps)} (${tolerance.source})`]],
      ...[...recipients].map(
        (to) => ['Paid to', recipientPieces(to, view, context, names)] as const,
      ),
      ['Through', [router, ...inParts(names.text(first!.contract), style)], ' '],
      affiliate !== undefined && ['Affiliate', [names.text(affiliate), 'is paid as well']],
      ...transactionRows(view, context, names),
    ]),
    '',
    ...callLines(view, names),
    ...deepLines(view, style),
  ]
}

/** The totals that this and the following transactions sell and demand. */
function inAllPieces({ calls, later }: SwapView, names: Names): readonly string[] {
  const legs = [...calls, ...later]
  const sold = sumByDenom(legs.map(({ funds }) => funds))
  const least = sumByDenom(legs.map((leg) => leg.least))
  const text = (sums: readonly Sum[]) => sums.map((sum) => fullCoin(sum, names)).join(', ')
  return [`${text(sold)} for at least ${text(least)}`, `${later.length + 1} transactions`]
}

function expectedPieces(
  { expected, quoted, impactBps, market, later }: SwapView,
  { least }: DecodedCall,
  names: Names,
): readonly string[] {
  const { denom } = least
  const coin = names.coin({ denom, amount: `${expected}` })
  const change = { denom, amount: `${expected - quoted}` }
  const moved = change.amount === '0' ? 'unchanged' : names.signedCoin(change)
  return [
    later.length === 0 ? coin : `${coin} in all`,
    `impact ${renderImpact(impactBps, names.style)}`,
    `re-quoted at block ${groupThousands(`${market.height}`)}, ${moved}`,
  ]
}

/** The signer, or another account with its name, if it has one here. */
function recipientPieces(
  recipient: string | undefined,
  { keyName }: SwapView,
  { accounts }: ConfirmContext,
  names: Names,
): readonly (string | false)[] {
  const { style } = names
  if (recipient === undefined) return [`you${keyName === null ? '' : ` (${names.text(keyName)})`}`]
  const name = accounts.get(recipient)
  return [
    name !== undefined && names.text(name),
    ...inParts(names.text(recipient), style).map((part) => style.bold(style.bad(part))),
    style.bad('NOT the account that signs'),
  ]
}

function callLines(view: SwapView, names: Names): readonly string[] {
  const { style } = names
  const { calls, later } = view
  const { arrow } = glyphsOf(style)
  const legs = [
    ...calls.map(({ funds, least, stages }) => {
      const over = stages.map(({ address }) => names.pair(address)).join(', ')
      return { funds, least, how: `over ${over}` }
    }),
    ...later.map((leg) => ({ ...leg, how: 'in a transaction of its own' })),
  ]
  const lines = legs.map(({ funds, least, how }, i) => {
    const [from, to] = [fullCoin(funds, names), fullCoin(least, names)]
    return `L${i + 1} ${from} ${arrow} at least ${to}, ${how}`
  })
  const after = later.length > 0 && 'the other legs follow one by one'
  return [
    ...paragraph(messagesText(calls, after), style),
    ...lines.flatMap((line) => hangingEntry(line, style, 4)),
  ]
}

function deepLines({ deep }: SwapView, style: Style): readonly string[] {
  if (deep.length === 0) return []
  const which = deep.map((leg) => `L${leg}`).join(', ')
  return paragraph(
    `${which} takes most of what a book holds: the minimum is drawn close, so that a thinner book fails the transaction`,
    style,
  ).map((line) => style.warning(line))
}
