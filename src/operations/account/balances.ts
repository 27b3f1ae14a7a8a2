import { prefixOf } from '../../engine/market/market.js'
import { sumsOf } from '../../engine/market/token.js'
import { formatRational, plus, rational } from '../../engine/math/rational.js'
import { type OperationContext, requireChain } from '../context.js'
import { marketHead } from '../document-parts.js'
import { requireAddress } from '../names.js'
import { readMarketOrders, sumsOfOrders } from '../orders/read-orders.js'
import { byWorth, dollarsText, worthIn } from '../worth.js'
import type { BalanceDocument, BalancesAnswer } from './balances-documents.js'

/** The balances of an account with its resting and claimable orders, valued in the market of the same block. */
export async function balances(
  context: OperationContext,
  address: string,
): Promise<BalancesAnswer> {
  const chain = await requireChain(context, 'balances')
  const { market } = await context.openMarket()
  await requireAddress(address, prefixOf(market.router.address), '/address')
  const [holdings, orders] = await Promise.all([
    chain.balances(address, market.height),
    readMarketOrders(chain, market, address),
  ])
  const { resting, claimable } = sumsOfOrders(orders)
  const sums = [holdings, resting, claimable].map(sumsOf)
  const worthOf = worthIn(market)
  const denoms = new Set(sums.flatMap((coins) => [...coins.keys()]))
  const rows = [...denoms].map((denom) => {
    const token = market.tokens.get(denom)
    const amounts = sums.map((coins) => coins.get(denom) ?? 0n)
    const worth = worthOf({ denom, amount: amounts.reduce((sum, each) => sum + each) })
    const document: BalanceDocument = {
      denom,
      amount: `${amounts[0]}`,
      resting: `${amounts[1]}`,
      claimable: `${amounts[2]}`,
      symbol: token?.symbol ?? null,
      decimals: token?.decimals ?? null,
      value_usd: dollarsText(worth),
    }
    return { worth, document }
  })
  rows.sort((a, b) => byWorth(a.worth, b.worth) || (a.document.denom < b.document.denom ? -1 : 1))
  const worths = rows.flatMap(({ worth }) => worth ?? [])
  return {
    ...marketHead(market),
    address,
    fee_denom: chain.feeDenom,
    balances: rows.map(({ document }) => document),
    total_usd: market.usd === undefined ? null : formatRational(worths.reduce(plus, ZERO)),
    orders_unread: orders.unread,
  }
}

const ZERO = rational(0n, 1n)
