import type { Message, Storage } from '../../wasm/contract.js'
import { commitGroups } from './commit.js'
import { copyOf, type Group, groupsOf, takeFrom, totalOf } from './groups.js'
import { chargeLevel } from './lanes.js'
import type { View } from './view.js'

/** What matching the two sides against each other did, in atomics. */
export type Matched = {
  readonly base: readonly Group[]
  readonly quote: readonly Group[]
  readonly profit: { readonly base: bigint; readonly quote: bigint }
}

/**
 * Sells the best base orders to the best quote orders and buys them back, round by round, until a
 * round would lose: that one is discarded (docs/venues.md#the-arbitrage-step). A round in which
 * nothing moves repeats until the gas is used up.
 */
export function matchSides(view: View): Matched {
  const sources = { base: groupsOf(view, 'base'), quote: groupsOf(view, 'quote') }
  const used = { base: [] as Group[], quote: [] as Group[] }
  const profit = { base: 0n, quote: 0n }
  let base = nextOf(sources.base)
  let quote = nextOf(sources.quote)
  while (base !== undefined && quote !== undefined) {
    chargeLevel(view)
    const trial = { base: copyOf(base), quote: copyOf(quote) }
    const sale = takeFrom(view.rules, trial.quote, totalOf(base))
    const purchase = takeFrom(view.rules, trial.base, sale.bought)
    if (purchase.bought < sale.sold || sale.bought < purchase.sold) break
    profit.base += purchase.bought - sale.sold
    profit.quote += sale.bought - purchase.sold
    replaceLast(used.base, base, trial.base)
    replaceLast(used.quote, quote, trial.quote)
    base = totalOf(trial.base) === 0n ? nextOf(sources.base) : trial.base
    quote = totalOf(trial.quote) === 0n ? nextOf(sources.quote) : trial.quote
  }
  return { ...used, profit }
}

const nextOf = (source: Iterator<Group, void>): Group | undefined => {
  const next = source.next()
  return next.done ? undefined : next.value
}

/** A group that several rounds took from counts once, as the last of them left it. */
function replaceLast(list: Group[], before: Group, after: Group): void {
  if (list.at(-1) === before) list[list.length - 1] = after
  else list.push(after)
}

/** Matches the two sides, stores what is left, and says whom to pay. */
export function settleBook(
  view: View,
  storage: Storage,
): { messages: Message[]; matched: Matched } {
  const matched = matchSides(view)
  const messages = [
    ...commitGroups(view, storage, 'base', matched.base),
    ...commitGroups(view, storage, 'quote', matched.quote),
  ]
  return { messages, matched }
}
