import type { Coin } from '../../engine/market/token.js'
import { type OrderEntry, parseOrderMessage } from '../../engine/orders/order-message.js'
import {
  type OrderPlace,
  type OrderPrice,
  parsePriceText,
  placeKey,
  priceText,
} from '../../engine/orders/order-price.js'
import type { OrderChange } from '../../operations/history/history-port.js'
import { fromJson } from '../queries/wire.js'
import { txHashOf } from '../tx/unsigned-tx.js'
import type { ChainBlock } from './block.js'
import {
  attribute,
  type ChainEvent,
  indexFrom,
  isOf,
  MalformedEvent,
  type TxMessage,
} from './events.js'
import { attributeAmount, TRADE } from './leg.js'
import { type FoundEvents, type ReadTx, readEvents, type UndecodedEvent } from './read-events.js'
import { transferOf } from './runs.js'

const ORDER = 'wasm-rujira-fin/order.'

/** A change of a resting order, before fees. All amounts but `gross` are in the denom that its side gives. */
export type GrossChange = OrderPlace &
  Pick<OrderChange, 'eventIndex' | 'action' | 'sold' | 'added' | 'returned'> & {
    /** The payment before the fee, in atomics of the denom that its side wants. */
    readonly gross: bigint
  }

/** One execution of an order message by a pair, with at least one change. */
export type OrderRun = Pick<OrderChange, 'txIndex' | 'msgIndex' | 'txHash' | 'pair' | 'owner'> & {
  readonly changes: readonly GrossChange[]
  /** Coins that the owner sent, that the owner was paid, and that went to the fee address. */
  readonly funds: readonly Coin[]
  readonly paid: readonly Coin[]
  readonly makerFees: readonly Coin[]
  /** Its events as the node wrote them. */
  readonly raw: readonly unknown[]
}

/**
 * Every executed order message of a block, in the order of the block. Any contract can emit events of this
 * type: the caller has to check the pair (docs/chain.md#executed-orders).
 *
 * @throws MalformedDocument for an invalid list of events
 */
export function orderRunsOf(block: ChainBlock, router: string) {
  const kind = { isType: isOrderType, isWanted: isOrder }
  const { found, undecoded } = readEvents(block, router, kind, runsIn)
  return { runs: found, undecoded }
}

const isOrderType = (type: string): boolean => type.startsWith(ORDER)

const isOrder = ({ type }: ChainEvent): boolean => isOrderType(type)

/** The order messages of one transaction. */
export function runsIn(read: ReadTx): FoundEvents<OrderRun> {
  const { tx, events, eventsOf, messages } = read
  const txHash = txHashOf(tx.bytes)
  const found: OrderRun[] = []
  const undecoded: UndecodedEvent[] = []
  const decodedEvents = new Set<ChainEvent>()
  for (const [msgIndex, message] of messages.entries()) {
    const messageEvents = eventsOf.get(msgIndex) ?? []
    for (const call of callsIn(messageEvents)) {
      for (const event of call.events) decodedEvents.add(event)
      try {
        const run = runOf(call, messageEvents, message)
        if (run.changes.length > 0) found.push({ txIndex: tx.index, msgIndex, txHash, ...run })
      } catch (error) {
        if (!(error instanceof MalformedEvent)) throw error
        undecoded.push(...read.undecoded(call.events, error.message))
      }
    }
  }
  const rest = events.filter((event) => !decodedEvents.has(event))
  undecoded.push(...read.undecoded(rest, 'no call of its contract precedes it'))
  return { found, undecoded }
}

/** A call of a contract that emitted order events: `at` and `end` delimit the events of that contract. */
type Call = {
  readonly at: number
  readonly end: number
  readonly contract: string
  readonly events: readonly ChainEvent[]
}

/** A contract's events follow the node's event of its call and precede those of its sub-messages. */
function callsIn(events: readonly ChainEvent[]): readonly Call[] {
  return events.flatMap((start, at) => {
    const contract = start.attributes.get('_contract_address')?.[0]
    if (!isCall(start) || contract === undefined) return []
    const isOther = (event: ChainEvent) => !/^wasm(-|$)/.test(event.type) || !isOf(event, contract)
    const end = indexFrom(events, at + 1, isOther)
    const callEvents = events.slice(at + 1, end)
    return callEvents.some(isOrder) ? [{ at: at + 1, end, contract, events: callEvents }] : []
  })
}

const isCall = ({ type }: ChainEvent): boolean => type === 'execute' || type === 'reply'

