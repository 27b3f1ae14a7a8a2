import { items, MalformedDocument, member, rootCursor } from '../../engine/snapshot/json-cursor.js'
import { ask } from '../rpc/ask.js'
import type { Endpoint } from '../rpc/endpoint.js'
import { faultText, NodeFault } from '../rpc/faults.js'
import { callAt } from '../rpc/http/json-rpc.js'
import { type Pool, soonDone } from '../rpc/node-pool.js'
import { checkChain } from '../rpc/node-status.js'
import { nextHeader, readBlock, resultsHash } from './block-data.js'
import { readIndexed, txCall } from './lookup.js'
import type { Evidence, IncludedTx, Inspection } from './outcome.js'
import { decodeTxResult, deterministicPart } from './result.js'
import { txHashOf } from './unsigned-tx.js'

/** The state of a transaction at a height, by one node. */
type NodeAnswer = { readonly node: string } & (
  | {
      readonly kind: 'included'
      readonly included: IncludedTx
      /** Of the block that holds it; `undefined` if only the node's index was read. */
      readonly blockHash: string | undefined
      /** Whether the header of the next block commits to the results of this one. */
      readonly isCommitted: boolean
      /** Whether the node has no block after this one yet. */
      readonly isNewest: boolean
    }
  | { readonly kind: 'absent' }
  /** The node does not have the block, or its results, yet. */
  | { readonly kind: 'behind'; readonly why: string }
  | { readonly kind: 'silent'; readonly why: string }
)

/**
 * Reads the block of a height from every node and looks for a transaction in it. An answer counts only if its data are
 * consistent: transactions and `data_hash`, header and block id, results and the `last_results_hash` of the next
 * header, if there is one.
 *
 * @param isOwn whether this program runs the node itself: its answer needs no confirmation
 */
export async function inspectTx(
  pool: Pool,
  { hash, height }: { readonly hash: string; readonly height: number },
  { patienceMs, isOwn }: { readonly patienceMs: number; readonly isOwn: boolean },
): Promise<Inspection> {
  const deadlineAt = pool.clock.now() + patienceMs
  const usable = pool.endpoints.filter(({ dropped }) => dropped === undefined)
  const readings = await Promise.all(
    usable.map((endpoint) => readingOf(pool, endpoint, { hash, height, deadlineAt })),
  )
  return combined(readings, { height, configured: pool.endpoints.length, isOwn })
}

type TxQuery = { readonly hash: string; readonly height: number; readonly deadlineAt: number }

/** The answer of a node, and its newest height; 0 if it gives none. */
type Reading = { readonly answer: NodeAnswer; readonly newest: number }

async function readingOf(pool: Pool, endpoint: Endpoint, query: TxQuery): Promise<Reading> {
  const node = endpoint.shown
  const { height, deadlineAt } = query
  let newest = 0
  try {
    const answer = await soonDone(endpoint, async (): Promise<NodeAnswer> => {
      const status = await pool.readStatus(endpoint, deadlineAt)
      checkChain(endpoint, pool.chainId, status.chainId)
      newest = status.height ?? 0
      if (newest < height)
        return { kind: 'behind', node, why: `${node} is at block ${newest}, before ${height}` }
      return (await fromBlock(endpoint, query, newest)) ?? (await fromIndex(endpoint, query))
    })
    return { answer, newest }
  } catch (error) {
    if (!(error instanceof NodeFault || error instanceof MalformedDocument)) throw error
    return { answer: { kind: 'silent', node, why: `${node}: ${faultText(error)}` }, newest }
  }
}

/** @returns `undefined` if the node does not have the block @throws MalformedDocument for inconsistent data */
async function fromBlock(
  endpoint: Endpoint,
  { hash, height, deadlineAt }: TxQuery,
  newest: number,
): Promise<NodeAnswer | undefined> {
  const calls = [callAt('block', height), callAt('block_results', height)]
  const next = newest > height ? [callAt('commit', height + 1)] : []
  const [blockAnswer, resultsAnswer, nextAnswer] = await ask(
    endpoint,
    [...calls, ...next],
    deadlineAt,
  )
  const node = endpoint.shown
  if (blockAnswer?.ok !== true) return undefined
  const block = readBlock(rootCursor(blockAnswer.result), height)
  const index = block.txs.findIndex((bytes) => txHashOf(bytes) === hash)
  if (index < 0) return { kind: 'absent', node }
  if (resultsAnswer?.ok !== true)
    return { kind: 'behind', node, why: `${node} has no results of block ${height} yet` }
  const results = items(member(rootCursor(resultsAnswer.result), 'txs_results'))
  const result = results[index]
  if (result === undefined || results.length !== block.txs.length)
    throw new MalformedDocument('/txs_results', `must hold ${block.txs.length} results`)
  const header = nextHeader(nextAnswer, block)
  if (
    header !== undefined &&
    header.lastResultsHash !== resultsHash(results.map(deterministicPart))
  )
    throw new MalformedDocument('/txs_results', 'must be what the next header commits to')
  const included = decodeTxResult(result, height)
  const isNewest = newest === height
  const isCommitted = header !== undefined
  return { kind: 'included', node, included, blockHash: block.hash, isCommitted, isNewest }
}

