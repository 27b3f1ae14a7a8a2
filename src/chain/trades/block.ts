import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { counted } from '../../engine/math/counted.js'
import {
  isAbsent,
  items,
  type JsonCursor,
  member,
  optional,
  refuse,
  text,
} from '../../engine/snapshot/json-cursor.js'
import { includesText } from '../../platform/encoding.js'
import { attributesOf, type Encoding, encodingIn, OTHER_EVENTS } from '../queries/event-encoding.js'
import type { BlockData } from '../tx/block-data.js'
import { typeOf } from './events.js'

/** The identity of a block. Hashes are upper-case hex. */
type BlockHead = Pick<BlockData, 'chainId' | 'height' | 'time' | 'hash'> & {
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
  /** The roots over its results and over those of the block before, as headers commit to them, where they do. */
  readonly results?: string | undefined
  readonly parentResults?: string | undefined
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
 * A block with the answer of `block_results` for its height.
 *
 * @throws MalformedDocument for a malformed answer, or one of another height
 * @throws IncompleteResults for fewer results than transactions
 */
export function decodeBlock(block: BlockData, results: JsonCursor): ChainBlock {
  const { chainId, height, time, hash, lastBlockHash: parentHash } = block
  const resultsHeight = member(results, 'height')
  if (text(resultsHeight) !== `${height}`) refuse(resultsHeight, `must be ${height}`)
  const txs = txsOf(block, results)
  const others = OTHER_EVENTS.map((name) => member(results, name)).filter((list) => !isAbsent(list))
  const lists = [...txs.map(({ events }) => events), ...others]
  for (const list of lists) requireEvents(list)
  const encoding = encodingIn(lists, member(results, 'txs_results'))
  return { chainId, height, time, hash, parentHash, txs, others, encoding }
}

/** @throws MalformedDocument for a list that is not one of events */
function requireEvents(list: JsonCursor): void {
  for (const event of items(list)) {
    typeOf(event)
    for (const attribute of attributesOf(event)) member(attribute, 'key')
  }
}

function txsOf({ height, txs }: BlockData, results: JsonCursor): readonly BlockTx[] {
  const outcomes = optional(member(results, 'txs_results'), items) ?? []
  if (txs.length !== outcomes.length)
    throw new IncompleteResults(
      `block ${height} has ${counted(txs.length, 'transaction')}, and ${counted(outcomes.length, 'result')}`,
    )
  return txs.map((bytes, index) => {
    const outcome = outcomes[index]!
    const code = codeOf(member(outcome, 'code'))
    const events = listNode(member(outcome, 'events'))
    if (code === 0 && items(events).length === 0 && includesText(bytes, MsgExecuteContract.typeUrl))
      refuse(events, 'must have the events of a contract that was executed')
    return { index, bytes, code, events }
  })
}

const listNode = (node: JsonCursor): JsonCursor => (isAbsent(node) ? { ...node, value: [] } : node)

/** A result code; absent means zero. */
function codeOf(node: JsonCursor): number {
  if (isAbsent(node)) return 0
  const { value } = node
  return typeof value === 'number' && Number.isSafeInteger(value)
    ? value
    : refuse(node, 'must be a code')
}
