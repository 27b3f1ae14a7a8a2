import type { Excluded, Market } from '../../engine/market/market.js'
import type { Denom } from '../../engine/market/token.js'
import { decimal, formatDecimal } from '../../engine/math/decimal.js'
import { decodeSnapshot, SNAPSHOT_FORMAT } from '../../engine/snapshot/decode.js'
import { encodeAffiliates, encodeToken } from '../../engine/snapshot/encode.js'
import { MalformedDocument, rootCursor } from '../../engine/snapshot/json-cursor.js'
import type { Network } from '../networks/network.js'
import { decodeGasLimit, decodeHeader, type HeaderFields } from '../queries/header.js'
import { heldCoins } from '../queries/held-coins.js'
import { type Cost, queryBatch, required, Unreadable } from '../queries/query-batch.js'
import { wireCoin } from '../queries/wire.js'
import { InvalidChain, isHeightUnavailable } from '../rpc/faults.js'
import type { Source } from '../rpc/query-source.js'
import { gasPriceOf } from '../tx/gas-price.js'
import { detectedRouter } from './detected-router.js'
import { discoverPairs } from './discover.js'
import {
  type ContractLabels,
  leftOut,
  type PairContract,
  readLabelDenoms,
  readPairContract,
  readRouterContract,
  readToken,
  requireNoPair,
  requireRouter,
} from './pair-config.js'
import { readBooks, unreadable } from './read-books.js'
import type { ReadMode } from './read-pair.js'
import { ReaderCache, type Reading } from './reader-cache.js'
import { touchedIn } from './touched.js'

/** Result and cost of one read. */
type ReadReport = Readonly<Cost> & {
  readonly ms: number
  /** Pairs that were read in another mode than `storage`, and why. */
  readonly fallbacks: readonly {
    readonly address: string
    readonly mode: ReadMode
    readonly why: string
  }[]
}

/** Reads the market of one network; data that does not change between reads is cached. */
export type MarketReader = {
  /**
   * The whole market as of one height, by default the newest. A pair that cannot be read is in `excluded` with its
   * reason.
   *
   * @throws NodeFault if no node answers
   * @throws InvalidChain if the answers are not those of a market
   */
  read(height?: number): Promise<Market>
  /** The last read that succeeded. */
  lastRead(): ReadReport | undefined
}

export function marketReader(network: Network, source: Source): MarketReader {
  const cache = new ReaderCache()
  let report: ReadReport | undefined
  const readAt = async (height: number): Promise<Market> => {
    const start = performance.now()
    const cost: Cost = { queries: 0, batches: 0, bytes: 0 }
    const ask = queryBatch(source, network.name, height, cost)
    const market = await readMarket({ network, source, cache, ask, height })
    report = reportOf(market, cache, cost, performance.now() - start)
    return market
  }
  return {
    async read(height) {
      if (height !== undefined) return readAt(height)
      try {
        return await readAt(await source.newestHeight())
      } catch (error) {
        if (!isHeightUnavailable(error)) throw error
        // A node that keeps few heights may have pruned this one during the read.
        return readAt(await source.newestHeight())
      }
    },
    lastRead: () => report,
  }
}

async function readMarket(reading: Reading): Promise<Market> {
  const { network, source, cache, height } = reading
  const router = requireRouter(network)
  const contractLabels = await cache.contractLabels.at(height, async () => new Map())
  const { known, listed } = readAddresses(reading, contractLabels)
  const [header, addresses, routerContract, routerBalances, gas, touched] = await Promise.all([
    readHeader(reading),
    known ?? listed,
    readRouter(reading, router),
    readBalances(reading, router),
    readGas(reading),
    touchedIn(source, cache.lastHeight ?? height, height),
  ])
  const rejected = new Map<string, Excluded>()
  const contracts = await Promise.all(
    addresses.map((address) => readContract(reading, address, rejected)),
  )
  const readable = contracts.filter((contract) => contract !== undefined)
  const labels = await readLabelDenoms(reading.ask, rejected.keys(), contractLabels)
  const denoms = [
    ...readable.flatMap(({ config }) => [config.base, config.quote]),
    ...[...labels.values()].flat(),
  ]
  const frame = {
    format: SNAPSHOT_FORMAT,
    network: network.name,
    chain_id: network.chainId,
    height,
    time: header.time,
    tokens: await readTokens(reading, new Set(denoms)),
    usd: network.usd ?? null,
    router: {
      address: router,
      dialect: network.router.dialect === 'auto' ? 'forward' : network.router.dialect,
      fee_bps: routerContract.feeBps,
      affiliates: encodeAffiliates(routerContract.affiliates),
      affiliate_rounding: network.router.builds.get(routerContract.checksum ?? ''),
      balances: routerBalances,
    },
    gas,
    arbs: network.arbs.map(wireCoin),
  }
  const decode = (pairs: readonly object[]): Market =>
    decodeSnapshot({ ...frame, pairs }, network.name)
  const books = await readBooks({ ...reading, touched }, readable, decode, rejected)
  await listed
  if (books.size === 0) {
    // A pair that answers no more is refused by its configuration, before any book is read.
    const last = [...rejected.values()].at(-1)
    throw new InvalidChain(
      network.name,
      `no pair of it can be read, the last one for: ${last?.reason}`,
    )
  }
  const market: Market = {
    ...decode([]),
    books: new Map(
      addresses.flatMap((address) => {
        const book = books.get(address)
        return book === undefined ? [] : [[address, book] as const]
      }),
    ),
    excluded: leftOut(
      addresses.flatMap((address) => rejected.get(address) ?? []),
      { contracts: readable, labels, retired: network.discovery.retired ?? [] },
    ),
  }
  return { ...market, router: await detectedRouter(reading, market, routerContract) }
}

