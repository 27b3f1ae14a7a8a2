import type { Market } from '../../engine/market/market.js'
import { isRefusal } from '../../engine/market/refusal.js'
import { grossOf, type Hop, payoutOf, simulatedPayout } from '../../engine/market/router.js'
import type { Coin } from '../../engine/market/token.js'
import type { Limits } from '../../engine/routing/query.js'
import { finishRoute, isSimplePath, type Route } from '../../engine/routing/route.js'
import type { Contracts, SimulateQuery, SimulateResult } from '../chain-port.js'
import { answersByName, nameOf } from '../simulations.js'

export type ConfirmationTerms = { readonly limits: Limits; readonly slippageBps: number }

/** A route whose hops are being confirmed. */
export type Confirmation = {
  readonly route: Route
  hops: readonly Hop[]
  /** Whether its numbers are final: ours if all is known or a node could not answer, else the contracts'. */
  state: 'open' | 'ours' | 'theirs' | 'refused'
}

/** Excludes exact routes, and paths that return to a denom, since `simulate` ignores leftovers. */
export const confirmationOf = (route: Route): Confirmation =>
  route.exact || !isSimplePath(route)
    ? { route, hops: route.hops, state: 'ours' }
    : { route, hops: [], state: 'open' }

/**
 * Replaces the numbers of routes over incompletely known pairs by the contracts' (`confirmHops`), and drops
 * routes that a contract refuses; in their order.
 */
export async function confirmRoutes(
  contracts: Contracts,
  market: Market,
  routes: readonly Route[],
  terms: ConfirmationTerms,
): Promise<readonly Route[]> {
  const confirmations = routes.map(confirmationOf)
  await confirmHops(
    contracts,
    market.height,
    confirmations.map((confirmation) => [confirmation]),
  )
  return confirmations.flatMap((confirmation) => {
    const { route, hops, state } = confirmation
    if (state === 'ours') return route
    const finished = confirmedRoute(market, confirmation, terms)
    if (finished === undefined) return []
    return {
      ...finished,
      simulated: simulatedPayout(market.router, hops.at(-1)!.output.amount).returned,
    }
  })
}

/** The route with the contracts' numbers; `undefined` if a contract refuses it, or the fees leave nothing. */
export function confirmedRoute(
  market: Market,
  { route: { input }, hops, state }: Confirmation,
  terms: ConfirmationTerms,
): Route | undefined {
  if (state === 'refused') return undefined
  const payout = payoutOf(market.router, grossOf(market.router, hops), terms.limits.affiliate)
  return isRefusal(payout) ? undefined : finishRoute(market, input, hops, terms)
}

/**
 * Queries the contracts for unconfirmed routes; those of one list are executed in sequence. Each hop gets its
 * pair's `simulate` for the previous hop's output at a height. If earlier routes of the list use the same
 * book, it gets the answer for their total less what they were paid. The numbers stay inexact, since
 * `simulate` runs no arbitrage step. A route that no node could answer for keeps our estimate.
 */
export async function confirmHops(
  contracts: Contracts,
  height: number,
  lists: readonly (readonly Confirmation[])[],
): Promise<void> {
  for (;;) {
    const pending = lists.flatMap(pendingHops)
    if (pending.length === 0) return
    const questions = pending.map(({ question }) => question)
    const answers = await answersByName(contracts, questions, height)
    for (const hop of pending) applyResult(hop, answers.get(nameOf(hop.question))!)
  }
}

/** What has passed through the same side of a book before a hop. */
type EarlierUse = { readonly offered: bigint; readonly bought: bigint; readonly fee: bigint }

type PendingHop = {
  readonly confirmation: Confirmation
  readonly hop: Hop
  readonly offer: Coin
  readonly before: EarlierUse
  readonly question: SimulateQuery
}

/** The next hop of every route whose earlier use of the same book is confirmed. */
function pendingHops(list: readonly Confirmation[]): readonly PendingHop[] {
  if (list.some(({ state }) => state === 'refused')) return []
  return list.flatMap((confirmation, i) => {
    const { route, hops, state } = confirmation
    const hop = route.hops[hops.length]
    if (state !== 'open' || hop === undefined) return []
    const earlierRoutes = list.slice(0, i)
    if (earlierRoutes.some((each) => stillUses(each, hop))) return []
    const before = sumOf([...earlierRoutes.flatMap((each) => each.hops), ...hops], hop)
    const offer = hops.at(-1)?.output ?? route.input
    const coin = { denom: offer.denom, amount: offer.amount + before.offered }
    const question = { contract: hop.book.state.pair.address, coin }
    return [{ confirmation, hop, offer, before, question }]
  })
}

const isSame = (a: Hop, b: Hop): boolean => a.book === b.book && a.fill.side === b.fill.side

const stillUses = ({ route, hops }: Confirmation, hop: Hop): boolean =>
  route.hops.slice(hops.length).some((each) => isSame(each, hop))

const sumOf = (hops: readonly Hop[], hop: Hop): EarlierUse =>
  hops
    .filter((each) => isSame(each, hop))
    .reduce(
      ({ offered, bought, fee }, { offer, fill }) => ({
        offered: offered + offer.amount,
        bought: bought + fill.bought,
        fee: fee + fill.fee,
      }),
      { offered: 0n, bought: 0n, fee: 0n },
    )

function applyResult(
  { confirmation, hop, offer, before }: PendingHop,
  answer: SimulateResult,
): void {
  const { route } = confirmation
  if (answer.kind === 'unknown') {
    confirmation.hops = route.hops
    confirmation.state = 'ours'
    return
  }
  const bought = answer.kind === 'answered' ? answer.returned - before.bought : 0n
  if (answer.kind !== 'answered' || bought <= 0n) {
    confirmation.state = 'refused'
    return
  }
  const fee = answer.fee > before.fee ? answer.fee - before.fee : 0n
  confirmation.hops = [...confirmation.hops, filledHop(hop, offer, bought, fee)]
  if (confirmation.hops.length === route.hops.length) confirmation.state = 'theirs'
}

/** A hop that takes all of its offer, with a contract's numbers. */
const filledHop = (hop: Hop, offer: Coin, bought: bigint, fee: bigint): Hop => ({
  ...hop,
  offer,
  output: { denom: hop.output.denom, amount: bought },
  fill: { ...hop.fill, sold: offer.amount, unsold: 0n, bought, fee, exact: false },
})
