import { existsSync } from 'node:fs'
import type { MarketReader } from '../chain/market/read-market.js'
import { readSnapshot } from '../chain/market/snapshot-file.js'
import { isHeightUnavailable, NodeFault, NodeRefusal, unlessFaulty } from '../chain/rpc/faults.js'
import type { Source } from '../chain/rpc/query-source.js'
import type { Surroundings } from '../cli/command.js'
import { configuredValue, isOwnDemo } from '../config/configured.js'
import type { Config } from '../config/load.js'
import { firstDemoMarket, savedDemoMarket } from '../demo-chain/index.js'
import { invalidRequest, SwapError } from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import { decodeSnapshot } from '../engine/snapshot/decode.js'
import { decodePrepared } from '../engine/snapshot/prepared.js'
import { HeightUnavailable } from '../operations/chain-port.js'
import { memberIn } from '../platform/json-object.js'
import { demoPlaces } from './chain-access.js'

/** A block of a saved market, by default its newest. `isRecorded` means that it has to be that of a tape. */
type SavedBlock = { readonly height: number | undefined; readonly isRecorded: boolean }

/**
 * The saved market of the configuration, from a document or a tape.
 *
 * @throws SwapError NOT_FOUND for another block, INVALID_REQUEST for another network than that of `--network`
 */
export async function snapshotMarket(
  config: Config,
  surroundings: Surroundings,
  path: string,
  block: SavedBlock,
  note: (text: string) => void,
): Promise<Market> {
  const market = await readSaved(path, surroundings, block, note)
  const named = configuredValue(config, 'network', ['flag'])
  if (named === undefined || config.network.chainId === market.chainId) return market
  const message = `the saved market is of ${market.network}, not of ${named}`
  throw invalidRequest(message, '/network', {
    why: `its chain is ${market.chainId}, that of ${named} is ${config.network.chainId}`,
    hint: 'leave --network out: a saved market names its own',
  })
}

async function readSaved(
  path: string,
  surroundings: Surroundings,
  { height, isRecorded }: SavedBlock,
  note: (text: string) => void,
): Promise<Market> {
  if (isRecorded || path !== '-') {
    const { isTape, marketAt, readTape } = await import('../tape/tape.js')
    if (isRecorded || isTape(path)) return marketAt(readTape(path, note), height)
  }
  const market = await readSnapshot(path, surroundings.stdin)
  if (height === undefined || height === market.height) return market
  throw new SwapError('NOT_FOUND', `block ${height} is not in the snapshot`, {
    why: `it holds block ${market.height}`,
    hint: 'leave --height or --snapshot out',
    members: { height, earliest: market.height, latest: market.height },
  })
}

/**
 * The newest demo market without querying a node: that of the chain's file, or the first one without a file.
 * `undefined` if a process runs or a fault is on, so that a node must be queried.
 */
export async function quickMarket(
  config: Config,
  surroundings: Surroundings,
): Promise<Market | undefined> {
  if (!isOwnDemo(config)) return undefined
  const places = demoPlaces(surroundings)
  if (existsSync(places.record) || existsSync(places.faults)) return undefined
  const saved = await savedDemoMarket(places)
  if (saved !== undefined) return decodeSnapshot(saved, 'the demo chain')
  firstMarket ??= firstDemoMarket().then((first) => decodePrepared(first, 'the demo market'))
  return firstMarket
}

/** The initial market of every demo chain, decoded once a process. */
let firstMarket: Promise<Market> | undefined

/** Blocks by which a node may lag behind its own reported height a moment later. */
const LAG_BLOCKS = 1

/**
 * The market as of a height, or the newest.
 *
 * @throws HeightUnavailable with the node's available heights; NodeFault, NodeRefusal, InvalidChain
 */
export async function readAt(
  reader: MarketReader,
  source: Source,
  endpoint: string,
  height: number | undefined,
): Promise<Market> {
  if (height === undefined) return reader.read()
  const newest = await source.newestHeight()
  // Without this check the query would wait for a future height.
  if (height > newest + LAG_BLOCKS) throw await unavailable(source, endpoint, height, newest)
  try {
    return await reader.read(height)
  } catch (error) {
    if (!(error instanceof NodeFault || error instanceof NodeRefusal)) throw error
    const typed = await unavailable(source, endpoint, height, newest)
    throw isHeightUnavailable(error) || height < (typed.earliest ?? 0) ? typed : error
  }
}

/** The available heights: nodes keep blocks longer than their state. */
async function unavailable(
  source: Source,
  endpoint: string,
  height: number,
  latest: number,
): Promise<HeightUnavailable> {
  const status = await source.call('status', {})
  const first = Number(memberIn(status, 'sync_info', 'earliest_block_height'))
  const firstBlock = Number.isSafeInteger(first) && first <= latest ? first : undefined
  const earliest =
    firstBlock === undefined || height > latest
      ? firstBlock
      : await earliestState(source, firstBlock, latest)
  return new HeightUnavailable(height, { earliest, latest, firstBlock }, endpoint)
}

/** The oldest height with state, by bisection; `undefined` if nodes do not respond. */
async function earliestState(
  source: Source,
  first: number,
  latest: number,
): Promise<number | undefined> {
  const hasState = async (height: number): Promise<boolean> => {
    // Loaded on demand: a quote from a saved market must not load the query codec.
    const { metadata } = await import('../chain/queries/questions.js')
    try {
      // Any denom will do; it need not exist.
      await source.queries([metadata('none')], height)
      return true
    } catch (error) {
      if (isHeightUnavailable(error)) return false
      throw error
    }
  }
  return unlessFaulty(async () => {
    if (await hasState(first)) return first
    let withoutState = first
    let withState = latest
    while (withState - withoutState > 1) {
      const middle = Math.floor((withoutState + withState) / 2)
      if (await hasState(middle)) withState = middle
      else withoutState = middle
    }
    return withState
  })
}
