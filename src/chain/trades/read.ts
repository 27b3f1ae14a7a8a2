import { MalformedDocument, rootCursor } from '../../engine/snapshot/json-cursor.js'
import { isObject } from '../../platform/json-object.js'
import { ask } from '../rpc/ask.js'
import type { Endpoint } from '../rpc/endpoint.js'
import { readFromAny } from '../rpc/failover.js'
import { NodeFault } from '../rpc/faults.js'
import { callAt } from '../rpc/http/json-rpc.js'
import { fromEach, soonFrom } from '../rpc/node-pool.js'
import type { Nodes } from '../rpc/nodes.js'
import { readBlock as requireConsistent } from '../tx/block-data.js'
import { type ChainBlock, decodeBlock, IncompleteResults } from './block.js'

/** Heights that nodes have, both included. */
type BlockRange = { readonly earliest: number; readonly latest: number }

/**
 * A block and the results of its transactions, both from one node. The node's transaction index is not
 * used: it can lose transactions.
 *
 * @throws NodeFault height_unavailable where no node has the block
 */
export function readBlock(nodes: Nodes, height: number): Promise<ChainBlock> {
  const calls = ['block', 'block_results'].map((method) => callAt(method, height))
  const attempt = async (endpoint: Endpoint, deadlineAt: number): Promise<ChainBlock> => {
    const [block, results] = await ask(endpoint, calls, deadlineAt)
    if (block?.ok !== true || results?.ok !== true) {
      const range = await blockRangeOf(endpoint, deadlineAt)
      if (block?.ok === true && height + 1 < range.latest)
        await findResults(endpoint, height, range, deadlineAt)
      const text = [block, results].map((each) => (each?.ok === false ? each.text : '')).join(' ')
      const earliest = Math.max(range.earliest, firstResults.get(endpoint) ?? 0)
      throw faultOf(endpoint, height, { ...range, earliest }, text.trim())
    }
    return decodeTrades(endpoint, height, nodes.rpc.chainId, [block.result, results.result])
  }
  return readFromAny(nodes.rpc, nodes.deadline(), attempt, height)
}

/** The first height whose results a node has, if it is known to keep results for fewer blocks than it keeps. */
const firstResults = new WeakMap<Endpoint, number>()

const hasResults = async (endpoint: Endpoint, height: number, deadlineAt: number) =>
  (await ask(endpoint, [callAt('block_results', height)], deadlineAt))[0]?.ok === true

/**
 * Bisects for the first results of a node that has none at a height, unless they are known or it has older ones. It looks
 * for these at the block before as well: its earliest one may be another one that it has lost.
 */
async function findResults(
  endpoint: Endpoint,
  height: number,
  { earliest, latest }: BlockRange,
  deadlineAt: number,
): Promise<void> {
  if (height < (firstResults.get(endpoint) ?? 0)) return
  for (const older of new Set([earliest, height - 1]))
    if (earliest <= older && older < height && (await hasResults(endpoint, older, deadlineAt)))
      return
  let below = height
  let first = latest
  while (first - below > 1) {
    const middle = Math.floor((below + first) / 2)
    if (await hasResults(endpoint, middle, deadlineAt)) first = middle
    else below = middle
  }
  firstResults.set(endpoint, first)
}

/** The fault of a node without a block. The range of its heights decides: error texts differ between versions. */
function faultOf({ shown }: Endpoint, height: number, range: BlockRange, text: string): NodeFault {
  if (height < range.earliest)
    return new NodeFault('height_unavailable', shown, `has no block ${height} any more`, {
      isLasting: true,
    })
  // The results of a block are available a moment after the block.
  if (height + 1 >= range.latest)
    return new NodeFault('height_unavailable', shown, `has no block ${height} yet`)
  return new NodeFault('height_unavailable', shown, `does not give block ${height}: ${text}`, {
    isLasting: true,
  })
}

function decodeTrades(
  { shown }: Endpoint,
  height: number,
  chainId: string,
  [block, results]: readonly [unknown, unknown],
): ChainBlock {
  try {
    const decoded = decodeBlock(rootCursor(block), rootCursor(results))
    if (decoded.chainId !== chainId)
      throw new NodeFault('wrong_chain', shown, `gives a block of the chain "${decoded.chainId}"`)
    if (decoded.height !== height)
      throw new NodeFault('wrong_height', shown, `gave block ${decoded.height} for block ${height}`)
    // The next block would not link up with a false hash.
    requireConsistent(rootCursor(block), height)
    return decoded
  } catch (error) {
    if (error instanceof IncompleteResults)
      throw new NodeFault('bad_answer', shown, `does not give all results yet: ${error.message}`)
    if (!(error instanceof MalformedDocument)) throw error
    const why = `${error.pointer} ${error.message}`
    throw new NodeFault('bad_answer', shown, `gives a block that cannot be read: ${why}`)
  }
}

/** @throws NodeFault */
async function blockRangeOf(endpoint: Endpoint, deadlineAt: number): Promise<BlockRange> {
  const [status] = await ask(endpoint, [{ method: 'status', params: {} }], deadlineAt)
  const sync = status?.ok && isObject(status.result) ? status.result['sync_info'] : undefined
  const [earliest, latest] = ['earliest_block_height', 'latest_block_height'].map((name) =>
    Number(isObject(sync) ? sync[name] : Number.NaN),
  )
  if (!Number.isSafeInteger(earliest) || !Number.isSafeInteger(latest))
    throw new NodeFault('bad_answer', endpoint.shown, 'does not say which blocks it has')
  return { earliest: Math.max(1, earliest ?? 1), latest: latest ?? 0 }
}

/** The first block that nodes have, and the nodes that gave no answer: these may have older ones. */
export type EarliestBlock = { readonly height: number; readonly silent: readonly string[] }

/**
 * The first block that any of the nodes that answer still has, with its results.
 *
 * @throws NodeFault when none answers
 */
export async function earliestHeight({ rpc, deadline }: Nodes): Promise<EarliestBlock> {
  const read = async (endpoint: Endpoint, deadlineAt: number) => {
    const height = await earliestOf(endpoint, deadlineAt)
    return { shown: endpoint.shown, height }
  }
  const answers = await fromEach(rpc, deadline(), read, soonFrom)
  const silent = rpc.endpoints.filter(
    ({ dropped, shown }) =>
      dropped === undefined && answers.every((answer) => answer.shown !== shown),
  )
  return {
    height: Math.min(...answers.map(({ height }) => height)),
    silent: silent.map(({ shown }) => shown),
  }
}

async function earliestOf(endpoint: Endpoint, deadlineAt: number): Promise<number> {
  const { earliest } = await blockRangeOf(endpoint, deadlineAt)
  const first = firstResults.get(endpoint) ?? 0
  if (first <= earliest) return earliest
  if (!(await hasResults(endpoint, first - 1, deadlineAt))) return first
  // The node did not answer for a moment only.
  firstResults.delete(endpoint)
  return earliest
}
