import BigNumber from 'bignumber.js'
import { invalidRequest, type SwapError } from '../../../engine/errors.js'
import type { Side } from '../../../engine/market/pair.js'
import {
  type Decimal,
  decimal,
  formatDecimal,
  MAX_UINT128,
  ONE,
} from '../../../engine/math/decimal.js'
import { greatestPrice, ladderEntries } from '../../../engine/orders/ladder.js'
import { isOrderFailure } from '../../../engine/orders/order-failure.js'
import type { OwnerOrders } from '../../../engine/orders/order-ledger.js'
import type { OrderEntry } from '../../../engine/orders/order-message.js'
import {
  LEAST_BPS,
  MOST_BPS,
  type OrderPlace,
  type OrderPrice,
  oracleRate,
  placeKey,
} from '../../../engine/orders/order-price.js'
import type { RestingOrder } from '../../../engine/orders/resting-order.js'
import { takerOffer } from '../../../engine/orders/taker-rate.js'
import { ratioText } from '../../../operations/amount.js'
import { requireBook } from '../../../operations/names.js'
import type { OrderDraft } from '../../../operations/orders/order-preview.js'
import { orderRefused } from '../../../operations/orders/order-refused.js'
import {
  type TakerPrice,
  type TakerSlippage,
  takerPrice,
} from '../../../operations/orders/taker-price.js'
import { namesOf } from '../../../render/names.js'
import { quote } from '../../../render/width.js'
import { pairNamed } from '../../arguments/pair-name.js'
import { callOf, isAmountLike } from '../../arguments/swap-words.js'
import type { Context, FlagValues } from '../../command.js'
import { flagRefused, valueName } from '../../flags/checked-flag.js'
import { maxCrossFlag, stepsFlag, weightFlag } from '../../flags/command-flags.js'
import { missingArgument, refuseMore } from '../../invalid-request.js'
import { marketNaming } from '../../print-answer.js'
import { readAmount, readerOf, splitGlued } from '../../quotes/route-request.js'

/** The pair, the token that is named first, and its amount, of `<amount> <token> <other token>`. */
type OrderArguments = Awaited<ReturnType<typeof wordsOf>>

/** Amount and tokens as typed. @throws SwapError INVALID_REQUEST if one is missing */
export function requireWords({ form }: Context, args: readonly string[], verb: string) {
  const call = `swap order ${verb} <amount> <token> <other token>`
  const words = args.flatMap((word) => splitGlued(word, form.atomic))
  const [text = '', name = '', other, ...more] = words
  if (other === undefined) throw wordMissing(words, verb, call)
  refuseMore(`order ${verb}`, more)
  const amount = [name, other].find((word) => /^\d[\d.,_]*$/.test(word))
  if (amount !== undefined && /^[a-z]/i.test(text) && text !== 'max') {
    const tokens = [text, amount === name ? other : name]
    throw invalidRequest('the amount is in the wrong place', '/amount', {
      why: `the call is ${call}`,
      hint: `write ${callOf(`order ${verb}`, amount, ...tokens)}`,
    })
  }
  return { text, name, other }
}

/** The error of too few words, with the call that they are the beginning of. Two tokens are often written as a pair. */
function wordMissing(
  [text = '', name = '']: readonly string[],
  verb: string,
  call: string,
): SwapError {
  const isAmount = isAmountLike(text)
  const [base, quoted] = (isAmount ? name : `${text}/${name}`).split('/')
  return invalidRequest(isAmount ? 'a token is missing' : 'the amount is missing', '/amount', {
    why: `the call is ${call}`,
    hint: `write ${callOf(`order ${verb}`, isAmount ? text : '<amount>', base || '<token>', quoted || '<other token>')}`,
  })
}

async function wordsOf(context: Context, args: readonly string[], verb: string) {
  const { text, name, other } = requireWords(context, args, verb)
  const reader = await readerOf(context)
  const first = reader.token(name, '/pair')
  const address = pairNamed(context, reader.market, `${name}/${other}`)
  const { pair } = requireBook(reader.market, address).state
  const names = namesOf(marketNaming(reader.market, context.config), context.out.noteStyle)
  return { pair, names, first: first.denom, amount: readAmount(reader, text, first, '/amount') }
}

/** Writes prices in the units in which they are typed. */
export const showPriceOf =
  ({ names, pair }: PriceWords) =>
  (price: Decimal): string =>
    names.unitPrice(formatDecimal(price), pair)

