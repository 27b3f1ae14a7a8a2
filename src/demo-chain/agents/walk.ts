import type { Random } from '../market/random.js'
import { oneOf } from './chance.js'
import type { KnownPair, World } from './setting.js'

/** One hop of a route: the pair, and what goes in and comes out. */
export type Hop = { readonly pair: KnownPair; readonly offered: string; readonly received: string }

/** The denom that a pair gives for one of its two. */
const other = (pair: KnownPair, denom: string): string =>
  denom === pair.base ? pair.quote : pair.base

/** A route of up to `hops` pairs from a denom, no pair and no denom twice. */
export function wander(
  { pairsOf }: World,
  random: Random,
  from: string,
  hops: number,
): readonly Hop[] {
  const route: Hop[] = []
  const seen = new Set([from])
  for (let at = from; route.length < hops; ) {
    const next = (pairsOf.get(at) ?? []).filter((pair) => !seen.has(other(pair, at)))
    const pair = oneOf(random, next)
    if (!pair) break
    const received = other(pair, at)
    route.push({ pair, offered: at, received })
    seen.add(received)
    at = received
  }
  return route
}

/** A way round three pairs that ends where it began, or nothing. */
export function cycle(world: World, random: Random, from: string): readonly Hop[] {
  const [first, second] = wander(world, random, from, 2)
  if (!first || !second) return []
  const back = (world.pairsOf.get(second.received) ?? []).find(
    (pair) => other(pair, second.received) === from && pair !== first.pair,
  )
  return back ? [first, second, { pair: back, offered: second.received, received: from }] : []
}

/** A route as the router's stages, by dialect. */
export const stagesOf = (dialect: string, route: readonly Hop[]) =>
  dialect === 'stack'
    ? route.map(({ pair, offered }) => ({ address: pair.address, denom: offered })).reverse()
    : route.map(({ pair, received }) => ({ address: pair.address, denom: received }))
