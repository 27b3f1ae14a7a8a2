import type { RowPlace } from '../../operations/history/history-port.js'
import { includesText } from '../../platform/encoding.js'
import { txHashOf } from '../tx/unsigned-tx.js'
import type { BlockTx, ChainBlock } from './block.js'
import { type ChainEvent, MalformedEvent, type TxMessage } from './events.js'
import { type Leg, legOf, type Origin } from './leg.js'
import { type FoundEvents, type ReadTx, readEvents, undecodedEvent } from './read-events.js'
import { isDone, isDoneType, runsOf } from './runs.js'

/** Version of the decoder of blocks. Rows that another version wrote have to be indexed again. */
export const DECODER = 'trades-2'

/** The version before it, which wrote the same rows of swaps and read no orders. */
export const FORMER_DECODER = 'trades-1'

/** A leg with its place in the block. */
export type PlacedLeg = Leg &
  Omit<RowPlace, 'height' | 'time'> & {
    /** The router's event, at `eventIndex` of the transaction's, as the node wrote it. */
    readonly raw: unknown
  }

/**
 * Every swap of a block that went through the router, in the order of the block. Failed transactions are skipped.
 * Events of the same type from other contracts carry the addresses of those and are skipped as well. A call of the
 * router without its event is undecoded: the block proves the bytes of a transaction, and not its events.
 *
 * @throws MalformedDocument for an invalid list of events
 */
export function tradesOf(block: ChainBlock, router: string) {
  const kind = {
    isType: isDoneType,
    isWanted: (event: ChainEvent) => isDone(event, router),
    isCall: ({ bytes }: BlockTx) => includesText(bytes, router),
  }
  const { found, undecoded } = readEvents(block, router, kind, (tx) => legsOf(tx, router))
  return { legs: found, undecoded }
}

/** The swaps of one transaction. */
export function legsOf(read: ReadTx, router: string): FoundEvents<PlacedLeg> {
  const { tx, events, eventsOf, messages } = read
  const txHash = txHashOf(tx.bytes)
  const found: PlacedLeg[] = []
  const strays = events.filter((event) => messages[event.message ?? -1] === undefined)
  const undecoded = [...read.undecoded(strays, 'it belongs to no message')]
  let isComplete = true
  for (const [msgIndex, message] of messages.entries()) {
    const messageEvents = eventsOf.get(msgIndex) ?? []
    const runs = runsOf(messageEvents, router)
    if (message.kind === 'router' && runs.length === 0) isComplete = false
    for (const [at, run] of runs.entries()) {
      const { index: eventIndex, raw } = run.done
      const place = { txIndex: tx.index, msgIndex, eventIndex, txHash, raw }
      try {
        const leg = legOf(run, router, originOf(message, messageEvents, at))
        if (leg !== undefined) found.push({ ...leg, ...place })
      } catch (error) {
        if (!(error instanceof MalformedEvent)) throw error
        undecoded.push(undecodedEvent(place, error.message))
      }
    }
  }
  if (!isComplete && undecoded.length === 0) {
    const place = { txIndex: tx.index, eventIndex: -1, raw: { tx_hash: txHash } }
    undecoded.push(
      undecodedEvent(place, 'it calls the router, whose event is not among its events'),
    )
  }
  return { found, undecoded }
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
