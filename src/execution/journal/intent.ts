import type { DocumentOf } from '../../operations/document-schema.js'
import type * as schema from './intent-schema.js'

export type TxState = schema.TxState

/** States of a transaction that spent nothing and never will; of an abandoned one no node has the bytes. */
export const WITHOUT_EFFECT: ReadonlySet<TxState> = new Set(['abandoned', 'expired', 'replaced'])

export const isFinal = ({ state }: Pick<TxRecord, 'state'>): boolean =>
  state === 'included' || WITHOUT_EFFECT.has(state)

/** A transaction that was signed. */
export type TxRecord = Omit<DocumentOf<typeof schema.StoredTx>, 'state' | 'maybe_sent'> & {
  readonly state: TxState
}
export type FillRecord = DocumentOf<typeof schema.FillRecord>
export type LegRecord = DocumentOf<typeof schema.LegRecord>
export type OrderRecord = DocumentOf<typeof schema.OrderRecord>

/** What an account confirmed, and all transactions signed for it. */
export type Intent = Omit<DocumentOf<typeof schema.StoredIntent>, 'txs' | 'report'> & {
  readonly txs: readonly TxRecord[]
}

/** One transaction of an intent. Every recorded change replaces the intent. */
export type Entry = {
  intent: Intent
  readonly at: number
  /** Why the last change could not be written after the bytes may have been sent. */
  unwritten?: Error | undefined
}

export const txOf = ({ intent, at }: Entry): TxRecord => intent.txs[at]!

/** Whether a transaction was included and succeeded. */
export const isDone = ({ state, code }: Pick<TxRecord, 'state' | 'code'>): boolean =>
  state === 'included' && code === 0

/** Whether a transaction of an intent may still be included. */
export const isOpen = ({ txs }: Intent): boolean => txs.some((tx) => !isFinal(tx))

/** Indexes of the legs, or orders, that no transaction has executed. */
export const legsLeft = ({ legs, orders, txs }: Intent): readonly number[] => {
  const done = new Set(txs.filter(isDone).flatMap((tx) => tx.legs))
  return [...(orders ?? legs).keys()].filter((i) => !done.has(i))
}

/** Whether `swap tx resume` would sign: for the legs, or orders, that have a transaction each and are left. */
export const isUnfinished = (intent: Intent): boolean =>
  intent.mode === 'legs' && legsLeft(intent).length > 0

/**
 * The hashes that a word names: whole, or shortened as on screens to 8 digits or more (`96B8F445`, `96B8…2AA7`), with
 * or without `0x`. `undefined` for other words.
 */
export function hashMatcher(word: string): ((hash: string) => boolean) | undefined {
  const digits = /^(?:0X)?([\dA-F]+)(?:(?:…|\.{3})([\dA-F]*))?$/.exec(word.toUpperCase())
  const [, start = '', end = ''] = digits ?? []
  if (start.length + end.length < 8) return undefined
  return (hash) => hash.startsWith(start) && hash.endsWith(end)
}

/** An account on a chain. */
export type Owner = { readonly chainId: string; readonly address: string }

/**
 * Everything that this machine has signed. `put` returns once the intent is on disk. Write failures are NOT_READY,
 * unreadable files OUTCOME_UNKNOWN; the search for a hash and `recent` skip unreadable files whose transactions are
 * final.
 */
export type Journal = {
  put(intent: Intent): void
  /** Writes an intent as `put` does, and removes it again. @throws SwapError NOT_READY where `put` would fail */
  requireRoom(intent: Intent): void
  /** The intent of an id, or of the hash of one of its transactions ({@link hashMatcher}); none if several fit. */
  find(idOrHash: string): Intent | undefined
  /** Intents with this idempotency key, newest first. */
  once(owner: Owner, key: string): readonly Intent[]
  /** Intents of every account whose idempotency key begins so, newest first. */
  keyed(prefix: string): readonly Intent[]
  /** Intents of this quote, of every account unless one is given, newest first. */
  ofQuote(quoteId: string, owner?: Owner): readonly Intent[]
  /** Open intents, oldest first. */
  open(owner?: Owner): readonly Intent[]
  /** Newest first. */
  recent(most: number): RecentIntents
}

type RecentIntents = {
  readonly intents: readonly Intent[]
  /** Entries that cannot be read, although their transactions are final. */
  readonly unread: readonly UnreadEntry[]
}

export type UnreadEntry = { readonly path: string; readonly reason: string }
