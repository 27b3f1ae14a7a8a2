import { formatRational, plus, rational } from '../../engine/math/rational.js'
import type { OperationContext } from '../context.js'
import { requireAddress } from '../names.js'
import { requireChain } from '../require-chain.js'
import { marketHead } from '../route-document.js'
import { byWorth, dollarsText, worthIn } from '../worth.js'
import type { BalanceDocument, BalancesAnswer } from './balances-answer.js'

export type { BalanceDocument, BalancesAnswer } from './balances-answer.js'

/** What an account holds, and what that is worth in the market of the same block. */
export async function balances(
  context: OperationContext,
  address: string,
): Promise<BalancesAnswer> {
  const chain = await requireChain(context, 'balances')
  const { market } = await context.openMarket()
  await requireAddress(market, address)
  const held = await chain.balances(address, market.height)
  const worthOf = worthIn(market)
  const rows = held.map(({ denom, amount }) => {
    const token = market.tokens.get(denom)
    const worth = worthOf({ denom, amount })
    const document: BalanceDocument = {
      denom,
      amount: `${amount}`,
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
  }
}

const ZERO = rational(0n, 1n)
