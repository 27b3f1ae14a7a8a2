import { memberIn } from '../../platform/json-object.js'
import { ask } from '../rpc/ask.js'
import type { Endpoint } from '../rpc/endpoint.js'
import { NodeFault } from '../rpc/faults.js'
import { callAt, type RpcOutcome } from '../rpc/http/json-rpc.js'
import { fromEach, soonFrom } from '../rpc/node-pool.js'
import type { Nodes } from '../rpc/nodes.js'

/** Heights that a node has, both included. */
type BlockRange = { readonly earliest: number; readonly latest: number }

/** @throws NodeFault */
async function blockRangeOf(endpoint: Endpoint, deadlineAt: number): Promise<BlockRange> {
  const [status] = await ask(endpoint, [{ method: 'status', params: {} }], deadlineAt)
  const sync = status?.ok ? memberIn(status.result, 'sync_info') : undefined
  const [earliest, latest] = ['earliest_block_height', 'latest_block_height'].map((name) =>
    Number(memberIn(sync, name)),
  )
  if (!Number.isSafeInteger(earliest) || !Number.isSafeInteger(latest))
    throw new NodeFault('bad_answer', endpoint.shown, 'does not say which blocks it has')
  return { earliest: Math.max(1, earliest ?? 1), latest: latest ?? 0 }
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

/**
 * The fault of a node without a block, or without its results. The range of its heights decides: error texts differ
 * between versions.
 *
 * @param outcomes of `block` and `block_results`
 * @throws NodeFault if the node does not say which blocks it has
 */
export async function missingBlock(
  endpoint: Endpoint,
  height: number,
  outcomes: readonly (RpcOutcome | undefined)[],
  deadlineAt: number,
): Promise<NodeFault> {
  const { shown } = endpoint
  const { earliest, latest } = await blockRangeOf(endpoint, deadlineAt)
  // The results of a block are available a moment after the block.
  const isNew = height + 1 >= latest
  if (outcomes[0]?.ok === true && !isNew)
    await findResults(endpoint, height, { earliest, latest }, deadlineAt)
  if (height < Math.max(earliest, firstResults.get(endpoint) ?? 0))
    return new NodeFault('height_unavailable', shown, `has no block ${height} any more`, {
      isLasting: true,
    })
  if (isNew) return new NodeFault('height_unavailable', shown, `has no block ${height} yet`)
  const texts = outcomes.flatMap((each) => (each?.ok === false ? [each.text] : []))
  const why = `does not give block ${height}: ${texts.join(' ')}`
  return new NodeFault('height_unavailable', shown, why, { isLasting: true })
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
