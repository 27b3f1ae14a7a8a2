import type { PairDenoms } from '../engine/market/pair.js'
import type { Denom, Token } from '../engine/market/token.js'
import { formatUnits } from '../engine/math/units.js'
import type { CoinDocument } from '../operations/document-schema.js'
import { typedName, uniqueNames } from '../operations/unique-names.js'
import { formatAmount, formatPayment, formatPrice, formatShort, scalePrice } from './amount.js'
import { glyphsOf, plainStyle, type Style, safeText } from './style.js'
import { shortenMiddle } from './width.js'

/** The data of a token that its name and its amounts need. */
export type NamedToken = Pick<Token, 'symbol' | 'chain' | 'decimals'>

/** Sources of the names of tokens and pairs. */
export type Naming = {
  readonly tokens: ReadonlyMap<Denom, NamedToken>
  /** Pairs by address. A missing pair is named by the two denoms of its hop. */
  readonly pairs?: ReadonlyMap<string, PairDenoms> | undefined
  /** Aliases in lower case. Only the denom of the alias `usdc` is printed as a bare `USDC`. */
  readonly aliases?: ReadonlyMap<string, Denom> | undefined
}

/** Formats names and amounts as escaped text in the character set of the output. */
export type Names = {
  /** The style that they are bound to. */
  readonly style: Style
  /** A token's symbol; `USDC.base` where the bare symbol means another token; the denom if that is not unique either. */
  symbol(denom: Denom): string
  /** A token's bare symbol, for output that identifies the token elsewhere. */
  ticker(denom: Denom): string
  /** The input that means exactly this token, as a word of a command line. */
  typed(denom: Denom): string
  decimals(denom: Denom): number
  /** Rounded towards zero. @example '226,879.60' */
  amount(coin: CoinDocument): string
  /** @example '226,879.60 RUNE' */
  coin(coin: CoinDocument): string
  /** A coin that is paid, rounded up. */
  payment(coin: CoinDocument): string
  /** With its sign, also if positive. @example '+0.5 RUNE' */
  signedCoin(coin: CoinDocument): string
  /** Every digit. */
  units(coin: CoinDocument): string
  /** A price of a pair, quote atomics per base atomic, in units; rounded down. @example '78,606.05' */
  price(price: string, pair: PairDenoms): string
  /** The unit of the prices of a pair. @example 'USDC per RUNE' */
  per(pair: PairDenoms): string
  /** A price with every digit, without its unit. */
  unitPrice(price: string, pair: PairDenoms): string
  /** With the end of its address where another pair has the same name. @example 'btc/usdc', 'btc/usdc#9d4q' */
  pair(address: string, hop?: PairDenoms): string
  /** The id of an order, as it can be typed, with the pair by its name where that is shorter. @example 'rune/usdc/buy/0.499' */
  order(order: { readonly id: string; readonly pair: string }): string
  pairDenoms(address: string): PairDenoms | undefined
  /** Symbols from the first to the last denom. @example 'BTC → USDC → RUNE' */
  path(denoms: readonly Denom[]): string
  /** An address or denom, shortened in the middle to `width`, on terminals only. */
  short(text: string, width: number): string
  /** Untrusted text, escaped. */
  text(text: string): string
}

/** What a renderer passes to its sections. */
export type View<Answer, Context = unknown> = {
  readonly answer: Answer
  readonly context: Context
  readonly names: Names
  readonly style: Style
}

/** Columns of a symbol at most, or of the denom that names a token without a unique one. */
const NAME_WIDTH = 24

/** Whether a name can be typed, and is not read as a flag; otherwise the denom is used. */
const isTypable = (name: string): boolean =>
  name.length <= NAME_WIDTH && /^(?!-)[\x21-\x7e]+$/.test(name)

/**
 * What must be typed to confirm a token: its unique name, or its denom if that name cannot be typed or does not fit the
 * line.
 */
export function confirmationWord(denom: Denom, naming: Naming): string {
  const name = namesOf(naming, plainStyle).symbol(denom)
  return isTypable(name) ? name : denom
}

