import { append } from '../../engine/math/grouped.js'
import { items, type JsonCursor, MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import type { QuarantinedEvent } from '../../operations/history/history-port.js'
import type { BlockTx, ChainBlock } from './block.js'
import { type ChainEvent, decodeEvent, decodeMessages, type TxMessage, typeOf } from './events.js'

/** An event that could not be read as a swap or an order; `bytes` is JSON text. */
export type UndecodedEvent = Omit<QuarantinedEvent, 'height'>

/** @param event `raw` is as the node wrote it */
export const undecodedEvent = (
  event: Pick<UndecodedEvent, 'txIndex' | 'eventIndex'> & { readonly raw: unknown },
  reason: string,
): UndecodedEvent => {
  const { txIndex, eventIndex, raw } = event
  return { txIndex, eventIndex, reason, bytes: Buffer.from(JSON.stringify(raw)) }
}

/** The events of one kind: `isType` is a cheap filter by type, and `isWanted` decides. */
type EventKind = {
  isType(type: string): boolean
  isWanted(event: ChainEvent): boolean
  /** Whether a transaction may have to have such an event, by its bytes: it is read without one as well. */
  isCall?(tx: BlockTx): boolean
}

/** A transaction with its messages, and its events: all, and those of each message by its index. */
export type ReadTx = {
  readonly tx: BlockTx
  readonly events: readonly ChainEvent[]
  readonly eventsOf: ReadonlyMap<ChainEvent['message'], readonly ChainEvent[]>
  readonly messages: readonly TxMessage[]
  /** Some of its events, as far as they are of the kind, as undecoded ones. */
  undecoded(events: readonly ChainEvent[], reason: string): readonly UndecodedEvent[]
}

/** What was read of a block or of a transaction, and the events that could not be read. */
export type FoundEvents<T> = {
  readonly found: readonly T[]
  readonly undecoded: readonly UndecodedEvent[]
}

/**
 * Reads the successful transactions of a block that have, or may have to have, events of a kind, in order. Those outside
 * of transactions are undecoded.
 *
 * @throws MalformedDocument for an invalid list of events
 */
export function readEvents<T>(
  { txs, others, encoding }: ChainBlock,
  router: string,
  { isType, isWanted, isCall = () => false }: EventKind,
  read: (tx: ReadTx) => FoundEvents<T>,
): FoundEvents<T> {
  const eventsIn = (list: JsonCursor) =>
    items(list).some((event) => isType(typeOf(event)))
      ? items(list).map((event, index) => decodeEvent(event, index, encoding))
      : []
  const undecodedOf =
    (txIndex: number): ReadTx['undecoded'] =>
    (events, reason) =>
      events
        .filter(isWanted)
        .map(({ index, raw }) => undecodedEvent({ txIndex, eventIndex: index, raw }, reason))
  const parts = txs.map((tx): FoundEvents<T> => {
    const events = tx.code === 0 ? eventsIn(tx.events) : []
    if (!events.some(isWanted) && (tx.code !== 0 || !isCall(tx)))
      return { found: [], undecoded: [] }
    const undecoded = undecodedOf(tx.index)
    const eventsOf = new Map<ChainEvent['message'], ChainEvent[]>()
    for (const event of events) append(eventsOf, event.message, event)
    try {
      return read({ tx, events, eventsOf, messages: decodeMessages(tx.bytes, router), undecoded })
    } catch (error) {
      if (!(error instanceof MalformedDocument)) throw error
      const why = `its transaction cannot be read: ${error.pointer} ${error.message}`
      return { found: [], undecoded: undecoded(events, why) }
    }
  })
  const outside = others.flatMap((list) =>
    undecodedOf(-1)(eventsIn(list), 'it is outside of transactions'),
  )
  return {
    found: parts.flatMap(({ found }) => found),
    undecoded: [...parts.flatMap(({ undecoded }) => undecoded), ...outside],
  }
}
