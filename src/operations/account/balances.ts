import { pricesOf } from '../../engine/market/valuation.js'
import { formatRational, type Rational, rational, times } from '../../engine/math/rational.js'
import type { OperationContext } from '../context.js'
import { requireAddress } from '../names.js'
import { requireChain } from '../require-chain.js'
import { displayScale, marketHead } from '../route-document.js'
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
  const prices = pricesOf(market)
  const rows = held.map(({ denom, amount }) => {
    const token = market.tokens.get(denom)
    const price = prices.get(denom)
    const worth =
      price === undefined || token === undefined || market.usd === undefined
        ? undefined
        : times(times(price, displayScale(market, denom, market.usd)), unitsOf(amount, token))
    const document: BalanceDocument = {
      denom,
      amount: `${amount}`,
      symbol: token?.symbol ?? null,
      decimals: token?.decimals ?? null,
      value_usd: worth === undefined ? null : formatRational(worth),
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
    total_usd: market.usd === undefined ? null : formatRational(worths.reduce(sum, ZERO)),
  }
}

const ZERO = rational(0n, 1n)

const sum = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)

const unitsOf = (amount: bigint, { decimals }: { readonly decimals: number }): Rational =>
  rational(amount, 10n ** BigInt(decimals))

function byWorth(a: Rational | undefined, b: Rational | undefined): number {
  if (a === undefined || b === undefined)
    return (a === undefined ? 1 : 0) - (b === undefined ? 1 : 0)
  const [left, right] = [a.numerator * b.denominator, b.numerator * a.denominator]
  return left === right ? 0 : left < right ? 1 : -1
}
