import type { MarketView, OperationContext } from '../../operations/context.js'

/** The market of one height while it is served. Nothing of it ever changes. */
export type ServedMarket = {
  readonly view: MarketView
  readonly height: number
  /** Answers from this market, and leaves to another thread what takes long. */
  readonly inline: OperationContext
  /** Answers from this market, however long it takes. */
  readonly patient: OperationContext
}

/**
 * Why the service is not ready. `stale`: no new height came for too long; `halted`: nor was there
 * one, as its nodes say; `rpc_disagreement`: its nodes do not say the same of the market;
 * `too_few_books`: too many pairs of the market cannot be read.
 */
export type UnreadyReason =
  | 'no_snapshot'
  | 'stale'
  | 'halted'
  | 'rpc_disagreement'
  | 'too_few_books'
  | 'height_went_back'

/** So many pairs of all could be read; those that the chain itself has closed are not counted. */
export type Shortage = { readonly read: number; readonly of: number }

/** Where the service has its markets from: one immutable market a height, the newest one served. */
export type MarketFeed = {
  /** The newest market, or `undefined` until the first one has been read. */
  current(): ServedMarket | undefined
  /** Milliseconds of a monotonic clock since a new height last arrived; 0 for a market that stands still. */
  age(): number
  /** Milliseconds from which on nothing is quoted any more. */
  readonly maxAge: number
  /** The height that the source was last seen at, whether it is served or not. */
  nodeHeight(): number | undefined
  /** What the nodes disagree on, for as long as they do: then nothing is quoted. */
  disputed(): string | undefined
  /** How many pairs could be read, when they are too few of all: then nothing is quoted. */
  shortage(): Shortage | undefined
  /** What stands against quoting; empty when nothing does. */
  unready(): readonly UnreadyReason[]
  /** Tells of every new height. @returns what ends it */
  subscribe(listener: (served: ServedMarket) => void): () => void
  close(): Promise<void>
}

/** Makes a market ready to be served. */
export function servedMarket(view: MarketView): ServedMarket {
  const answer = () => Promise.resolve(view)
  return {
    view,
    height: view.market.height,
    inline: { openMarket: answer, inline: true },
    patient: { openMarket: answer },
  }
}