/** `swap order buy` and `swap order sell`: one order for an amount of the pair's base token. */
export async function placeDraft(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
  verb: 'buy' | 'sell',
): Promise<OrderDraft> {
  const words = await wordsOf(context, args, verb)
  const { pair, first, amount } = words
  if (first !== pair.base) throw otherWayRound(words, verb)
  const side: Side = verb === 'buy' ? 'bid' : 'ask'
  const fillOrKill = flags['fok'] === true
  const isImmediate = fillOrKill || flags['ioc'] === true
  const taker = takerSlippageOf(context, flags)
  const taken = taker && (await takerPrice(context.app, pair, { side, amount }, taker))
  const price = taken ? { fixed: taken.price } : priceOf(words, flags, verb)
  if (taken) noteLimit(context, words, taken)
  const place = { side, price }
  // Computed on the first market, so that later plans build the same message.
  let offer: bigint | undefined
  return {
    pair: pair.address,
    places: [place],
    maxCrossBps: maxCrossFlag.read(flags),
    showPrice: showPriceOf(words),
    pricedBy: taken?.source,
    slippage: taken?.choice,
    fillOrKill,
    entries(book, owner) {
      offer ??= takerOffer(book, { side, amount }, rateOf(price, owner))
      if (!isImmediate) return [entryAddedTo(place, offer, owner)]
      if (orderAt(place, owner) !== undefined)
        throw orderRefused({
          refused: 'order_exists',
          why: 'an order of this account rests at the price, and would be cancelled with the new one',
        })
      return [
        { ...place, target: offer },
        { ...place, target: 0n },
      ]
    },
  }
}

/** `swap order ladder buy|sell`: orders at evenly spaced prices that share an amount. */
export async function ladderDraft(
  context: Context,
  verb: 'buy' | 'sell',
  args: readonly string[],
  flags: FlagValues,
): Promise<OrderDraft> {
  const words = await wordsOf(context, args, `ladder ${verb}`)
  const { pair, names, first, amount } = words
  const side: Side = verb === 'buy' ? 'bid' : 'ask'
  const given = side === 'bid' ? pair.quote : pair.base
  if (first !== given)
    throw invalidRequest(`a ladder that ${verb}s offers ${names.symbol(given)}`, '/amount', {
      why: `the amount is in ${names.symbol(first)}, and the orders together give ${names.symbol(given)}`,
      hint: `name first what is offered: swap order ladder ${verb} <amount> ${names.typed(given)} ${names.typed(first)}`,
    })
  const showPrice = showPriceOf(words)
  const ladder = ladderEntries(
    {
      side,
      from: requiredPrice(words, flags, 'from-price'),
      to: requiredPrice(words, flags, 'to-price'),
      steps: stepsFlag.read(flags),
      weight: weightFlag.read(flags),
      total: amount,
    },
    pair.tick,
    showPrice,
  )
  if (isOrderFailure(ladder)) throw orderRefused(ladder)
  return {
    pair: pair.address,
    places: ladder,
    maxCrossBps: maxCrossFlag.read(flags),
    showPrice,
    entries: (_, owner) => ladder.map((entry) => entryAddedTo(entry, entry.target ?? 0n, owner)),
  }
}

/** The amount offered in addition to the owner's resting order at the same price. */
export function entryAddedTo(place: OrderPlace, amount: bigint, owner: OwnerOrders): OrderEntry {
  const { side, price } = place
  return { side, price, target: (orderAt(place, owner)?.remaining ?? 0n) + amount }
}

/** The owner's order at a side and price. */
export const orderAt = (place: OrderPlace, { orders }: OwnerOrders): RestingOrder | undefined =>
  orders.find((order) => placeKey(order) === placeKey(place))

/** Quote per base. Without an oracle price the review refuses any order. */
function rateOf(price: OrderPrice, { oracle }: OwnerOrders): Decimal {
  if ('fixed' in price) return price.fixed
  return oracle === undefined ? decimal(ONE) : oracleRate(oracle, price.bps)
}

/** `--price` or `--oracle`. */
export function priceOf(words: PriceWords, flags: FlagValues, verb: string): OrderPrice {
  const { price: fixed, oracle } = flags
  if (typeof fixed === 'string' && oracle === undefined)
    return { fixed: readPrice(words, fixed, 'price') }
  if (typeof oracle === 'string' && fixed === undefined) return { bps: readOracle(oracle) }
  throw invalidRequest('an order needs one price', '/price', {
    why: fixed === undefined ? 'none is given' : '--price and --oracle are two',
    hint: `add --price <${words.names.per(words.pair)}>, or --oracle -25bps: see swap help order ${verb}`,
  })
}

