import type { Coin } from '../../engine/market/token.js'
import { attempt } from '../../platform/attempt.js'
import {
  attribute,
  type ChainEvent,
  indexFrom,
  isOf,
  MalformedEvent,
  parseCoins,
} from './events.js'

/** The router's event after it has paid; the source build and the published build name it differently. */
const DONE: ReadonlySet<string> = new Set([
  'wasm-liquidy-swap/execute',
  'wasm-liquidy-swap-execute',
])
/** A second event of the source build; its input is unverified text of the caller. */
const SUMMARY_EVENTS: ReadonlySet<string> = new Set([
  'wasm-liquidy-swap/swap',
  'wasm-liquidy-swap-swap',
])

/** A payment between two accounts. */
export type Transfer = {
  readonly index: number
  readonly from: string
  readonly to: string
  readonly coins: readonly Coin[]
}

/** One swap of the router in the events of a message, from its call to what it paid. */
export type Run = {
  /** The caller of the router and the attached coins; `undefined` if there are none. */
  readonly funds: Transfer | undefined
  /** The events of each hop, in order of execution. */
  readonly hops: readonly (readonly ChainEvent[])[]
  /** The router's event that reports the payment. */
  readonly done: ChainEvent
  readonly summary: ChainEvent | undefined
  /** The router's payments in the message. Those from `firstPaid` on follow that event; the recipient's comes first. */
  readonly payments: readonly Transfer[]
  readonly firstPaid: number
}

/** Whether this is a swap event of the router. Types are compared first, which is cheaper. */
export const isDone = (event: ChainEvent, router: string): boolean =>
  DONE.has(event.type) && isOf(event, router)

export const isDoneType = (type: string): boolean => DONE.has(type)

/**
 * The runs of a message, by the event that ends each. The router calls itself after every hop, so the events between
 * two of its calls are a hop. A recipient that is a contract may use the router again before the first run has paid
 * its fees, so the search for payments continues to the end.
 *
 * @param events of one message, in order
 */
export function runsOf(events: readonly ChainEvent[], router: string): readonly Run[] {
  const runs: Run[] = []
  const summaries = events.filter((event) => SUMMARY_EVENTS.has(event.type) && isOf(event, router))
  const payments = events
    .flatMap((event) => transferOf(event) ?? [])
    .filter((transfer) => transfer.from === router)
  let from = 0
  let firstPaid = 0
  let nextSummary = 0
  for (const [at, done] of events.entries()) {
    if (!isDone(done, router)) continue
    const isAfter = ({ index }: Pick<ChainEvent, 'index'>) => index > done.index
    firstPaid = indexFrom(payments, firstPaid, isAfter)
    nextSummary = indexFrom(summaries, nextSummary, isAfter)
    const summary = summaries[nextSummary]
    const before = payments[firstPaid]?.index ?? Number.POSITIVE_INFINITY
    runs.push({
      ...calls(events.slice(from, at), router),
      done,
      summary: summary !== undefined && summary.index < before ? summary : undefined,
      payments,
      firstPaid,
    })
    from = at + 1
  }
  return runs
}

function calls(events: readonly ChainEvent[], router: string): Pick<Run, 'funds' | 'hops'> {
  const starts = events.flatMap((event, at) =>
    event.type === 'execute' && isOf(event, router) ? [at] : [],
  )
  const [first = 0] = starts
  const attached = events[first - 1]
  const funds = attached && transferOf(attached)
  return {
    funds: funds?.to === router ? funds : undefined,
    hops: starts.slice(1).map((end, hop) => events.slice(starts[hop]! + 1, end)),
  }
}

/** A transfer of the bank. `undefined` for other events, and for an incomplete one. */
export function transferOf(event: ChainEvent): Transfer | undefined {
  if (event.type !== 'transfer') return undefined
  return attempt(() => {
    const coins = parseCoins(attribute(event, 'amount'))
    const [from, to] = [attribute(event, 'sender'), attribute(event, 'recipient')]
    return coins && { index: event.index, from, to, coins }
  }, MalformedEvent)
}
