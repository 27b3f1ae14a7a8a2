import { readFileSync } from 'node:fs'
import { parseDecimal } from '../../engine/math/decimal.js'
import { attempt } from '../../platform/attempt.js'
import type { demoSnapshot } from './snapshot.js'

/**
 * The market snapshot of the demo network without `book`: the books follow from `pools` and `makers`. Amounts are
 * decimal strings of atomics.
 */
export type DemoDocument = ReturnType<typeof demoSnapshot>
export type DemoPair = DemoDocument['pairs'][number]
export type DemoMaker = DemoPair['makers'][number]
export type DemoPool = DemoPair['pools']['quote'][number]

/** The error of every call of a pair's contract; `undefined` for a working pair. */
export function faultOf({ status, reason, fee_taker }: DemoPair): string | undefined {
  if (status !== 'open') return `${status}: ${reason ?? ''}`
  if (parseDecimal(fee_taker) !== undefined) return undefined
  return 'Error parsing into type rujira_fin::config::Config: Error parsing decimal'
}

/** The snapshot entry of a pair whose contract fails every call, as read through a node. */
export const refusedPair = (address: string, fault: string): object => ({
  address,
  status: fault.startsWith('halted: ') ? 'halted' : 'unreadable',
  retired: true,
  reason: `its configuration was refused: ${fault}: query wasm contract failed: unknown request`,
})

/** The document of a new chain's market, as read through a node. */
export const readable = (market: DemoDocument): object => ({
  ...market,
  pairs: market.pairs.map((pair) => {
    const fault = faultOf(pair)
    return fault === undefined ? pair : refusedPair(pair.address, fault)
  }),
})

/**
 * The document of the demo market that the build wrote next to the bundle, as parsed JSON; `undefined` if the program
 * runs from source.
 */
export function shippedMarket(): DemoDocument | undefined {
  // The bundle keeps its chunks one folder below the document.
  for (const place of ['../demo-market.json', './demo-market.json']) {
    const text = attempt(() => readFileSync(new URL(place, import.meta.url), 'utf8'))
    if (text !== undefined) return JSON.parse(text)
  }
  return undefined
}
