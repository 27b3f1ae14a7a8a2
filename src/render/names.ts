import type { Market } from '../engine/market/market.js'
import type { Denom, Token } from '../engine/market/token.js'
import type { CoinDocument } from '../operations/route-document.js'
import { formatAmount, formatUnits } from './amount.js'
import { glyphsOf, type Style, toAscii } from './style.js'
import { printable, shortenMiddle } from './width.js'

/** A pair's two denoms: the traded asset and the one that prices are in. */
export type PairDenoms = { readonly base: Denom; readonly quote: Denom }

/** What is needed of a token to name it and to write its amounts. */
export type NamedToken = Pick<Token, 'symbol' | 'chain' | 'decimals'>

/** What renderers need to call things by their names. */
export type Naming = {
  readonly tokens: ReadonlyMap<Denom, NamedToken>
  /** Pairs by address. A pair that is missing is called by the two denoms of its hop. */
  readonly pairs?: ReadonlyMap<string, PairDenoms> | undefined
  /** What names mean, in lower case: `usdc` is a denom. Decides who may be called `USDC` alone. */
  readonly aliases?: ReadonlyMap<string, Denom> | undefined
}

/** Names and amounts as one text each, safe to print and spelled for the terminal. */
export type Names = {
  /** A token's symbol; `USDC.base` where another token is what the bare symbol means. */
  symbol(denom: Denom): string
  /** A token's symbol alone, for places that say elsewhere which token of that symbol it is. */
  ticker(denom: Denom): string
  /** What to type to mean this token and no other. */
  typed(denom: Denom): string
  decimals(denom: Denom): number
  /** For people: rounded down. @example '226,879.60' */
  amount(coin: CoinDocument): string
  /** @example '226,879.60 RUNE' */
  coin(coin: CoinDocument): string
  /** Every digit, for machines. */
  units(coin: CoinDocument): string
  /** @example 'btc/usdc' */
  pair(address: string, hop?: PairDenoms): string
  pairDenoms(address: string): PairDenoms | undefined
  /** Symbols from the first to the last denom. @example 'BTC → USDC → RUNE' */
  path(denoms: readonly Denom[]): string
  /** An address or denom, shortened in the middle to `width`, on terminals only. */
  short(text: string, width: number): string
  /** Text that came from outside, harmless. */
  text(text: string): string
}

/** The pairs of a market as `Naming` wants them. */
export const pairsOf = (market: Market): ReadonlyMap<string, PairDenoms> =>
  new Map([...market.books].map(([address, book]) => [address, book.state.pair]))

/** Columns left of a denom that stands for a token without a symbol of its own. */
const DENOM_WIDTH = 24

/** Binds names to a style. */
export function namesOf(naming: Naming, style: Style): Names {
  const glyphs = glyphsOf(style)
  const text = (raw: string) => (style.ascii ? toAscii(printable(raw)) : printable(raw))
  const short = (raw: string, width: number) =>
    style.tty ? shortenMiddle(text(raw), width, glyphs.ellipsis) : text(raw)
  const callOf = callsOf(naming)
  const symbol = (denom: Denom) => {
    const call = callOf(denom)
    return call === undefined ? short(denom, DENOM_WIDTH) : text(call)
  }
  // Denoms keep their case: it is part of them.
  const small = (denom: Denom) =>
    callOf(denom) === undefined ? symbol(denom) : symbol(denom).toLowerCase()
  const decimals = (denom: Denom) => naming.tokens.get(denom)?.decimals ?? 0
  const amount = (coin: CoinDocument) =>
    formatAmount(BigInt(coin.amount), decimals(coin.denom), { group: style.tty })
  return {
    symbol,
    ticker: (denom) => text(naming.tokens.get(denom)?.symbol ?? denom),
    typed: (denom) => callOf(denom)?.toLowerCase() ?? denom,
    decimals,
    amount,
    coin: (coin) => `${amount(coin)} ${symbol(coin.denom)}`,
    units: (coin) => formatUnits(BigInt(coin.amount), decimals(coin.denom)),
    pair(address, hop) {
      const pair = naming.pairs?.get(address) ?? hop
      if (pair === undefined) return short(address, DENOM_WIDTH)
      return `${small(pair.base)}/${small(pair.quote)}`
    },
    pairDenoms: (address) => naming.pairs?.get(address),
    path: (denoms) => denoms.map(symbol).join(` ${glyphs.arrow} `),
    short,
    text,
  }
}

/** What a token may be called: its symbol, or symbol and chain, whichever is its alone. */
function callsOf({ tokens, aliases }: Naming): (denom: Denom) => string | undefined {
  const count = (nameOf: (token: NamedToken) => string) => {
    const counts = new Map<string, number>()
    for (const token of tokens.values()) {
      const name = nameOf(token)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    return counts
  }
  const bare = ({ symbol }: NamedToken) => symbol.toLowerCase()
  const full = (token: NamedToken) => `${bare(token)}.${token.chain.toLowerCase()}`
  const [bareCounts, fullCounts] = [count(bare), count(full)]
  return (denom) => {
    const token = tokens.get(denom)
    if (token === undefined) return undefined
    const meant = aliases?.get(bare(token))
    const isBare = meant ? meant === denom : bareCounts.get(bare(token)) === 1
    if (isBare) return token.symbol
    return fullCounts.get(full(token)) === 1
      ? `${token.symbol}.${token.chain.toLowerCase()}`
      : undefined
  }
}