function runOf(
  { at, end, contract, events }: Call,
  messageEvents: readonly ChainEvent[],
  message: TxMessage,
) {
  const owner = attribute(events.find(isOrder)!, 'owner')
  const attached = messageEvents[at - 2] && transferOf(messageEvents[at - 2]!)
  // The pair calls itself with the funds, but for FIN 1.0.
  const isFunds = attached?.to === contract && [contract, owner].includes(attached.from)
  const next = indexFrom(messageEvents, end, (event) => isCall(event) && isOf(event, contract))
  const payment = sentBy(contract, messageEvents.slice(end, next))
  const payout = payment.find(({ to }) => to === owner)
  return {
    pair: contract,
    owner,
    changes: changesIn(events, owner, entriesOf(message, contract)),
    funds: isFunds ? attached.coins : [],
    paid: payout?.coins ?? [],
    makerFees: payment
      .filter((each) => each !== payout && !each.isCall)
      .flatMap(({ coins }) => coins),
    raw: events.map(({ raw }) => raw),
  }
}

/** Transfers from a contract, and whether each came with a call of the recipient: makers are called. */
const sentBy = (contract: string, events: readonly ChainEvent[]) =>
  events.flatMap((event, at) => {
    const transfer = transferOf(event)
    const next = events[at + 1]
    return transfer?.from === contract
      ? [{ ...transfer, isCall: next?.type === 'execute' && isOf(next, transfer.to) }]
      : []
  })

/** The entries of a message to the pair itself; other contracts' messages are not read. */
const entriesOf = (message: TxMessage, pair: string): readonly OrderEntry[] =>
  message.kind === 'execute' && message.contract === pair
    ? (parseOrderMessage(fromJson(message.msg).value) ?? [])
    : []

function changesIn(
  events: readonly ChainEvent[],
  owner: string,
  entries: readonly OrderEntry[],
): readonly GrossChange[] {
  let sold = 0n
  let gross = 0n
  let next = 0
  /** Entries run in order, and each changes the amount of its order at most once. */
  const targetAt = (place: OrderPlace): bigint | undefined => {
    const isEntry = (entry: OrderEntry, at: number) =>
      at >= next && entry.target !== undefined && placeKey(entry) === placeKey(place)
    const at = entries.findIndex(isEntry)
    if (at >= 0) next = at + 1
    return entries[at]?.target
  }
  return events.flatMap((event): readonly GrossChange[] => {
    if (event.type === TRADE) {
      sold += attributeAmount(event, 'offer')
      gross += attributeAmount(event, 'bid')
    }
    if (!isOrder(event)) return []
    if (attribute(event, 'owner') !== owner) throw new MalformedEvent('orders of two owners')
    const place = { side: sideIn(event), price: priceIn(event) }
    const zeroAmounts = { sold: 0n, added: 0n, returned: 0n, gross: 0n }
    const change = { eventIndex: event.index, ...place, ...zeroAmounts }
    const action = event.type.slice(ORDER.length)
    if (action === 'create') {
      targetAt(place)
      const placement = {
        ...change,
        action: 'place',
        sold,
        gross,
        added: attributeAmount(event, 'offer'),
      } as const
      sold = 0n
      gross = 0n
      // The cancel of an immediate order that was taken as a whole creates an order of nothing.
      const isEmpty = placement.sold === 0n && placement.added === 0n && placement.gross === 0n
      return isEmpty ? [] : [placement]
    }
    const amount = attributeAmount(event, 'amount')
    if (action === 'withdraw') return [{ ...change, action: 'claim', gross: amount }]
    const isCancel = targetAt(place) === 0n
    if (action === 'increase') return [{ ...change, action: 'raise', added: amount }]
    if (action === 'retract')
      return [{ ...change, action: isCancel ? 'cancel' : 'lower', returned: amount }]
    throw new MalformedEvent(`${event.type} is not known`)
  })
}

function sideIn(event: ChainEvent): OrderPlace['side'] {
  const side = attribute(event, 'side')
  if (side !== 'base' && side !== 'quote') throw new MalformedEvent(`${event.type} has no side`)
  return side === 'base' ? 'ask' : 'bid'
}

function priceIn(event: ChainEvent): OrderPrice {
  const text = attribute(event, 'price')
  const [, fixed, bps] = /^fixed:([\d.]+)$|^oracle:(-?\d{1,5})$/.exec(text) ?? []
  const price = parsePriceText(fixed ?? priceText({ bps: Number(bps) }))
  if (price === undefined) throw new MalformedEvent(`${event.type} has no price`)
  return price
}
