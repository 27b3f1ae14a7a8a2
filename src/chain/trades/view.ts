import type { Pair } from '../../engine/market/pair.js'
import type { Denom } from '../../engine/market/token.js'
import { type PairPrices, pricesFrom } from '../../engine/market/valuation.js'
import { type Rational, rational } from '../../engine/math/rational.js'
import { isAbsent, type JsonCursor, member, text } from '../../engine/snapshot/json-cursor.js'
import { discoverPairs } from '../market/discover.js'
import { requireRouter } from '../market/pair-config.js'
import type { Network } from '../networks/network.js'
import { tokenOfDenom } from '../networks/tokens.js'
import { decodeBook, type PairConfig, pairConfig } from '../queries/pair.js'
import { type Ask, queryBatch, repliesOfEach } from '../queries/query-batch.js'
import { contractCreation, smartQuery } from '../queries/questions.js'
import { InvalidChain, isHeightUnavailable } from '../rpc/faults.js'
import type { Source } from '../rpc/query-source.js'
import type { PlacedLeg } from './block-trades.js'
import type { PairFees } from './order-changes.js'

/** The dollar-pegged reference token with the digits of its unit. */
type Dollar = { readonly denom: Denom; readonly decimals: number }

/**
 * Dollars per atomic of these denoms, from the mid prices of books as of a height, equal to those of the market at
 * that height. Reads only the books against dollars where those price every denom, otherwise all books.
 *
 * @throws NodeFault
 */
