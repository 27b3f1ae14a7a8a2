import {
  items,
  type JsonCursor,
  MalformedDocument,
  member,
  optional,
  rootCursor,
} from '../../engine/snapshot/json-cursor.js'
import { attempt, attemptAsync } from '../../platform/attempt.js'
import { ask } from '../rpc/ask.js'
import type { Endpoint } from '../rpc/endpoint.js'
import { readFromAny } from '../rpc/failover.js'
import { NodeFault } from '../rpc/faults.js'
import { callAt, type RpcOutcome } from '../rpc/http/json-rpc.js'
import { fromEach, isCompared, type Pool, soonDone, soonFrom } from '../rpc/node-pool.js'
import type { Nodes } from '../rpc/nodes.js'
import { checkBlock } from '../rpc/source.js'
import { nextHeader, readBlock as requireConsistent, resultsHash } from '../tx/block-data.js'
import { deterministicPart } from '../tx/result.js'
import { type ChainBlock, decodeBlock, IncompleteResults } from './block.js'
import { missingBlock } from './block-range.js'

/** A block by one node. */
type Reading = {
  readonly endpoint: Endpoint
  readonly block: ChainBlock
  /** What the next header has to commit to; `undefined` where the results cannot be read. */
  readonly resultsHash: string | undefined
  /** What the block's own header commits to: the results of the block before. */
  readonly lastResultsHash: string
  /** Whether the next header of the node commits to the results; `undefined` without one. */
  readonly isCommitted: boolean | undefined
}

/** Chains whose headers have been seen to commit to the results as CometBFT's do. */
const committing = new WeakSet<Pool>()

/**
 * A block and the results of its transactions, both from one node. The node's transaction index is not
 * used: it can lose transactions. Its next header has to commit to them, and those of the other nodes that answer:
 * where one does not, as without a next header, and where one node alone has one, the whole blocks of these nodes are
 * compared: that of most of them counts, or of most of those with a next header.
 *
 * @throws NodeFault height_unavailable where no node has the block; bad_answer where nodes differ about it
 */
export async function readBlock(nodes: Nodes, height: number): Promise<ChainBlock> {
  const { rpc } = nodes
  const read = readerOf(rpc, height)
  const reading = await readFromAny(rpc, nodes.deadline(), read, height)
  const endpoints = rpc.endpoints.filter(
    (endpoint) => endpoint !== reading.endpoint && isCompared(endpoint),
  )
  const ofOthers = async <T>(work: (endpoint: Endpoint, deadlineAt: number) => Promise<T>) => {
    // One that hangs is not waited for, although no other of them answers.
    const answer = (endpoint: Endpoint) =>
      soonDone(endpoint, () => work(endpoint, nodes.deadline()))
    const answers = endpoints.map((each) => attemptAsync(() => answer(each), NodeFault))
    return (await Promise.all(answers)).filter((each) => each !== undefined)
  }
  // The header of a block that one node alone has proves nothing.
  const isShared = rpc.endpoints.filter((endpoint) => endpoint.height > height).length > 1
  if (reading.isCommitted && isShared) {
    const confirmations = await ofOthers((endpoint, deadlineAt) =>
      confirms(endpoint, reading, deadlineAt),
    )
    if (confirmations.every(Boolean)) return blockIn(rpc, reading)
  }
  const readings = [reading, ...(await ofOthers(read))]
  const committed = isShared ? readings.filter(({ isCommitted }) => isCommitted) : []
  const agreed = ofMost(readings) ?? ofMost(committed)
  if (agreed !== undefined) return blockIn(rpc, agreed)
  const other = readings.find((each) => !isSame(reading, each))!
  const [one, another] = [reading.endpoint.shown, other.endpoint.shown]
  throw new NodeFault('bad_answer', one, `and ${another} differ about block ${height}`)
}

const ofMost = (readings: readonly Reading[]): Reading | undefined =>
  readings.find((one) => readings.filter((each) => isSame(one, each)).length * 2 > readings.length)

/** A block as each node gives it that has the same one. No header commits to its events. @throws NodeFault */
export async function versionsOf(
  { rpc, deadline }: Nodes,
  { height, hash }: ChainBlock,
): Promise<readonly ChainBlock[]> {
  if (rpc.endpoints.length < 2) return []
  const readings = await fromEach(rpc, deadline(), readerOf(rpc, height), soonFrom)
  return readings.flatMap((each) => (each.block.hash === hash ? [blockIn(rpc, each)] : []))
}

