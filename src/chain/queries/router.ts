import type { Affiliate } from '../../engine/market/market.js'
import type { Coin } from '../../engine/market/token.js'
import type { Stage } from '../../engine/routing/message.js'
import {
  amount,
  integer,
  items,
  type JsonCursor,
  member,
  refuse,
  text,
} from '../../engine/snapshot/json-cursor.js'
import { type Question, smartQuery } from './questions.js'
import { itemsUpTo, wireCoin } from './wire.js'

const BPS = 10_000

/** The protocol fee of a router's `config` answer, in basis points. @throws MalformedDocument */
export const decodeRouterFee = (node: JsonCursor): number =>
  integer(member(node, 'fee_bps'), 0, BPS)

/** Affiliate codes with their fees, in the order of the router. */
export type AffiliatePage = readonly (readonly [code: string, affiliate: Affiliate])[]

/** A page of a router's `affiliates` answer: pairs of code and entry, or entries. @throws MalformedDocument */
export const decodeAffiliates =
  (limit: number) =>
  (node: JsonCursor): AffiliatePage =>
    itemsUpTo(member(node, 'affiliates'), limit, 'entries').map((item) => {
      const [code, entry] = Array.isArray(item.value)
        ? items(item)
        : [member(item, 'affiliate_code'), item]
      if (code === undefined || entry === undefined) return refuse(item, 'must be [code, entry]')
      return [text(code), affiliateOf(entry)]
    })

const affiliateOf = (node: JsonCursor): Affiliate => ({
  affiliateFeeBps: BigInt(integer(member(node, 'affiliate_fee_bps'), 0, BPS)),
  referralFeeShareBps: BigInt(integer(member(node, 'referral_fee_share_bps'), 0, BPS)),
})

/** The answer to `simulate` of a pair or a router: net output and fee in atomics. */
export type Simulation = { readonly returned: bigint; readonly fee: bigint }

/** @throws MalformedDocument */
export const decodeSimulation = (node: JsonCursor): Simulation => ({
  returned: amount(member(node, 'returned')),
  fee: amount(member(node, 'fee')),
})

/** A pair's `simulate` of an offer: the output of its book, without its arbitrage step. */
export const pairSimulation = (address: string, offer: Coin): Question<Simulation> =>
  smartQuery(address, { simulate: wireCoin(offer) }, decodeSimulation)

/** A router's `simulate` of a route: net of its protocol fee, without affiliates. */
export const routeSimulation = (
  router: string,
  coin: Coin,
  stages: readonly Stage[],
): Question<Simulation> =>
  smartQuery(router, { simulate: { coin: wireCoin(coin), stages } }, decodeSimulation)
