import type { Opportunity } from './opportunity.js'

/** What is compared of an opportunity: which loop it is, what it takes and what comes back. */
export type ComparableOpportunity = {
  readonly route: Pick<Opportunity['route'], 'id'>
  readonly input: Pick<Opportunity['input'], 'amount'>
  readonly output: bigint
}

/** The changes of the opportunities from one block to the next. */
export type Changes<T extends ComparableOpportunity = Opportunity> = {
  readonly opened: readonly T[]
  /** Those that were there and pay something else now. */
  readonly changed: readonly { readonly before: T; readonly now: T }[]
  readonly closed: readonly T[]
}

/**
 * Compares two scans, each in its own order. An opportunity is the same while its path is: seen from
 * another of its denoms it closes and opens.
 */
export function changesBetween<T extends ComparableOpportunity>(
  before: readonly T[],
  now: readonly T[],
): Changes<T> {
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

const differs = (a: ComparableOpportunity, b: ComparableOpportunity): boolean =>
  a.output !== b.output || a.input.amount !== b.input.amount

const byPath = <T extends ComparableOpportunity>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((each) => [each.route.id, each]))