/** Context for parsing a price. */
type PriceWords = Pick<OrderArguments, 'pair' | 'names'>

function requiredPrice(
  words: OrderArguments,
  flags: FlagValues,
  name: 'from-price' | 'to-price',
): Decimal {
  const text = flags[valueName(`--${name}`)]
  if (typeof text === 'string') return readPrice(words, text, name)
  throw missingArgument(
    `--${name}`,
    'swap order ladder buy 500 usdc rune --from-price 0.48 --to-price 0.50',
  )
}

/** A price in quote units per base unit as quote atomics per base atomic, exactly. */
function readPrice(words: PriceWords, text: string, name: string): Decimal {
  const { pair, names } = words
  const refuse = (why: string, example = '0.499') => flagRefused(text, `--${name}`, why, example)
  const digits = text.replaceAll('_', '')
  const units = new BigNumber(/^(\d+(\.\d+)?|\.\d+)$/.test(digits) ? digits : 0)
  if (units.isZero()) throw refuse(`it is a decimal above zero: ${names.per(pair)}`)
  const scaled = units.shiftedBy(18 + names.decimals(pair.quote) - names.decimals(pair.base))
  if (!scaled.isInteger()) throw refuse('it has more digits than the chain keeps')
  const price = BigInt(scaled.toFixed())
  if (price <= MAX_UINT128) return decimal(price)
  const greatest = showPriceOf(words)(greatestPrice(pair.tick))
  throw refuse(`the greatest price is ${greatest}`, greatest)
}

/** `-25bps`, `0.5%` or `-25`: basis points from the oracle price. */
function readOracle(text: string): number {
  const [, sign = '', whole = '', part = '', unit = ''] =
    /^([+-]?)(\d{1,5})(?:\.(\d{1,2}))?(bps|%)?$/.exec(text) ?? []
  const hundredths = Number(`${whole}${part.padEnd(2, '0')}`)
  const magnitude = unit === '%' ? hundredths : hundredths / 100
  const bps = sign === '-' ? -magnitude : magnitude
  if (whole !== '' && Number.isInteger(bps) && bps > LEAST_BPS && bps <= MOST_BPS)
    return bps === 0 ? 0 : bps
  throw flagRefused(text, '--oracle', 'it is whole basis points from the oracle price', '-25bps')
}

/** @throws SwapError INVALID_REQUEST unless the first argument is buy or sell */
export function requireSide(text: string): asserts text is 'buy' | 'sell' {
  if (text === 'buy' || text === 'sell') return
  throw invalidRequest(`a ladder buys or sells, and ${quote(text)} is neither`, '/side', {
    why: 'the first word is buy or sell',
    hint: 'write e.g. swap order ladder buy 500 usdc rune --from-price 0.48 --to-price 0.50',
  })
}

function otherWayRound(words: OrderArguments, verb: 'buy' | 'sell'): SwapError {
  const { pair, names } = words
  const [base, quoted] = [names.typed(pair.base), names.typed(pair.quote)]
  return invalidRequest(
    `the pair is ${quote(`${base}/${quoted}`)}: name ${base} first`,
    '/amount',
    {
      why: `its orders buy or sell ${names.symbol(pair.base)}, at a price in ${names.symbol(pair.quote)}`,
      hint: `swap order ${verb} <amount> ${base} ${quoted} --price <${names.per(pair)}>`,
    },
  )
}

/** `--slippage` of an immediate order instead of a price. @throws SwapError INVALID_REQUEST */
function takerSlippageOf({ config }: Context, flags: FlagValues): TakerSlippage | undefined {
  const { slippage, price, oracle, ioc, fok } = flags
  if (slippage === undefined) return undefined
  if (price !== undefined || oracle !== undefined)
    throw misused('--price and --oracle are limits already', 'leave --slippage out, or the price')
  if (ioc !== true && fok !== true)
    throw misused('an order that rests needs a price', 'add --ioc or --fok, or give --price')
  return { bps: config.values.slippage, isAuto: slippage === 'auto' }
}

/** Notes how the limit was chosen, before the confirmation. */
function noteLimit(
  { out }: Context,
  words: PriceWords,
  { price, rate, slippageBps, choice }: TakerPrice,
): void {
  const text = showPriceOf(words)
  const reason = choice?.reason ?? ratioText(slippageBps)
  out.note(
    `the limit is ${text(price)} ${words.names.per(words.pair)}, the last level taken now ${text(rate)}; slippage ${reason}`,
  )
}

const misused = (why: string, hint: string): SwapError =>
  invalidRequest('--slippage cannot be used for this order', '/slippage', { why, hint })
