import type { Denom } from '../../engine/market/token.js'
import type { Rational } from '../../engine/math/rational.js'
import { isAbsent, type JsonCursor, member, text } from '../../engine/snapshot/json-cursor.js'
import { tokenOfDenom } from '../networks/denom.js'
import type { Network } from '../networks/network.js'
import { type Ask, queryBatch } from '../queries/query-batch.js'
import { contractCreation, smart } from '../queries/questions.js'
import { isHeightUnavailable } from '../rpc/faults.js'
import { InvalidChain } from '../rpc/invalid-answer.js'
import type { Source } from '../rpc/query-source.js'
import type { PlacedLeg } from './decode.js'
import { type KnownPairs, knownPairs } from './pairs.js'
import { dollarsAt } from './prices.js'

/** What the swaps of a block are judged by. */
export type View = {
  /** Whether a contract is a pair of the market, also one that is left out of quotes. */
  isPair(address: string): boolean
  /** Dollars per atomic, from the mid prices after the block; empty where they cannot be had. */
  readonly prices: ReadonlyMap<Denom, Rational>
  /**
   * Codes that are registered, with where their fees go. `undefined` where the state of that block
   * cannot be had any more.
   */
  readonly affiliates: ReadonlyMap<string, string> | undefined
}

/** Reads what surrounds the swaps of blocks, from the nodes that have the state of those heights. */
export type Viewer = {
  /**
   * @param priced whether prices are wanted
   * @throws NodeFault
   */
  at(height: number, legs: readonly PlacedLeg[], priced: boolean): Promise<View>
}

export function viewerOf(network: Network, source: Source): Viewer {
  const pairs = knownPairs(network, source)
  const router = network.router.address ?? ''
  return {
    async at(height, legs, priced) {
      const ask = queryBatch(source, network.name, height, { queries: 0, batches: 0, bytes: 0 })
      const met = [...new Set(legs.flatMap(({ hops }) => hops.map(({ pair }) => pair)))]
      try {
        await pairs.know(met, height)
        const [prices, affiliates] = await Promise.all([
          priced ? pricesOf(ask, network, pairs, legs) : new Map(),
          affiliatesOf(ask, router, legs),
        ])
        return { isPair: pairs.has, prices, affiliates }
      } catch (error) {
        if (!isHeightUnavailable(error) && !(error instanceof InvalidChain)) throw error
        // The state of that block is gone, or it was none that can be read: the pairs of today remain.
        await pairs.know(met, await source.newestHeight())
        return { isPair: pairs.has, prices: new Map(), affiliates: undefined }
      }
    },
  }
}

/** Of what went in, and of what came out where that alone has a price. */
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
  const found = await Promise.all(codes.map(async (code) => [code, await payee(ask, router, code)]))
  return new Map(found.filter((each): each is [string, string] => each[1] !== undefined))
}

/** Where a code's fees go; `undefined` where the router refuses the code. */
async function payee(ask: Ask, router: string, code: string): Promise<string | undefined> {
  const reply = await ask(smart(router, { affiliate: { affiliate_code: code } }, payeeIn))
  if (reply.kind === 'malformed')
    throw new InvalidChain('the router', `an affiliate of it cannot be read: ${reply.why}`)
  return reply.kind === 'answered' ? reply.value : undefined
}

function payeeIn(node: JsonCursor): string {
  const inner = member(node, 'affiliate')
  const entry = isAbsent(inner) ? node : inner
  return text(member(entry, 'affiliate_payment_address'))
}

/**
 * The height at which the router was made; nothing of it is older.
 *
 * @throws InvalidChain for an address without a contract
 */
export async function routerCreation(network: Network, source: Source): Promise<number> {
  const router = network.router.address
  if (router === undefined)
    throw new InvalidChain(network.name, 'its router is not known', 'set router.address')
  const height = await source.newestHeight()
  const ask = queryBatch(source, network.name, height, { queries: 0, batches: 0, bytes: 0 })
  const reply = await ask(contractCreation(router))
  if (reply.kind === 'answered') return Math.max(1, reply.value)
  throw new InvalidChain(network.name, `its router ${router} is not there: ${reply.why}`)
}
