import type { Token } from '../../engine/market/token.js'

/** Digits of every asset that says nothing else. */
const DECIMALS = 8

/**
 * The token data in a denom: `btc-btc` is secured on the chain before the first hyphen,
 * `x/ruji` comes from the token factory, `thor.lqdy` and `rune` are the chain's own.
 *
 * @param home the chain that native tokens come from, upper case
 */
export function tokenOfDenom(denom: string, home: string): Token {
  const plain = { denom, decimals: DECIMALS, name: denom, contract: null, logoUri: null }
  const secured = /^([a-z0-9]+)-([^-/]+)(?:-(.+))?$/.exec(denom)
  if (secured) {
    const [, chain = '', symbol = '', contract = null] = secured
    return {
      ...plain,
      kind: 'secured',
      chain: chain.toUpperCase(),
      symbol: symbol.toUpperCase(),
      contract,
    }
  }
  const kind = denom.includes('/') ? 'factory' : 'native'
  const symbol = denom.replace(/^.*[/.]/, '').toUpperCase()
  return { ...plain, kind, chain: home, symbol: symbol === '' ? denom : symbol }
}
