import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import { askDenom, sideOf } from '../../engine/market/pair.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import { type Limits, queryOf } from '../../engine/routing/query.js'
import { isFailed } from '../../engine/splits/execute-legs.js'
import type { SplitTerms } from '../../engine/splits/find-split.js'
import { type GivenLeg, splitAlong } from '../../engine/splits/given-legs.js'
import type { Split } from '../../engine/splits/split.js'
import { formatCoin, readAmount } from '../amount.js'
import type { MarketView } from '../context.js'
import { memberConflict } from '../request-values.js'
import { booksOf } from '../route/given-path.js'
import { pathRefused } from '../route/no-route.js'
import type { SplitRequest } from './split-documents.js'

type GivenTerms = {
  readonly input: Coin
  readonly output: Denom
  readonly limits: Limits
  readonly terms: SplitTerms
}

/** The legs of a request; its path is one leg with the whole input. */
const legsIn = ({ legs, path, input }: SplitRequest) =>
  legs ?? (path === undefined ? [] : [{ path, amount: input.amount! }])

/** The target of a request that does not name one: that of its first leg. */
export function outputOf(market: Market, request: SplitRequest): Denom {
  const [first] = legsIn(request)
  return (first?.path ?? []).reduce((denom, address) => {
    const pair = market.books.get(address)?.state.pair
    const side = pair && sideOf(pair, denom)
    return pair && side ? askDenom(pair, side) : denom
  }, request.input.denom)
}

/**
 * The requested split, leg by leg, executed in its order.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_AMOUNT, NOT_FOUND, MARKET_HALTED, NO_ROUTE if an execution would fail
 */
export function givenSplit(
  { market, graph }: MarketView,
  request: SplitRequest,
  { input, output, limits, terms }: GivenTerms,
): Split {
  const givenLegs = legsIn(request)
  const legs = givenLegs.map(({ path, amount }, i): GivenLeg => {
    const leg = { input: { denom: input.denom }, output: { denom: output }, path }
    return {
      books: withLegPointer(i, request, () => booksOf(market, leg)),
      amount: readAmount(amount, `/legs/${i}/amount`),
    }
  })
  const sum = legs.reduce((total, { amount }) => total + amount, 0n)
  if (sum !== input.amount)
    throw memberConflict(
      ['/legs', '/input/amount'],
      `the amounts of the legs add up to ${formatCoin(market, input.denom, sum)}, not to ${formatCoin(market, input.denom, input.amount)}`,
      'give every atomic of the input to one of the legs',
    )
  const query = queryOf(graph, input.denom, output, limits)
  const outcome = splitAlong(query, input, legs, terms.slippageBps)
  if (!isFailed(outcome)) return outcome
  throw pathRefused(market, givenLegs[outcome.failedAt]!.path, outcome.refusal)
}

/** Errors of a leg's path, with their pointer in the request. */
function withLegPointer<T>(index: number, request: SplitRequest, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (request.legs === undefined || !(error instanceof SwapError)) throw error
    throw movePointers(error, `/legs/${index}`)
  }
}

function movePointers(error: SwapError, prefix: string): SwapError {
  const { pointer, errors } = error.members
  const relocated = Array.isArray(errors)
    ? errors.map((each: { pointer: string; detail: string }) => ({
        ...each,
        pointer: prefix + each.pointer,
      }))
    : undefined
  return error.with({
    ...(error.why !== undefined && { why: error.why.replace(/^\/path/, `${prefix}/path`) }),
    members: {
      ...error.members,
      ...(typeof pointer === 'string' && { pointer: prefix + pointer }),
      ...(relocated && { errors: relocated }),
    },
  })
}
