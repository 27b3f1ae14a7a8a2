import { type Book, type Fill, simulateBook } from '../../engine/market/book.js'
import { offerDenom, type PairState, type Side } from '../../engine/market/pair.js'
import { isRefusal, type Refusal } from '../../engine/market/refusal.js'
import { disagreement, visibleBook } from '../../engine/market/resting-orders.js'
import type { Coin } from '../../engine/market/token.js'
import { ONE } from '../../engine/math/decimal.js'
import { ArithmeticAbort } from '../../engine/math/uint.js'
import { decodeBook } from '../queries/book-page.js'
import type { Ask, Reply } from '../queries/query-batch.js'
import { smartQuery } from '../queries/questions.js'
import { pairSimulation, type Simulation } from '../queries/router.js'

/** The extent of a self-test. */
export type TestDepth = 'thorough' | 'usual' | 'unchanged'

const SIDES = ['ask', 'bid'] as const

/** Most levels that the larger amount of a test fills: few, so that the query stays below the gas limit. */
const DEEPEST = 4
/** An offer for a side that is empty as far as known. */
const PROBE = 100_000_000n

/**
 * Asks a pair to simulate amounts on both sides as of the height of `ask`, and compares the results with ours to the
 * atomic. The amounts depend on the height, so that successive tests cover all parts of the first levels.
 *
 * @param depth `thorough`: two amounts a side instead of one, and the first levels of the book; `unchanged`: one amount
 *   of one side, another one two heights later, for a book that was tested before
 * @returns a sentence about the difference, or `undefined`
 */
export async function selfTest(
  ask: Ask,
  book: Book,
  height: number,
  depth: TestDepth,
): Promise<string | undefined> {
  const thorough = depth === 'thorough'
  const sides = depth === 'unchanged' ? [SIDES[(height >> 1) % 2]!] : SIDES
  // The lower bits choose whether an unchanged book is due, and its side.
  const turn = depth === 'unchanged' ? height >> 2 : height
  const offers = sides.flatMap((side) => testOffers(book.state, side, turn, thorough))
  const { address } = book.state.pair
  const verdicts = await Promise.all(
    offers.map(async (offer) => {
      const ours = simulateBook(book, offer)
      if (!isRefusal(ours) && !ours.exact) return undefined
      return verdict(offer, ours, await ask(pairSimulation(address, offer)))
    }),
  )
  const shown = thorough ? await bookTest(ask, book) : undefined
  return verdicts.find((each) => each !== undefined) ?? shown
}

/** Compares the first levels of the pair's `book` answer with resting orders and makers' quotes. */
async function bookTest(ask: Ask, { state }: Book): Promise<string | undefined> {
  const { address } = state.pair
  const message = { book: { limit: DEEPEST, offset: 0 } }
  const reply = await ask(smartQuery(address, message, decodeBook(DEEPEST)))
  if (reply.kind === 'malformed') return `its book is malformed: ${reply.why}`
  // The query may exceed the node's gas limit, which proves nothing about the pair.
  if (reply.kind === 'refused') return undefined
  const { asks, bids } = reply.value
  try {
    return (
      disagreement(state, 'ask', asks, asks.length === DEEPEST) ??
      disagreement(state, 'bid', bids, bids.length === DEEPEST)
    )
  } catch (error) {
    if (error instanceof ArithmeticAbort) return `its book cannot be: ${error.message}`
    throw error
  }
}

/** An amount within the first level, and one that ends within one of the first few. */
function testOffers(
  state: PairState,
  side: Side,
  turn: number,
  thorough: boolean,
): readonly Coin[] {
  const denom = offerDenom(state.pair, side)
  const costs = levelCosts(state, side)
  const [first] = costs
  if (first === undefined) return [{ denom, amount: PROBE }]
  const part = (amount: bigint) => (amount * BigInt(((turn * 37) % 89) + 5)) / 97n
  const deeper = costs.length === 1 ? 1 : 2 + ((turn >> 1) % (costs.length - 1))
  // An amount that ends in the last level covers all of them.
  const reached = thorough ? costs.length : deeper
  const before = costs.slice(0, reached - 1).reduce((sum, cost) => sum + cost, 0n)
  const deep = before + part(costs[reached - 1] ?? first)
  const amounts = thorough ? [part(first), deep] : [turn % 2 === 0 ? part(first) : deep]
  return [...new Set(amounts)].filter((amount) => amount > 0n).map((amount) => ({ denom, amount }))
}

/** The cost of filling each of the first levels, by state. */
const costsOf = { ask: new WeakMap<PairState, bigint[]>(), bid: new WeakMap<PairState, bigint[]>() }

function levelCosts(state: PairState, side: Side): readonly bigint[] {
  let costs = costsOf[side].get(state)
  if (costs === undefined) {
    const { levels } = visibleBook(state, side, DEEPEST)
    costs = levels.map(({ rate, total }) =>
      side === 'ask' ? (total * rate) / ONE : (total * ONE) / rate,
    )
    costsOf[side].set(state, costs)
  }
  return costs
}

function verdict(
  { denom, amount }: Coin,
  ours: Fill | Refusal,
  theirs: Reply<Simulation>,
): string | undefined {
  const offer = `${amount} ${denom}`
  if (theirs.kind === 'malformed') return `its answer for ${offer} is malformed: ${theirs.why}`
  if (theirs.kind === 'refused')
    return isRefusal(ours)
      ? undefined
      : `it refuses to simulate ${offer}, which should give ${ours.bought}: ${theirs.why}`
  const { returned, fee } = theirs.value
  if (isRefusal(ours)) return `it simulates ${returned} for ${offer}, where ${ours.why}`
  return ours.bought === returned && ours.fee === fee
    ? undefined
    : `it simulates ${returned} with a fee of ${fee} for ${offer}, where ${ours.bought} and ${ours.fee} follow from what rests`
}
