import type { Decimal } from '../../engine/math/decimal.js'
import { fairPrice, shiftedBy } from '../market/draw.js'
import { type LadderStyle, type PairFact, pairFacts } from '../market/pair-facts.js'
import type { KnownPair } from './context.js'

/** The initial shape of a pair's book, which the quoting agents maintain. */
export type Reference = {
  /** Deviation of its price from the fair one, in basis points. */
  readonly shift: bigint
  /** Initial price, quote atomics per base atomic. */
  readonly anchor: Decimal
  /** Dollars that rest on each side. */
  readonly depthUsd: bigint
  readonly rungs: Rungs
  /** A side that is empty in the generated market stays empty. */
  readonly hasAsks: boolean
}

/**
 * The ladder of maintained orders: distance of the nearest one and between two, in millionths, and their number. On
 * average as in the generated market; a pair lists at most 31 orders of one owner.
 */
type Rungs = { readonly nearest: bigint; readonly step: bigint; readonly count: number }

const rungsOf: Readonly<Record<LadderStyle, Rungs>> = {
  hub: { nearest: 500n, step: 1_900n, count: 15 },
  dislocated: { nearest: 300n, step: 1_250n, count: 15 },
  volatile: { nearest: 800n, step: 2_300n, count: 11 },
  pegged: { nearest: 200n, step: 400n, count: 6 },
}

/** The middle of the range of dislocations in the generated market. */
const DISLOCATION_BPS = 41n

const facts: ReadonlyMap<string, PairFact> = new Map(
  pairFacts.map((fact) => [`${fact.base.denom} ${fact.quote.denom}`, fact]),
)

/** The initial shape of a pair; `undefined` outside the demo market. */
export function referenceOf({ base, quote }: KnownPair): Reference | undefined {
  const fact = facts.get(`${base} ${quote}`)
  if (fact === undefined) return undefined
  const shift = fact.dislocation * DISLOCATION_BPS
  return {
    shift,
    anchor: shiftedBy(fairPrice(fact.base, fact.quote), shift),
    depthUsd: fact.depthUsd,
    rungs: rungsOf[fact.style],
    hasAsks: fact.quirk !== 'no asks',
  }
}

/** Whether a pair is a hub, which most routes use. */
export function isBusy({ base, quote }: KnownPair): boolean {
  const style = facts.get(`${base} ${quote}`)?.style
  return style === 'hub' || style === 'dislocated'
}
