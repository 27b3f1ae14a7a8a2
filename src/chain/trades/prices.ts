import type { Denom } from '../../engine/market/token.js'
import { pricesFrom, type Quoted } from '../../engine/market/valuation.js'
import { type Rational, rational } from '../../engine/math/rational.js'
import { decodeBook } from '../queries/book.js'
import type { Ask } from '../queries/query-batch.js'
import { smart } from '../queries/questions.js'
import type { PairDenoms } from './pairs.js'

/** The dollar-pegged reference token with the digits of its unit. */
export type Dollar = { readonly denom: Denom; readonly decimals: number }

/**
 * Dollars per atomic of these denoms, from the mid prices of books as of a height: the same prices that
 * the market has there. Most tokens are traded against dollars, and then only those books are read;
 * others need all.
 *
 * @throws NodeFault
 */
export async function dollarsAt(
  ask: Ask,
  pairs: readonly PairDenoms[],
  denoms: ReadonlySet<Denom>,
  dollar: Dollar,
): Promise<ReadonlyMap<Denom, Rational>> {
  const direct = pairs.filter(
    ({ base, quote }) =>
      (base === dollar.denom && denoms.has(quote)) || (quote === dollar.denom && denoms.has(base)),
  )
  const near = pricesFrom(await quotesOf(ask, direct), dollar.denom)
  const isComplete = [...denoms].every((denom) => near.has(denom))
  const prices = isComplete ? near : pricesFrom(await quotesOf(ask, pairs), dollar.denom)
  const unit = 10n ** BigInt(dollar.decimals)
  return new Map(
    [...denoms].flatMap((denom) => {
      const price = prices.get(denom)
      return price === undefined
        ? []
        : [[denom, rational(price.numerator, price.denominator * unit)] as const]
    }),
  )
}

/** The best level of both sides, of the pairs that have both. */
async function quotesOf(ask: Ask, pairs: readonly PairDenoms[]): Promise<readonly Quoted[]> {
  const quotes = await Promise.all(
    pairs.map(async (pair): Promise<readonly Quoted[]> => {
      const reply = await ask(smart(pair.address, { book: { limit: 1 } }, decodeBook(1)))
      if (reply.kind !== 'answered') return []
      const [lowest] = reply.value.asks
      const [highest] = reply.value.bids
      return lowest === undefined || highest === undefined
        ? []
        : [{ ...pair, ask: lowest.rate, bid: highest.rate }]
    }),
  )
  return quotes.flat()
}
