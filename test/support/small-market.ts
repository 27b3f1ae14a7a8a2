import type { Dialect, Market } from '../../src/engine/market/market.js'
import { decodeSnapshot } from '../../src/engine/snapshot/decode.js'

type Level = { readonly price: string; readonly total: string }
type Sides = { readonly base?: readonly Level[]; readonly quote?: readonly Level[] }

/** A market of pairs as a snapshot has them; each denom is a token of eight decimals. */
export const marketOf = (
  pairs: readonly object[],
  denoms: Iterable<string>,
  router: object = { dialect: 'stack', fee_bps: 10 },
): Market =>
  decodeSnapshot(
    {
      format: 'swap.snapshot/1',
      network: 'small',
      chain_id: 'small-1',
      height: 1,
      time: '2026-05-01T00:00:00Z',
      tokens: [...new Set(denoms)].map((denom) => ({
        denom,
        decimals: 8,
        symbol: denom,
        name: denom,
        chain: 'X',
        kind: 'secured',
      })),
      router: { address: 'router', ...router },
      pairs,
    },
    'small',
  )

/** A market of pairs `base/quote` with fixed orders, no taker fee, and a router without fees. */
export function smallMarket(
  pairs: Readonly<Record<string, Sides>>,
  router: {
    readonly dialect: Dialect
    readonly fee_bps?: number
    readonly affiliates?: object
    readonly affiliate_rounding?: 'down' | 'up' | null
    readonly balances?: Readonly<Record<string, string>>
  },
): Market {
  return marketOf(
    Object.entries(pairs).map(([name, { base = [], quote = [] }]) => ({
      address: name,
      base: name.split('/')[0],
      quote: name.split('/')[1],
      tick: 6,
      fee_taker: '0',
      fee_maker: '0',
      fin_version: '1.1.0',
      pools: { base, quote },
      makers: [],
      status: 'open',
    })),
    Object.keys(pairs).flatMap((name) => name.split('/')),
    { fee_bps: 0, affiliate_rounding: 'down', ...router },
  )
}
