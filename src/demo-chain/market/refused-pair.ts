import { parseDecimal } from '../../engine/math/decimal.js'
import type { DemoDocument, DemoPair } from './document.js'

/** The error with which the contract of a pair refuses everything; `undefined` where it works. */
export const faultOf = ({ status, reason, fee_taker }: DemoPair): string | undefined =>
  status !== 'open'
    ? `${status}: ${reason ?? ''}`
    : parseDecimal(fee_taker) === undefined
      ? 'Error parsing into type rujira_fin::config::Config: Error parsing decimal'
      : undefined

/** A pair whose contract refuses everything for good, as a market that is read through a node lists it. */
export const refusedPair = (address: string, fault: string): object => ({
  address,
  status: fault.startsWith('halted: ') ? 'halted' : 'unreadable',
  retired: true,
  reason: `its configuration was refused: ${fault}: query wasm contract failed: unknown request`,
})

/** The document of a new chain's market, as one that is read through a node. */
export const readable = (market: DemoDocument): object => ({
  ...market,
  pairs: market.pairs.map((pair) => {
    const fault = faultOf(pair)
    return fault === undefined ? pair : refusedPair(pair.address, fault)
  }),
})