async function fromIndex(
  endpoint: Endpoint,
  { hash, height, deadlineAt }: TxQuery,
): Promise<NodeAnswer> {
  const node = endpoint.shown
  const [outcome] = await ask(endpoint, [txCall(hash)], deadlineAt)
  const why = `${node} keeps neither block ${height} nor the transaction`
  if (outcome?.ok !== true) return { kind: 'silent', node, why }
  const included = readIndexed(rootCursor(outcome.result), hash)
  if (included.height !== height) return { kind: 'silent', node, why }
  return {
    kind: 'included',
    node,
    included,
    blockHash: undefined,
    isCommitted: false,
    isNewest: false,
  }
}

/** Combines the answers of all nodes. */
function combined(
  readings: readonly Reading[],
  {
    height,
    configured,
    isOwn,
  }: { readonly height: number; readonly configured: number; readonly isOwn: boolean },
): Inspection {
  const answers = readings.map(({ answer }) => answer)
  const unsupported = (why: string): Inspection => ({
    kind: 'unsupported',
    why,
    height: Math.max(0, ...readings.map(({ newest }) => newest)),
  })
  const inclusions = answers.flatMap((answer) => (answer.kind === 'included' ? [answer] : []))
  const without = answers.find(({ kind }) => kind === 'absent')
  const [first] = inclusions
  if (first === undefined)
    return without === undefined
      ? unsupported(whyOf(answers) ?? 'no node answers')
      : { kind: 'absent', why: `block ${height} of ${without.node} does not hold it` }
  if (without !== undefined)
    return {
      kind: 'disputed',
      why: `${first.node} says that it is in block ${height} with code ${first.included.code}, and ${without.node} has block ${height} without it`,
    }
  const differing = inclusions.find((each) => !isSame(first, each))
  if (differing !== undefined)
    return {
      kind: 'disputed',
      why: `${first.node} says code ${first.included.code} in block ${height}, and ${differing.node} says ${first.included.code === differing.included.code ? 'something else about its results' : `code ${differing.included.code}`}`,
    }
  const { included } = inclusions.find(({ isCommitted }) => isCommitted) ?? first
  const includedWith = (evidence: Evidence): Inspection => ({
    kind: 'included',
    included,
    evidence,
  })
  if (inclusions.length > 1) return includedWith('agreed')
  if (configured === 1 && (first.isCommitted || isOwn)) return includedWith('block')
  if (configured === 1)
    return { kind: 'included', included, evidence: 'one_node', isProvisional: first.isNewest }
  const behind = answers.find(({ kind }) => kind === 'behind')
  if (first.isCommitted && behind === undefined) return includedWith('block')
  return unsupported(
    `${first.node} alone of ${configured} nodes says that it is in block ${height}: ${whyOf(answers) ?? 'no other one answers'}`,
  )
}

const whyOf = (answers: readonly NodeAnswer[]): string | undefined =>
  answers.flatMap((answer) => ('why' in answer ? [answer.why] : []))[0]

type IncludedAnswer = Extract<NodeAnswer, { kind: 'included' }>

/** Whether two answers agree in the members that are the same on every honest node. */
function isSame(first: IncludedAnswer, other: IncludedAnswer): boolean {
  const isOneBlock =
    first.blockHash === undefined ||
    other.blockHash === undefined ||
    first.blockHash === other.blockHash
  return isOneBlock && essence(first.included) === essence(other.included)
}

const essence = ({ code, gasWanted, gasUsed, sequences, movements }: IncludedTx): string =>
  JSON.stringify([code, gasWanted, gasUsed, sequences, movements], (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
