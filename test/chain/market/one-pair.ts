import type { Market } from '../../../src/engine/market/market.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'

/** The market of one pair as it was read. */
export const marketOf = (pair: object, denoms: readonly string[]): Market =>
  decodeSnapshot(
    {
      format: 'swap.snapshot/1',
      network: 'node',
      chain_id: 'node-1',
      height: 1,
      time: '2026-05-01T00:00:00Z',
      tokens: denoms.map((denom) => ({
        denom,
        decimals: 8,
        symbol: denom,
        name: denom,
        chain: 'X',
        kind: 'secured',
      })),
      router: { address: 'router', dialect: 'stack', fee_bps: 10 },
      pairs: [pair],
    },
    'node',
  )
