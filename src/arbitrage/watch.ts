import type { Opportunity } from './opportunity.js'

/** What became of the opportunities from one block to the next. */
export type Changes = {
  readonly opened: readonly Opportunity[]
  /** Those that were there and pay something else now. */
  readonly changed: readonly { readonly before: Opportunity; readonly now: Opportunity }[]
  readonly closed: readonly Opportunity[]
}

/**
 * Compares two scans, each in its own order. An opportunity is the same while its path is: seen from
 * another of its denoms it closes and opens.
 */
export function changesBetween(
  before: readonly Opportunity[],
  now: readonly Opportunity[],
): Changes {
  const [old, fresh] = [byPath(before), byPath(now)]
  return {
    opened: now.filter(({ route }) => !old.has(route.id)),
    changed: now.flatMap((each) => {
      const was = old.get(each.route.id)
      if (was === undefined || !differs(was, each)) return []
      return [{ before: was, now: each }]
    }),
    closed: before.filter(({ route }) => !fresh.has(route.id)),
  }
}

const differs = (a: Opportunity, b: Opportunity): boolean =>
  a.output !== b.output || a.input.amount !== b.input.amount

const byPath = (list: readonly Opportunity[]): ReadonlyMap<string, Opportunity> =>
  new Map(list.map((each) => [each.route.id, each]))
