import type { Market } from '../../../src/engine/market/market.js'
import { encodeSnapshot } from '../../../src/engine/snapshot/encode.js'

type Written = {
  readonly tokens: readonly { readonly denom: string }[]
  readonly pairs: readonly { readonly address: string; readonly status: string }[]
}

/** A market as data, whatever the order of its lists and the words for what it leaves out. */
export function asData(market: Market): object {
  const { tokens, pairs, ...rest } = encodeSnapshot(market) as Written
  return {
    ...rest,
    tokens: Object.fromEntries(tokens.map((each) => [each.denom, each])),
    pairs: Object.fromEntries(
      pairs.map((each) => [each.address, each.status === 'open' ? each : 'left out']),
    ),
  }
}
