import type { Denom } from '../engine/market/token.js'

/**
 * `maxHops` as a key of `.swaprc`: `max_hops`, which is also the member of a request. Settings of the router, the
 * history and limits are in groups: `router.address`.
 */
export const keyOf = (name: string): string =>
  name
    .replace(
      /^(router|history|limits)([A-Z])/,
      (_, group: string, letter: string) => `${group}.${letter.toLowerCase()}`,
    )
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `maxHops` as a variable: `SWAP_MAX_HOPS`. */
export const envOf = (name: string): string => `SWAP_${keyOf(name).replace('.', '_').toUpperCase()}`

/** `maxHops` as a flag: `--max-hops`. */
export const flagOf = (name: string): string => `--${keyOf(name).replaceAll(/[_.]/g, '-')}`

/** Whether a text has the shape and length of a bech32 address; the checksum is not checked. */
export const isAddressShaped = (text: string): boolean =>
  /^[a-z]{1,20}1[a-z0-9]{38,68}$/i.test(text)

/** Whether a text is a valid name of the address book: a valid key name that is not shaped like an address. */
export const isBookName = (text: string): boolean =>
  /^[a-z0-9][a-z0-9_-]{0,31}$/i.test(text) && !/^[a-z]{2,}1[02-9ac-hj-np-z]{6,}$/i.test(text)

/** Names of aliases, in ASCII. */
export const isAliasName = (text: string): boolean => /^[a-z][\w.-]{0,63}$/i.test(text)

/** What a name of each group consists of, for errors. */
export const NAME_RULES = {
  alias: 'a letter from a to z, then letters, digits, dots, hyphens or underscores, at most 64',
  book: 'letters from a to z, digits, hyphens and underscores, at most 32, and not like an address',
} as const

/** Built-in aliases for symbols that several tokens share. Lower case. */
export const builtInAliases: ReadonlyMap<string, Denom> = new Map([
  ['usdc', 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'],
  ['usdt', 'eth-usdt-0xdac17f958d2ee523a2206206994597c13d831ec7'],
  ['eth', 'eth-eth'],
  ['btc', 'btc-btc'],
])

/**
 * Common names of tokens that are not in the token list, by symbol; lower-case letters and digits. Denoms, aliases and
 * symbols have precedence.
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
