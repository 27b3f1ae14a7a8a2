import type { Denom } from '../engine/market/token.js'

/** Built-in aliases for symbols that several tokens share. Lower case. */
export const builtInAliases: ReadonlyMap<string, Denom> = new Map([
  ['usdc', 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'],
  ['usdt', 'eth-usdt-0xdac17f958d2ee523a2206206994597c13d831ec7'],
  ['eth', 'eth-eth'],
  ['btc', 'btc-btc'],
])

/**
 * What people call tokens beside the names in the token list, by symbol. Lower case letters and digits. A
 * name goes after every denom, alias and symbol.
 */
export const usualNames: ReadonlyMap<string, string> = new Map([
  ['thor', 'rune'],
  ['ether', 'eth'],
  ['tether', 'usdt'],
  ['rujira', 'ruji'],
  ['cosmos', 'atom'],
  ['ripple', 'xrp'],
  ['binancecoin', 'bnb'],
])
