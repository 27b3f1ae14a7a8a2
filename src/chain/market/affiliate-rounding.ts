import type { Book } from '../../engine/market/book.js'
import {
  AFFILIATE_ROUNDINGS,
  type Affiliate,
  type AffiliateRounding,
  type Market,
} from '../../engine/market/market.js'
import { opposite, sideOf } from '../../engine/market/pair.js'
import { isRefusal } from '../../engine/market/refusal.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import { routeAlong } from '../../engine/routing/find-routes.js'
import { messageOf } from '../../engine/routing/message.js'
import { openLimits } from '../../engine/routing/query.js'
import type { Route } from '../../engine/routing/route.js'
import type { Source } from '../rpc/query-source.js'
import { simulateFirstTx } from '../tx/simulate-tx.js'

/** A swap over one pair for which the two roundings pay different outputs. */
type RoundingProbe = {
  readonly book: Book
  readonly down: Route
  readonly up: Route
  readonly code: string
}

/** Most swaps that are simulated. */
const TRIALS = 4
/** Simulations that have to agree: a market that moves meanwhile can falsify one. */
const AGREEING = 2
/** The offer is the depth of the pair divided by this. */
const SHARE = 1000n
/** Consecutive amounts to try until the roundings differ: they are equal where 10,000 divides the fee. */
const AMOUNTS = 4n
/** A wide tolerance, since the node simulates on its newest state. */
const SLIPPAGE_BPS = 5_000

/**
 * Detects how a router of an unknown build rounds the affiliate fee (docs/chain.md#the-routers-build): the node
 * simulates swaps with an affiliate, sent by another pair that holds the offered coins. `undefined` if fewer than two
 * simulations pay the output of either rounding, or if they do not agree.
 *
 * @throws NodeFault
 */
export async function detectAffiliateRounding(
  source: Source,
  market: Market,
): Promise<AffiliateRounding | undefined> {
  const { router, height } = market
  const detected: AffiliateRounding[] = []
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
    if (paid === down.expected) detected.push('down')
    if (paid === up.expected) detected.push('up')
    if (detected.length === AGREEING) break
  }
  return detected.length === AGREEING && new Set(detected).size === 1 ? detected[0] : undefined
}

function trialsOf(market: Market): readonly RoundingProbe[] {
  const [affiliate] = [...market.router.affiliates].filter(([, each]) => each.affiliateFeeBps > 0n)
  if (affiliate === undefined) return []
  const trials: RoundingProbe[] = []
  for (const book of market.books.values())
    for (const offered of [book.state.pair.base, book.state.pair.quote]) {
      const trial = trialOver(market, book, offered, affiliate)
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
): RoundingProbe | undefined {
  const side = sideOf(book.state.pair, denom)
  if (side === undefined) return undefined
  const least = book.depth(opposite(side)) / SHARE
  const limits = openLimits(1, affiliate)
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

/** The address of a pair other than the simulated one that holds the offered coins. */
const holderOf = (market: Market, tested: Book, { denom, amount }: Coin): string | undefined =>
  [...market.books.values()].find(({ state: { pair, balances } }) => {
    if (balances === undefined || pair.address === tested.state.pair.address) return false
    return (
      (denom === pair.base && balances.base >= amount) ||
      (denom === pair.quote && balances.quote >= amount)
    )
  })?.state.pair.address
