import { type Book, type Fill, simulateBook } from '../../engine/market/book.js'
import { offerDenom, type PairState, type Side } from '../../engine/market/pair.js'
import { isRefusal, type Refusal } from '../../engine/market/refusal.js'
import { disagreement, visibleBook } from '../../engine/market/resting-orders.js'
import type { Coin } from '../../engine/market/token.js'
import { ArithmeticAbort, ONE } from '../../engine/math/decimal.js'
import { keptWith } from '../../platform/memoize.js'
import { type BookPage, decodeBook } from '../queries/pair.js'
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
  const isThorough = depth === 'thorough'
  const sides = depth === 'unchanged' ? [SIDES[(height >> 1) % 2]!] : SIDES
  // The lower bits choose whether an unchanged book is due, and its side.
  const rotation = depth === 'unchanged' ? height >> 2 : height
  const offers = sides.flatMap((side) => testOffers(book.state, side, rotation, isThorough))
  const { address } = book.state.pair
  const verdicts = await Promise.all(
    offers.map(async (offer) => {
      const fill = simulateBook(book, offer)
      if (!isRefusal(fill) && !fill.exact) return undefined
      return verdict(offer, fill, await ask(pairSimulation(address, offer)))
    }),
  )
  const bookVerdict = isThorough ? await bookTest(ask, book) : undefined
  return verdicts.find((each) => each !== undefined) ?? bookVerdict
}

/** Compares the first levels of the pair's `book` answer with resting orders and makers' quotes. */
async function bookTest(ask: Ask, { state }: Book): Promise<string | undefined> {
  const { address } = state.pair
  const message = { book: { limit: DEEPEST, offset: 0 } }
  const reply = await ask(smartQuery(address, message, decodeBook(DEEPEST)))
  if (reply.kind === 'malformed') return `its book is malformed: ${reply.why}`
  // The query may exceed the node's gas limit, which proves nothing about the pair.
  return reply.kind === 'refused' ? undefined : bookDifference(state, reply.value)
}

/** A sentence about the first levels of a book that do not follow from what rests; `undefined` if all of them do. */
export function bookDifference(state: PairState, book: BookPage): string | undefined {
  const [asks, bids] = [book.asks.slice(0, DEEPEST), book.bids.slice(0, DEEPEST)]
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
  rotation: number,
  isThorough: boolean,
): readonly Coin[] {
  const denom = offerDenom(state.pair, side)
  const costs = levelCosts[side](state)
  const [first] = costs
  if (first === undefined) return [{ denom, amount: PROBE }]
  const part = (amount: bigint) => (amount * BigInt(((rotation * 37) % 89) + 5)) / 97n
  const deeperLevel = costs.length === 1 ? 1 : 2 + ((rotation >> 1) % (costs.length - 1))
  // An amount that ends in the last level covers all of them.
  const levelCount = isThorough ? costs.length : deeperLevel
  const before = costs.slice(0, levelCount - 1).reduce((sum, cost) => sum + cost, 0n)
  const deepAmount = before + part(costs[levelCount - 1] ?? first)
  const amounts = isThorough
    ? [part(first), deepAmount]
    : [rotation % 2 === 0 ? part(first) : deepAmount]
  return [...new Set(amounts)].filter((amount) => amount > 0n).map((amount) => ({ denom, amount }))
}

const levelCostsOn = (side: Side) =>
  keptWith((state: PairState): readonly bigint[] =>
    visibleBook(state, side, DEEPEST).levels.map(({ rate, total }) =>
      side === 'ask' ? (total * rate) / ONE : (total * ONE) / rate,
    ),
  )

/** The cost of filling each of the first levels, by state. */
const levelCosts = { ask: levelCostsOn('ask'), bid: levelCostsOn('bid') }

function verdict(
  { denom, amount }: Coin,
  simulated: Fill | Refusal,
  reply: Reply<Simulation>,
): string | undefined {
  const offer = `${amount} ${denom}`
  if (reply.kind === 'malformed') return `its answer for ${offer} is malformed: ${reply.why}`
  if (reply.kind === 'refused')
    return isRefusal(simulated)
      ? undefined
      : `it refuses to simulate ${offer}, which should give ${simulated.bought}: ${reply.why}`
  const { returned, fee } = reply.value
  if (isRefusal(simulated)) return `it simulates ${returned} for ${offer}, where ${simulated.why}`
  return simulated.bought === returned && simulated.fee === fee
    ? undefined
    : `it simulates ${returned} with a fee of ${fee} for ${offer}, where ${simulated.bought} and ${simulated.fee} follow from what rests`
}