async function dollarsAt(
  ask: Ask,
  pairs: readonly KnownPair[],
  denoms: ReadonlySet<Denom>,
  dollar: Dollar,
): Promise<ReadonlyMap<Denom, Rational>> {
  const direct = pairs.filter(
    ({ base, quote }) =>
      (base === dollar.denom && denoms.has(quote)) || (quote === dollar.denom && denoms.has(base)),
  )
  const directPrices = pricesFrom(await quotesOf(ask, direct), dollar.denom)
  const isComplete = [...denoms].every((denom) => directPrices.has(denom))
  const prices = isComplete ? directPrices : pricesFrom(await quotesOf(ask, pairs), dollar.denom)
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

/** The best ask and bid of the pairs that have both. */
async function quotesOf(ask: Ask, pairs: readonly KnownPair[]): Promise<readonly PairPrices[]> {
  const quotes = await Promise.all(
    pairs.map(async (pair): Promise<readonly PairPrices[]> => {
      const reply = await ask(smartQuery(pair.address, { book: { limit: 1 } }, decodeBook(1)))
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

/** The pairs, prices and affiliates that the swaps of a block are checked and valued with. */
export type View = {
  /** Whether a contract is a pair of the market, also one that is left out of quotes. */
  isPair(address: string): boolean
  /** `undefined` for an address that is not a pair, and for a pair whose denoms cannot be read. */
  denomsOf(address: string): KnownPair | undefined
  /** Fees of a pair at the height, or of today, or the last known ones; `undefined` of none. @throws NodeFault */
  feesOf(address: string): Promise<PairFees | undefined>
  /** Dollars per atomic, from the mid prices after the block; empty if they cannot be read. */
  readonly prices: ReadonlyMap<Denom, Rational>
  /** Registered affiliate codes, with the addresses that receive their fees. */
  readonly affiliates: ReadonlyMap<string, string>
  /** Whether the affiliates are those of the newest block, because the state of that block is pruned. */
  readonly areOfToday: boolean
}

/** Reads the `View` of blocks from the nodes that have the state of those heights. */
export type Viewer = {
  /**
   * @param priced whether prices are wanted
   * @param orders pairs of executed order messages
   * @throws NodeFault
   */
  at(
    height: number,
    legs: readonly PlacedLeg[],
    priced: boolean,
    orders?: readonly string[],
  ): Promise<View>
}

export function viewerOf(network: Network, source: Source): Viewer {
  const pairs = knownPairs(network, source)
  const router = network.router.address ?? ''
  const asOf = (height: number) => queryBatch(source, network.name, height)
  const feesAt =
    (ask: Ask): View['feesOf'] =>
    async (address) => {
      const config = await configOf(ask, address).catch(async (error: unknown) => {
        if (!isHeightUnavailable(error)) throw error
        return configOf(asOf(await source.newestHeight()), address)
      })
      return config ?? pairs.get(address)
    }
  const viewWith = (ask: Ask, rest: Pick<View, 'prices' | 'affiliates' | 'areOfToday'>): View => ({
    isPair: pairs.has,
    denomsOf: pairs.get,
    feesOf: feesAt(ask),
    ...rest,
  })
  return {
    async at(height, legs, priced, orders = []) {
      const ask = asOf(height)
      const addresses = [
        ...new Set([...legs.flatMap(({ hops }) => hops.map(({ pair }) => pair)), ...orders]),
      ]
      try {
        await pairs.ensureKnown(addresses, height)
        const [prices, affiliates] = await Promise.all([
          priced ? pricesOf(ask, network, pairs, legs) : new Map(),
          affiliatesOf(ask, router, legs),
        ])
        return viewWith(ask, { prices, affiliates, areOfToday: false })
      } catch (error) {
        if (!isHeightUnavailable(error) && !(error instanceof InvalidChain)) throw error
        // The state of that block is pruned or unreadable: use the newest pairs and affiliates.
        const newest = await source.newestHeight()
        const today = asOf(newest)
        await pairs.ensureKnown(addresses, newest)
        const affiliates = await affiliatesOf(today, router, legs).catch((fault: unknown) => {
          if (fault instanceof InvalidChain) return new Map()
          throw fault
        })
        return viewWith(today, { prices: new Map(), affiliates, areOfToday: true })
      }
    },
  }
}

/** `undefined` for a pair that does not answer. */
async function configOf(ask: Ask, address: string): Promise<PairConfig | undefined> {
  const reply = await ask(pairConfig(address))
  return reply.kind === 'answered' ? reply.value : undefined
}

/** Prices of the inputs, and of the outputs of swaps whose input has no price. */
async function pricesOf(
  ask: Ask,
  network: Network,
  pairs: KnownPairs,
  legs: readonly PlacedLeg[],
): Promise<ReadonlyMap<Denom, Rational>> {
  const { usd } = network
  if (usd === undefined) return new Map()
  const { decimals } = network.tokens.get(usd) ?? tokenOfDenom(usd, network.home)
  const dollar = { denom: usd, decimals }
  const sold = new Set(legs.map(({ input }) => input.denom))
  const prices = await dollarsAt(ask, pairs.all(), sold, dollar)
  const rest = legs.filter(({ input }) => !prices.has(input.denom))
  if (rest.length === 0) return prices
  const bought = new Set(rest.map(({ output }) => output.denom))
  return new Map([...prices, ...(await dollarsAt(ask, pairs.all(), bought, dollar))])
}

async function affiliatesOf(
  ask: Ask,
  router: string,
  legs: readonly PlacedLeg[],
): Promise<ReadonlyMap<string, string>> {
  const codes = [...new Set(legs.map(({ code }) => code))].filter((code) => code !== '')
  const payees = await Promise.all(
    codes.map(async (code) => [code, await payee(ask, router, code)]),
  )
  return new Map(payees.filter((each): each is [string, string] => each[1] !== undefined))
}

/** The address that receives a code's fees; `undefined` where the router refuses the code. */
async function payee(ask: Ask, router: string, code: string): Promise<string | undefined> {
  const reply = await ask(smartQuery(router, { affiliate: { affiliate_code: code } }, payeeIn))
  if (reply.kind === 'malformed')
    throw new InvalidChain('the router', `an affiliate of it cannot be read: ${reply.why}`)
  return reply.kind === 'answered' ? reply.value : undefined
}

function payeeIn(node: JsonCursor): string {
  const affiliate = member(node, 'affiliate')
  const entry = isAbsent(affiliate) ? node : affiliate
  return text(member(entry, 'affiliate_payment_address'))
}

/**
 * The height at which the router was instantiated: no older block has swaps. The lowest one that a node gives: a false
 * one that is higher would leave out blocks.
 *
 * @throws InvalidChain for an address without a contract, and for a height above the newest one
 */
export async function routerCreation(network: Network, source: Source): Promise<number> {
  const router = requireRouter(network)
  const height = await source.newestHeight()
  const question = contractCreation(router)
  const [given = []] = await repliesOfEach(source, [question], height)
  const replies =
    given.length > 0 ? given : [await queryBatch(source, network.name, height)(question)]
  const heights = replies.flatMap((each) =>
    each.kind === 'answered' && each.value <= height ? [each.value] : [],
  )
  if (heights.length > 0) return Math.max(1, Math.min(...heights))
  const reply = replies[0]!
  const why =
    reply.kind === 'answered' ? `it is of block ${reply.value}, after ${height}` : reply.why
  throw new InvalidChain(network.name, `its router ${router} is not there: ${why}`)
}

/** A pair as it was first read: its denoms never change. */
type KnownPair = Pick<Pair, 'address' | 'base' | 'quote'> & PairFees

/** The pairs of a network as they become known. */
type KnownPairs = ReturnType<typeof knownPairs>

/** Heights for which an address that was found not to be a pair is not looked up again. */
const STRANGE = 100

/**
 * The pairs of a network, discovered for the first block and again when a block names an unknown address. A block that
 * names a pair whose denoms could not be read has those read again: a pair answers again after a halt.
 */
function knownPairs(network: Network, source: Source) {
  const known = new Map<string, KnownPair | undefined>()
  const failedAt = new Map<string, number>()
  let queue: Promise<unknown> = Promise.resolve()
  const isStrange = (address: string, height: number): boolean =>
    Math.abs(height - (failedAt.get(address) ?? -STRANGE)) < STRANGE
  const isUnread = (address: string): boolean =>
    known.has(address) && known.get(address) === undefined
  const discover = async (addresses: readonly string[], height: number): Promise<void> => {
    const areFound = addresses.every((each) => known.has(each) || isStrange(each, height))
    const mustDiscover = known.size === 0 || !areFound
    if (!mustDiscover && !addresses.some(isUnread)) return
    const ask = queryBatch(source, network.name, height)
    const listed = mustDiscover
      ? await discoverPairs(network, source, ask, height)
      : [...known.keys()]
    const unread = listed.filter((address) => known.get(address) === undefined)
    const read = await Promise.all(
      unread.map(async (address) => [address, await configOf(ask, address)] as const),
    )
    // A pair with unknown denoms is listed without a price.
    for (const [address, config] of read) known.set(address, config && { address, ...config })
    if (!mustDiscover) return
    for (const address of addresses) if (!known.has(address)) failedAt.set(address, height)
  }
  return {
    has: (address: string) => known.has(address),
    /** `undefined` also for a pair whose denoms cannot be read. */
    get: (address: string) => known.get(address),
    /** All known pairs, including those of other heights. */
    all: () => [...known.values()].filter((pair) => pair !== undefined),
    /** Looks for pairs at a height unless all of these are known. @throws NodeFault, InvalidChain */
    async ensureKnown(addresses: readonly string[], height: number): Promise<void> {
      // One after the other: most blocks trade on the same pairs.
      const run = queue.then(() => discover(addresses, height))
      queue = run.catch(() => {})
      await run
    },
  }
}
