import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { marketSnapshotOf } from '../../../src/demo-chain/genesis/market-snapshot.js'
import type { Market } from '../../../src/engine/market/market.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { encodeSnapshot } from '../../../src/engine/snapshot/encode.js'

type Written = {
  readonly tokens: readonly { readonly denom: string }[]
  readonly pairs: readonly { readonly address: string; readonly status: string }[]
}

/**
 * The market of a chain from its own state, with only the tokens that a pair trades, as a reader finds it.
 */
export function ownMarket(chain: EmbeddedChain): Market {
  const market = decodeSnapshot(marketSnapshotOf(chain), 'chain')
  const pairs = [...market.books.values()].map(({ state }) => state.pair)
  const traded = new Set(pairs.flatMap(({ base, quote }) => [base, quote]))
  const tokens = [...market.tokens].filter(([denom]) => traded.has(denom))
  return { ...market, tokens: new Map(tokens) }
}

/** A market as plain data, independent of the order of its lists and the texts of its exclusions. */
export function asData(market: Market): object {
  const { tokens, pairs, ...rest } = encodeSnapshot(market) as Written
  return {
    ...rest,
    tokens: Object.fromEntries(tokens.map((token) => [token.denom, token])),
    pairs: Object.fromEntries(
      pairs.map((pair) => [pair.address, pair.status === 'open' ? pair : 'left out']),
    ),
  }
}