/** The block's header, after a check of chain id and height. */
async function readHeader({ network, source, height }: Reading): Promise<HeaderFields> {
  const answer = await source.call('header', { height: `${height}` })
  try {
    const header = decodeHeader(rootCursor(answer))
    if (header.chainId !== network.chainId)
      throw new InvalidChain(
        network.name,
        `the node is of the chain ${header.chainId}, not ${network.chainId}`,
      )
    if (header.height !== height)
      throw new InvalidChain(
        network.name,
        `the node gave the header of height ${header.height} for height ${height}`,
      )
    return header
  } catch (error) {
    if (!(error instanceof MalformedDocument)) throw error
    throw new InvalidChain(network.name, `the header ${error.pointer} ${error.message}`)
  }
}

/**
 * The gas member of a snapshot. The limit of a transaction is the configured one of the network, otherwise that of the
 * consensus parameters, if the node reports them; the price likewise the configured one or the node's minimum
 * (docs/chain.md#gas-estimates).
 */
async function readGas({ network, source, cache, height }: Reading): Promise<object> {
  const { percent, limit: configured } = network.gas
  // Ranking goes without the price of a node that does not report it; signing does not.
  const readPrice = (last = decimal(0n)) => gasPriceOf(network, source).catch(() => last)
  const readLimit = (last: bigint | undefined) =>
    source
      .call('consensus_params', { height: `${height}` })
      .then((answer) => decodeGasLimit(rootCursor(answer)))
      // Not every node answers this query; then there is no limit, or the last known one.
      .catch(() => last)
  const [limit, price] = await Promise.all([
    configured ?? cache.gasLimit.at(height, readLimit),
    network.gasPrice ?? cache.gasPrice.at(height, readPrice),
  ])
  return {
    percent: Number(percent),
    ...(limit !== undefined && { limit: `${limit}` }),
    ...(price > 0n && { price: { denom: network.feeDenom, amount: formatDecimal(price) } }),
  }
}

/**
 * The list of pairs, which is read beside the market. A known one is used for this height, and kept if the new one
 * cannot be read.
 */
function readAddresses({ network, source, cache, ask, height }: Reading, labels: ContractLabels) {
  const known =
    cache.listedPairs && cache.listedPairs.height <= height
      ? cache.listedPairs.addresses
      : undefined
  const list = async (): Promise<readonly string[]> => {
    const addresses = await discoverPairs(network, source, ask, height, labels)
    cache.listedPairs = { addresses, height }
    return addresses
  }
  const listed = list().catch((error) => {
    if (known === undefined) throw error
    return known
  })
  return { known, listed }
}

const readRouter = ({ network, cache, ask, height }: Reading, address: string) =>
  cache.router.at(height, () =>
    required(network.name, async () => {
      try {
        return await readRouterContract(ask, address)
      } catch (error) {
        if (error instanceof Unreadable) await requireNoPair(network, ask, address)
        throw error
      }
    }),
  )

/** The router's balances: the next swap of a denom sells them as well. */
const readBalances = ({ network, ask }: Reading, address: string) =>
  required(network.name, async () => {
    const coins = await heldCoins(ask, address, "the router's balances")
    return Object.fromEntries(coins.map(({ denom, amount }) => [denom, `${amount}`]))
  })

async function readContract(
  { cache, ask, height }: Reading,
  address: string,
  rejected: Map<string, Excluded>,
): Promise<PairContract | undefined> {
  try {
    const contract =
      cache.pairContract(address, height) ?? (await readPairContract(ask, address, height))
    cache.setPairContract(contract)
    return contract
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    rejected.set(address, unreadable(address, error.message))
    return undefined
  }
}

const readTokens = ({ network, cache, ask }: Reading, denoms: ReadonlySet<Denom>) =>
  Promise.all(
    [...denoms].map(async (denom) => {
      const token = cache.tokens.get(denom) ?? (await readToken(ask, network, denom))
      cache.tokens.set(denom, token)
      return encodeToken(token)
    }),
  )

function reportOf(
  { height, books }: Market,
  cache: ReaderCache,
  cost: Cost,
  ms: number,
): ReadReport {
  const fallbacks = [...books.keys()].flatMap((address) => {
    const { mode, why } = cache.pair(address, height)
    return why === undefined ? [] : [{ address, mode, why }]
  })
  return { ...cost, ms, fallbacks }
}
