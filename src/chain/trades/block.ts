import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { counted } from '../../engine/math/counted.js'
import {
  isAbsent,
  items,
  type JsonCursor,
  member,
  refuse,
  text,
} from '../../engine/snapshot/json-cursor.js'
import { fromBase64, includesText } from '../../platform/encoding.js'
import { attributesOf, type Encoding, encodingIn } from '../queries/event-encoding.js'
import { decodeHeader } from '../queries/header.js'
import { typeOf } from './events.js'

/** The identity of a block. Hashes are upper-case hex. */
type BlockHead = {
  readonly chainId: string
  readonly height: number
  /** RFC 3339 UTC. */
  readonly time: string
  readonly hash: string
  /** The block before it; empty in a chain's first. */
  readonly parentHash: string
}

/** A transaction of a block, with its result. */
export type BlockTx = {
  /** Its place in the block. */
  readonly index: number
  readonly bytes: Uint8Array
  /** 0 where it was executed. */
  readonly code: number
  /** Its events, not read yet. */
  readonly events: JsonCursor
}

/** A block with its results; events are not decoded yet. */
export type ChainBlock = BlockHead & {
  readonly txs: readonly BlockTx[]
  /** Events outside of transactions, in lists as the node has them. */
  readonly others: readonly JsonCursor[]
  readonly encoding: Encoding
}

/** A node has a block, but not yet all of its results. */
export class IncompleteResults extends Error {
  override readonly name = 'IncompleteResults'
}

/**
 * The answers of `block` and `block_results` for one height.
 *
 * @throws MalformedDocument for a malformed answer, or answers of different blocks
 * @throws IncompleteResults for fewer results than transactions
 */
export function decodeBlock(block: JsonCursor, results: JsonCursor): ChainBlock {
  const blockNode = member(block, 'block')
  const { chainId, height, time } = decodeHeader(blockNode)
  const resultsHeight = member(results, 'height')
  if (text(resultsHeight) !== `${height}`) refuse(resultsHeight, `must be ${height}`)
  const id = member(member(member(blockNode, 'header'), 'last_block_id'), 'hash')
  const txs = txsOf(blockNode, results, height)
  const others = ['finalize_block_events', 'begin_block_events', 'end_block_events']
    .map((name) => member(results, name))
    .filter((list) => !isAbsent(list))
  for (const list of [...txs.map(({ events }) => events), ...others]) requireEvents(list)
  return {
    chainId,
    height,
    time,
    hash: hashOf(member(member(block, 'block_id'), 'hash')),
    parentHash: id.value === '' ? '' : hashOf(id),
    txs,
    others,
    encoding: encodingIn(
      [...txs.map(({ events }) => events), ...others],
      member(results, 'txs_results'),
    ),
  }
}

/** @throws MalformedDocument for a list that is not one of events */
function requireEvents(list: JsonCursor): void {
  for (const event of items(list)) {
    typeOf(event)
    for (const attribute of attributesOf(event)) member(attribute, 'key')
  }
}

const hashOf = (node: JsonCursor): string => {
  const hash = text(node)
  return /^[0-9A-F]{64}$/i.test(hash) ? hash.toUpperCase() : refuse(node, 'must be a hash')
}

function txsOf(blockNode: JsonCursor, results: JsonCursor, height: number): readonly BlockTx[] {
  const bytes = listOf(member(member(blockNode, 'data'), 'txs'))
  const outcomes = listOf(member(results, 'txs_results'))
  if (bytes.length !== outcomes.length)
    throw new IncompleteResults(
      `block ${height} has ${counted(bytes.length, 'transaction')}, and ${counted(outcomes.length, 'result')}`,
    )
  return bytes.map((node, index) => {
    const outcome = outcomes[index]!
    const code = codeOf(member(outcome, 'code'))
    const events = listNode(member(outcome, 'events'))
    const tx = fromBase64(text(node))
    if (code === 0 && items(events).length === 0 && includesText(tx, MsgExecuteContract.typeUrl))
      refuse(events, 'must have the events of a contract that was executed')
    return { index, bytes: tx, code, events }
  })
}

const listOf = (node: JsonCursor): readonly JsonCursor[] => (isAbsent(node) ? [] : items(node))

const listNode = (node: JsonCursor): JsonCursor => (isAbsent(node) ? { ...node, value: [] } : node)

/** A result code; absent means zero. */
function codeOf(node: JsonCursor): number {
  if (isAbsent(node)) return 0
  const { value } = node
  return typeof value === 'number' && Number.isSafeInteger(value)
    ? value
    : refuse(node, 'must be a code')
}
