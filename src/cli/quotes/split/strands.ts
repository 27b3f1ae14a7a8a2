import type { HopDocument } from '../../../operations/route-document.js'
import type { LegDocument } from '../../../operations/split/split-document.js'

/** A leg, and what its first and its last hop are known by. */
export type Strand = { readonly leg: LegDocument; readonly first: string; readonly last: string }

/** Strands that leave the input over one hop, or one for itself; from top to bottom. */
export type Bundle = readonly Strand[]

/** Every leg for itself, in the order of execution. */
export const apart = (legs: readonly LegDocument[]): readonly Bundle[] =>
  legs.map((leg, i) => [{ leg, first: `${i}`, last: `${i}` }])

/**
 * Legs with a common first hop in one bundle, and as far as that allows those with a common last hop
 * below one another. What comes first in the order of execution stays first.
 */
export function merged(legs: readonly LegDocument[]): readonly Bundle[] {
  const strands = legs.map((leg, i) => strandOf(leg, i))
  const lasts = [...new Set(strands.map(({ last }) => last))]
  const place = ({ last }: Strand) => lasts.indexOf(last)
  const bundles = new Map<string, Strand[]>()
  for (const strand of strands)
    bundles.set(strand.first, [...(bundles.get(strand.first) ?? []), strand])
  return [...bundles.values()]
    .map((bundle) => bundle.toSorted((a, b) => place(a) - place(b)))
    .toSorted((a, b) => place(a[0]!) - place(b[0]!))
}

/** Neighbours that arrive over one hop, as runs; a strand that does so alone is a run of one. */
export function runsOf(strands: readonly Strand[]): readonly (readonly Strand[])[] {
  const runs: Strand[][] = []
  for (const strand of strands) {
    const run = runs.at(-1)
    if (run?.[0]?.last === strand.last) run.push(strand)
    else runs.push([strand])
  }
  return runs
}

/** A way of one hop shares it with nobody: there would be nothing left of the way. */
function strandOf(leg: LegDocument, i: number): Strand {
  const { hops } = leg
  if (hops.length === 1) return { leg, first: `${i}`, last: `${i}` }
  return { leg, first: keyOf(hops[0]!), last: keyOf(hops.at(-1)!) }
}

const keyOf = ({ address, input }: HopDocument): string => `${address} ${input.denom}`
