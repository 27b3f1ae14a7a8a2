import { MalformedDocument, rootCursor } from '../../engine/snapshot/json-cursor.js'
import { ask } from '../rpc/ask.js'
import type { Endpoint } from '../rpc/endpoint.js'
import { readFromAny } from '../rpc/failover.js'
import { NodeFault } from '../rpc/faults.js'
import { callAt, isObject } from '../rpc/http/json-rpc.js'
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
      const text = [block, results].map((each) => (each?.ok === false ? each.text : '')).join(' ')
      throw faultOf(endpoint, height, await blockRangeOf(endpoint, deadlineAt), text.trim())
    }
    return decodeTrades(endpoint, height, nodes.rpc.chainId, [block.result, results.result])
  }
  return readFromAny(nodes.rpc, nodes.deadline(), attempt, height)
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
  return new NodeFault('bad_answer', shown, `does not give block ${height}: ${text}`)
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

/**
 * The first block that any of the nodes that answer still has.
 *
 * @throws NodeFault when none does
 */
export async function earliestHeight({ rpc, deadline }: Nodes): Promise<number> {
  const ranges = await fromEach(rpc, deadline(), blockRangeOf, soonFrom)
  return Math.min(...ranges.map(({ earliest }) => earliest))
}