/** Binds names to a style. */
export function namesOf(naming: Naming, style: Style): Names {
  const glyphs = glyphsOf(style)
  const text = (raw: string) => safeText(raw, style)
  const short = (raw: string, width: number) =>
    style.tty ? shortenMiddle(text(raw), width, glyphs.ellipsis) : text(raw)
  const callOf = uniqueNames(naming)
  const isShared = sharedPairs(naming)
  const symbol = (denom: Denom) => short(callOf(denom) ?? denom, NAME_WIDTH)
  // Denoms are case-sensitive.
  const small = (denom: Denom) =>
    callOf(denom) === undefined ? symbol(denom) : symbol(denom).toLowerCase()
  const decimals = (denom: Denom) => naming.tokens.get(denom)?.decimals ?? 0
  const unitPrice = (price: string, { base, quote }: PairDenoms) =>
    scalePrice(price, { base: decimals(base), quote: decimals(quote) })
  const amount = (coin: CoinDocument) =>
    formatAmount(BigInt(coin.amount), decimals(coin.denom), style)
  const typed = (denom: Denom) => {
    const name = typedName(callOf(denom), denom)
    return isTypable(name) ? name : denom
  }
  const endOf = (address: string, denoms: PairDenoms) => (isShared(denoms) ? pairEnd(address) : '')
  const pair = (address: string, hop?: PairDenoms) => {
    const denoms = naming.pairs?.get(address) ?? hop
    if (denoms === undefined) return short(address, NAME_WIDTH)
    return `${small(denoms.base)}/${small(denoms.quote)}${endOf(address, denoms)}`
  }
  return {
    style,
    symbol,
    ticker: (denom) => short(naming.tokens.get(denom)?.symbol ?? denom, NAME_WIDTH),
    typed,
    decimals,
    amount,
    coin: (coin) => `${amount(coin)} ${symbol(coin.denom)}`,
    payment: ({ denom, amount }) =>
      `${formatPayment(BigInt(amount), decimals(denom), style)} ${symbol(denom)}`,
    signedCoin: (coin) =>
      `${coin.amount.startsWith('-') ? '' : '+'}${amount(coin)} ${symbol(coin.denom)}`,
    units: (coin) => formatUnits(BigInt(coin.amount), decimals(coin.denom)),
    price: (price, pair) => formatPrice(unitPrice(price, pair), style),
    per: ({ base, quote }) => `${symbol(quote)} per ${symbol(base)}`,
    unitPrice,
    pair,
    order({ id, pair: address }) {
      const denoms = naming.pairs?.get(address)
      if (denoms === undefined) return text(id)
      const name = `${typed(denoms.base)}/${typed(denoms.quote)}${endOf(address, denoms)}`
      return name.length > address.length ? text(id) : text(name) + id.slice(address.length)
    },
    pairDenoms: (address) => naming.pairs?.get(address),
    path: (denoms) => denoms.map(symbol).join(` ${glyphs.arrow} `),
    short,
    text,
  }
}

/** The suffix that distinguishes pairs of the same tokens: the end of the address. */
export const pairEnd = (address: string): string => `#${address.slice(-4)}`

/** Whether several pairs trade the same two tokens. */
function sharedPairs({ pairs = new Map() }: Naming): (pair: PairDenoms) => boolean {
  const keyOf = ({ base, quote }: PairDenoms) =>
    base < quote ? `${base} ${quote}` : `${quote} ${base}`
  let counts: Map<string, number> | undefined
  const counted = () => {
    const found = new Map<string, number>()
    for (const pair of pairs.values()) found.set(keyOf(pair), (found.get(keyOf(pair)) ?? 0) + 1)
    return found
  }
  return (pair) => {
    counts ??= counted()
    return (counts.get(keyOf(pair)) ?? 0) > 1
  }
}

/**
 * A coin in short form.
 *
 * @param nameOf by default for a row that names the pair
 * @example '141.9k USDC'
 */
export const shortCoin = (
  { denom, amount }: CoinDocument,
  names: Names,
  nameOf = names.ticker,
): string => `${formatShort(BigInt(amount), names.decimals(denom))} ${nameOf(denom)}`