/** A block with the roots over results, on a chain whose headers commit to them. */
const blockIn = (pool: Pool, { block, resultsHash, lastResultsHash }: Reading): ChainBlock =>
  committing.has(pool) ? { ...block, results: resultsHash, parentResults: lastResultsHash } : block

const isSame = (one: Reading, other: Reading): boolean =>
  one.block.hash === other.block.hash && one.resultsHash === other.resultsHash

/** Whether the next header of another node, if it has one, commits to a block and its results. */
async function confirms(
  endpoint: Endpoint,
  { block, resultsHash }: Reading,
  deadlineAt: number,
): Promise<boolean> {
  const [answer] = await ask(endpoint, [callAt('commit', block.height + 1)], deadlineAt)
  if (answer?.ok !== true) return true
  const next = attempt(() => nextHeader(answer, block), MalformedDocument)
  return next !== undefined && next.lastResultsHash === resultsHash
}

/** Reads a block from a node. */
const readerOf = (pool: Pool, height: number) => (endpoint: Endpoint, deadlineAt: number) =>
  readingOf(endpoint, pool, height, deadlineAt)

async function readingOf(
  endpoint: Endpoint,
  pool: Pool,
  height: number,
  deadlineAt: number,
): Promise<Reading> {
  const calls = ['block', 'block_results'].map((method) => callAt(method, height))
  const [block, results, next] = await ask(
    endpoint,
    [...calls, callAt('commit', height + 1)],
    deadlineAt,
  )
  if (block?.ok === true && results?.ok === true) {
    const answers = [block.result, results.result, next] as const
    const reading = decodeTrades(endpoint, height, pool.chainId, answers)
    if (reading.isCommitted && reading.block.txs.length > 0) committing.add(pool)
    if (reading.isCommitted === false && (await isCommitting(pool, reading, deadlineAt))) {
      const fault = `gives results of block ${height} to which its next header does not commit`
      throw new NodeFault('bad_answer', endpoint.shown, fault)
    }
    return reading
  }
  throw await missingBlock(endpoint, height, [block, results], deadlineAt)
}

/** Whether headers of the chain commit to results: others were seen to, or that of the block does. */
async function isCommitting(
  pool: Pool,
  { endpoint, block, lastResultsHash }: Reading,
  deadlineAt: number,
): Promise<boolean> {
  if (committing.has(pool)) return true
  const [answer] = await ask(endpoint, [callAt('block_results', block.height - 1)], deadlineAt)
  const hash = answer?.ok === true && hashOfResults(rootCursor(answer.result))
  const isSeen = hash === lastResultsHash && hash !== resultsHash([])
  if (isSeen) committing.add(pool)
  return isSeen
}

/** `undefined` where the results cannot be read. */
function hashOfResults(answer: JsonCursor): string | undefined {
  const read = () => {
    const results = optional(member(answer, 'txs_results'), items) ?? []
    return resultsHash(results.map(deterministicPart))
  }
  return attempt(read, MalformedDocument)
}

function decodeTrades(
  endpoint: Endpoint,
  height: number,
  chainId: string,
  [block, results, next]: readonly [unknown, unknown, RpcOutcome | undefined],
): Reading {
  const { shown } = endpoint
  try {
    for (const answer of [block, results]) checkBlock(endpoint, chainId, height, answer)
    // The next block would not link up with a false hash.
    const consistent = requireConsistent(rootCursor(block), height)
    const decoded = decodeBlock(consistent, rootCursor(results))
    const header = nextHeader(next, consistent)
    const hash = hashOfResults(rootCursor(results))
    return {
      endpoint,
      block: decoded,
      resultsHash: hash,
      lastResultsHash: consistent.lastResultsHash,
      isCommitted: header && header.lastResultsHash === hash,
    }
  } catch (error) {
    if (error instanceof IncompleteResults)
      throw new NodeFault('bad_answer', shown, `does not give all results yet: ${error.message}`)
    if (!(error instanceof MalformedDocument)) throw error
    const why = `${error.pointer} ${error.message}`
    throw new NodeFault('bad_answer', shown, `gives a block that cannot be read: ${why}`)
  }
}
