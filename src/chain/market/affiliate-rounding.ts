import type { Book } from '../../engine/market/book.js'
import {
  AFFILIATE_ROUNDINGS,
  type Affiliate,
  type AffiliateRounding,
  type Market,
} from '../../engine/market/market.js'
import { sideOf } from '../../engine/market/pair.js'
import { isRefusal } from '../../engine/market/refusal.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import { routeAlong } from '../../engine/routing/find-routes.js'
import { messageOf } from '../../engine/routing/message.js'
import type { Route } from '../../engine/routing/route.js'
import type { Source } from '../rpc/query-source.js'
import { simulateFirstTx } from '../tx/simulate-tx.js'

/** A swap over one pair whose output the two roundings divide differently. */
type Trial = {
  readonly book: Book
  readonly down: Route
  readonly up: Route
  readonly code: string
}

/** Swaps that are simulated at most, and that have to agree: a market that moved meanwhile may fool one. */
const [TRIALS, AGREEING] = [4, 2]
/** Share of a pair's depth that is offered. */
const SHARE = 1000n
/** Amounts in a row that are tried until the roundings differ: they agree where 10,000 divides the fee. */
const AMOUNTS = 4n
/** Wide, since the node simulates on its newest state. */
const SLIPPAGE_BPS = 5_000

/**
 * How a router of an unknown build rounds the affiliate fee (docs/chain.md#the-routers-build): the node simulates a
 * swap with an affiliate, which another pair pays for. `undefined` where fewer than two trials pay one of the two
 * numbers, or where they do not agree.
 *
 * @throws NodeFault
 */
export async function detectAffiliateRounding(
  source: Source,
  market: Market,
): Promise<AffiliateRounding | undefined> {
  const { router, height } = market
  const told: AffiliateRounding[] = []
  for (const { book, down, up, code } of trialsOf(market)) {
    const sender = holderOf(market, book, down.input)
    if (sender === undefined) continue
    const message = messageOf(router, up, { affiliate: code })
    const swap = { contract: router.address, message, funds: [up.input] }
    const trial = await simulateFirstTx(source, sender, [swap], height)
    if (trial.kind === 'failed') continue
    const paid = trial.payments
      .filter(({ to, coin }) => to === sender && coin.denom === up.output)
      .reduce((sum, { coin }) => sum + coin.amount, 0n)
    if (paid === down.expected) told.push('down')
    if (paid === up.expected) told.push('up')
    if (told.length === AGREEING) break
  }
  return told.length === AGREEING && new Set(told).size === 1 ? told[0] : undefined
}

function trialsOf(market: Market): readonly Trial[] {
  const [partner] = [...market.router.affiliates].filter(([, each]) => each.affiliateFeeBps > 0n)
  if (partner === undefined) return []
  const trials: Trial[] = []
  for (const book of market.books.values())
    for (const offered of [book.state.pair.base, book.state.pair.quote]) {
      const trial = trialOver(market, book, offered, partner)
      if (trial !== undefined) trials.push(trial)
      if (trials.length === TRIALS) return trials
    }
  return trials
}

function trialOver(
  market: Market,
  book: Book,
  denom: Denom,
  [code, affiliate]: readonly [string, Affiliate],
): Trial | undefined {
  const side = sideOf(book.state.pair, denom)
  if (side === undefined) return undefined
  const least = book.depth(side === 'ask' ? 'bid' : 'ask') / SHARE
  const limits = { maxHops: 1, via: [], exclude: [], affiliate }
  for (let amount = least; amount < least + AMOUNTS; amount += 1n) {
    const [down, up] = AFFILIATE_ROUNDINGS.map((affiliateRounding) =>
      routeAlong(
        { ...market, router: { ...market.router, affiliateRounding } },
        [book],
        { denom, amount },
        { limits, slippageBps: SLIPPAGE_BPS },
      ),
    )
    if (!down || !up || isRefusal(down) || isRefusal(up)) return undefined
    if (down.exact && down.expected !== up.expected) return { book, down, up, code }
  }
  return undefined
}

/** A pair beside the one of the trial that holds what is offered. */
const holderOf = (market: Market, trialled: Book, { denom, amount }: Coin): string | undefined =>
  [...market.books.values()].find(({ state: { pair, balances } }) => {
    if (balances === undefined || pair.address === trialled.state.pair.address) return false
    return (
      (denom === pair.base && balances.base >= amount) ||
      (denom === pair.quote && balances.quote >= amount)
    )
  })?.state.pair.address
