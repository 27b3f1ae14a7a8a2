import { items, type JsonCursor, MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import type { QuarantinedEvent } from '../../operations/history/history-port.js'
import type { Encoding } from '../queries/event-encoding.js'
import { txHashOf } from '../tx/unsigned-tx.js'
import type { BlockTx, ChainBlock } from './block.js'
import {
  type ChainEvent,
  decodeEvent,
  decodeMessages,
  MalformedEvent,
  type TxMessage,
  typeOf,
} from './events.js'
import { type Leg, legOf, type Origin } from './leg.js'
import { isDone, isDoneType, runsOf } from './runs.js'

/** Version of the decoder of blocks. Rows that another version wrote have to be indexed again. */
export const DECODER = 'trades-2'

/** The version before it, which wrote the same rows of swaps and read no orders. */
export const FORMER_DECODER = 'trades-1'

/** A leg with its place in the block. */
export type PlacedLeg = Leg & {
  readonly txIndex: number
  readonly msgIndex: number
  /** Index of the router's event among all events of the transaction. */
  readonly eventIndex: number
  readonly txHash: string
  /** That event as the node wrote it. */
  readonly raw: unknown
}

/** An event that could not be read as a swap or an order; `bytes` is JSON text. */
export type UndecodedEvent = Omit<QuarantinedEvent, 'height'>

/** The swaps of the router in one block. */
type Trades = {
  readonly legs: readonly PlacedLeg[]
  readonly undecoded: readonly UndecodedEvent[]
}

/**
 * Every swap of a block that went through the router, in the order of the block. Failed transactions are skipped.
 * Events of the same type from other contracts carry the addresses of those and are skipped as well.
 *
 * @throws MalformedDocument for an invalid list of events
 */
export function tradesOf(block: ChainBlock, router: string): Trades {
  const legs: PlacedLeg[] = []
  const undecoded: UndecodedEvent[] = []
  for (const tx of block.txs) {
    if (tx.code !== 0 || !mentions(tx.events)) continue
    const read = readTx(tx, block.encoding, router)
    legs.push(...read.legs)
    undecoded.push(...read.undecoded)
  }
  for (const list of block.others)
    for (const event of eventsOf(list, block.encoding))
      if (isDone(event, router))
        undecoded.push(undecodedIn(-1, event, 'it is outside of transactions'))
  return { legs, undecoded }
}

/** Whether any event has the type of a router's event: a cheap filter that rejects most transactions. */
const mentions = (events: JsonCursor): boolean =>
  items(events).some((event) => isDoneType(typeOf(event)))

const eventsOf = (list: JsonCursor, encoding: Encoding): readonly ChainEvent[] =>
  mentions(list) ? items(list).map((event, index) => decodeEvent(event, index, encoding)) : []

function readTx(tx: BlockTx, encoding: Encoding, router: string): Trades {
  const events = eventsOf(tx.events, encoding)
  const doneEvents = events.filter((event) => isDone(event, router))
  if (doneEvents.length === 0) return { legs: [], undecoded: [] }
  const allUndecoded = (reason: string) => ({
    legs: [],
    undecoded: doneEvents.map((event) => undecodedIn(tx.index, event, reason)),
  })
  try {
    return legsOf({ tx, events, router, messages: decodeMessages(tx.bytes, router) })
  } catch (error) {
    if (!(error instanceof MalformedDocument)) throw error
    return allUndecoded(`its transaction cannot be read: ${error.pointer} ${error.message}`)
  }
}

type Reading = {
  readonly tx: BlockTx
  readonly events: readonly ChainEvent[]
  readonly router: string
  readonly messages: readonly TxMessage[]
}

function legsOf({ tx, events, router, messages }: Reading): Trades {
  const txHash = txHashOf(tx.bytes)
  const legs: PlacedLeg[] = []
  const undecoded = events
    .filter((event) => isDone(event, router) && messages[event.message ?? -1] === undefined)
    .map((event) => undecodedIn(tx.index, event, 'it belongs to no message'))
  for (const [msgIndex, message] of messages.entries()) {
    const messageEvents = events.filter((event) => event.message === msgIndex)
    for (const [at, run] of runsOf(messageEvents, router).entries()) {
      const { index: eventIndex, raw } = run.done
      const place = { txIndex: tx.index, msgIndex, eventIndex, txHash, raw }
      try {
        const leg = legOf(run, router, originOf(message, messageEvents, at))
        if (leg !== undefined) legs.push({ ...leg, ...place })
      } catch (error) {
        if (!(error instanceof MalformedEvent)) throw error
        undecoded.push(undecodedIn(tx.index, run.done, error.message))
      }
    }
  }
  return { legs, undecoded }
}

/** The first run of a message that calls the router is that call; further runs were started by other contracts. */
function originOf(message: TxMessage, events: readonly ChainEvent[], run: number): Origin {
  if (message.kind === 'router')
    return { sender: message.call.sender, call: run === 0 ? message.call : undefined }
  if (message.kind === 'execute') return { sender: message.sender, call: undefined }
  // The node's own event of a message names who signed it.
  const messageEvent = events.find(
    ({ type, attributes }) => type === 'message' && attributes.has('action'),
  )
  const sender = messageEvent?.attributes.get('sender')?.[0]
  if (sender === undefined) throw new MalformedEvent('its message does not name its signer')
  return { sender, call: undefined }
}

const undecodedIn = (txIndex: number, { index, raw }: ChainEvent, reason: string): UndecodedEvent =>
  undecodedEvent({ txIndex, eventIndex: index, raw }, reason)

/** An event of the router that could not be decoded as a swap. */
export const undecodedEvent = (
  { txIndex, eventIndex, raw }: Pick<PlacedLeg, 'txIndex' | 'eventIndex' | 'raw'>,
  reason: string,
): UndecodedEvent => ({ txIndex, eventIndex, reason, bytes: Buffer.from(JSON.stringify(raw)) })
