import type { Included, Sent } from '../../chain/tx/outcome.js'
import { type Refusal, reasonOf } from '../../chain/tx/refusal.js'
import { SwapError } from '../../engine/errors.js'
import { fromBase64 } from '../base64.js'
import { type Intent, isFinal, type Journal, type TxRecord } from '../journal/intent.js'
import type { Chain, Clock } from '../ports.js'
import type { Progress } from '../progress.js'
import { type Fate, hasTimeout, look, tried } from './look.js'

/** What drives a signed transaction to its end. */
export type Driving = {
  readonly chain: Chain
  readonly journal: Journal
  readonly clock: Clock
  readonly progress: Progress
  /** Aborted when the person has had enough of waiting. */
  readonly interrupt: AbortSignal
  /** How often the chain is looked at, in milliseconds. */
  readonly everyMs: number
  /** How long to wait in all; `undefined`: until its fate is certain. */
  readonly waitMs: number | undefined
  /** Waiting ends when no node has shown a new block for so long. */
  readonly stillMs: number
  readonly until: 'included' | 'accepted' | 'none'
}

/** How far a transaction came. */
export type Driven =
  | { readonly kind: 'included'; readonly included: Included }
  | { readonly kind: 'expired'; readonly why: string }
  | { readonly kind: 'replaced'; readonly why: string }
  /** No node wants it, and none has ever had it. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** It has never left this machine. */
  | { readonly kind: 'abandoned'; readonly why: string }
  /** A node has it, and nobody waits. */
  | { readonly kind: 'pending' }
  /** It is not known yet, and will be: by the timeout height. */
  | { readonly kind: 'unknown'; readonly why: string }

/** One transaction of an intent: every change of it is on the disk before it counts. */
export type Entry = {
  intent: Intent
  readonly at: number
  /** Why the disk does not have all that was learned since somebody may have had the bytes. */
  unwritten?: Error
}

/** Pauses before the same bytes are handed over again, in milliseconds. */
const PAUSES = [250, 500, 1_000, 2_000, 4_000] as const

/** How often it is tried while certainly nobody has the bytes. */
const TRIES = 5

/** Blocks without it after which the same bytes are handed over once more: a node may forget. */
const AGAIN = 4

const txOf = ({ intent, at }: Entry): TxRecord => intent.txs[at]!

const bytesOf = ({ bytes }: TxRecord): Uint8Array => fromBase64(bytes)

/**
 * Changes what is known of a transaction, on the disk first. Once somebody may have the bytes, a disk
 * that takes no more does not end the waiting: the next process learns the same from the chain again.
 *
 * @throws SwapError NOT_READY before that: nothing is sent that the disk does not know
 */
export function note(journal: Journal, entry: Entry, change: Partial<TxRecord>): void {
  const txs = entry.intent.txs.map((tx, i) => (i === entry.at ? { ...tx, ...change } : tx))
  const intent = { ...entry.intent, txs }
  try {
    journal.put(intent)
  } catch (error) {
    if (!txOf(entry).maybe_sent || !(error instanceof SwapError)) throw error
    entry.unwritten = error
  }
  entry.intent = intent
}

/**
 * Hands a signed transaction over, and waits until its fate is certain. Called on what another
 * process has begun, it goes on from there, with the same bytes; nothing is ever signed here.
 */
export async function drive(driving: Driving, entry: Entry): Promise<Driven> {
  const before = txOf(entry)
  if (isFinal(before)) return recalled(before)
  // Bytes that somebody may have had before may be in a block by now.
  if (before.maybe_sent || before.state === 'refused') {
    const fate = await tried(() => look(driving.chain, before, entry.intent.address))
    if (fate !== undefined && fate.kind !== 'open') return settle(driving, entry, fate)
  }
  if (before.state !== 'refused' && isOursToSend(entry)) {
    const handed = await handOver(driving, entry)
    if (handed !== undefined)
      return handed.kind === 'refused' ? buried(driving, entry, handed) : handed
  }
  return driving.until === 'included' ? wait(driving, entry) : { kind: 'pending' }
}

/** What was signed for somebody else to send is only looked for. */
const isOursToSend = ({ intent }: Entry): boolean => intent.mode !== 'handed'

/** A refusal, or what the chain says beyond it: too late, or its sequence used by another one. */
async function buried(driving: Driving, entry: Entry, refused: Driven): Promise<Driven> {
  const fate = await tried(() => look(driving.chain, txOf(entry), entry.intent.address))
  return fate === undefined || fate.kind === 'open' ? refused : settle(driving, entry, fate)
}

/** @returns how it ended where that is certain already, else nothing */
async function handOver(driving: Driving, entry: Entry): Promise<Driven | undefined> {
  const { chain, clock, interrupt, journal, progress } = driving
  let doubt = txOf(entry).maybe_sent
  for (let tries = 1; ; tries += 1) {
    const wasAccepted = txOf(entry).state === 'accepted'
    // From here on a node may have the bytes, even if this process ends now.
    note(journal, entry, { state: 'broadcasting', maybe_sent: true })
    const sent = await chain.broadcast(bytesOf(txOf(entry)))
    if (sent.kind === 'accepted' || wasAccepted) {
      note(journal, entry, { state: 'accepted', log: null })
      if (sent.kind === 'accepted')
        progress({ stage: 'accepted', hash: txOf(entry).hash, by: sent.by })
      return undefined
    }
    doubt ||= sent.kind === 'unknown'
    note(journal, entry, doubtful(sent, doubt))
    const isOver = tries >= TRIES || interrupt.aborted
    if (doubt && (isOver || sent.kind === 'refused')) return undefined
    if (sent.kind === 'refused' && (isOver || sent.reason !== 'busy'))
      return { kind: 'refused', refusal: sent }
    if (sent.kind === 'unsent' && isOver) {
      note(journal, entry, { state: 'abandoned' })
      return { kind: 'abandoned', why: sent.why }
    }
    progress({ stage: 'again', hash: txOf(entry).hash, why: wordsOf(sent) })
    await clock.sleep(PAUSES[Math.min(tries, PAUSES.length) - 1]!, interrupt)
  }
}

/**
 * What to write down of an attempt that was not accepted. Once there is a doubt, a refusal says
 * nothing: a node that has the bytes, or has had them in a block, refuses their sequence.
 */
function doubtful(sent: Exclude<Sent, { kind: 'accepted' }>, doubt: boolean): Partial<TxRecord> {
  const log = wordsOf(sent)
  if (doubt) return { state: 'unknown', maybe_sent: true, log }
  if (sent.kind !== 'refused') return { state: 'signed', maybe_sent: false, log }
  const { code, codespace } = sent
  return { state: 'refused', maybe_sent: false, code, codespace, log }
}

const wordsOf = (sent: { readonly why?: string; readonly log?: string }): string =>
  sent.why ?? sent.log ?? ''

async function wait(driving: Driving, entry: Entry): Promise<Driven> {
  const { chain, clock, interrupt, everyMs, progress } = driving
  const begun = clock.now()
  let [highest, moved, handed, late] = [0, begun, 0, Number.POSITIVE_INFINITY]
  for (;;) {
    const tx = txOf(entry)
    const fate = await tried(() => look(chain, tx, entry.intent.address))
    if (fate !== undefined && fate.kind !== 'open') return settle(driving, entry, fate)
    const now = clock.now()
    if (fate !== undefined && fate.height > highest) {
      ;[highest, moved, handed] = [fate.height, now, handed || fate.height]
      progress({ stage: 'waiting', hash: tx.hash, height: highest, until: tx.timeout_height })
    }
    if (fate?.isLate) late = Math.min(late, now)
    const tired = tiredOf(driving, tx, {
      waited: now - begun,
      quiet: now - moved,
      late: now - late,
    })
    if (tired || interrupt.aborted) return giveUp(driving, entry, tired ?? fate?.why)
    if (highest >= handed + AGAIN && tx.state !== 'refused' && isOursToSend(entry)) {
      handed = highest
      await tried(() => chain.broadcast(bytesOf(tx)))
    }
    await clock.sleep(everyMs, interrupt)
  }
}

/** Milliseconds since it began, since a node showed a new block, since the timeout height passed. */
type Since = { readonly waited: number; readonly quiet: number; readonly late: number }

/** Why waiting is over, if it is. */
function tiredOf(
  { waitMs, stillMs }: Driving,
  tx: TxRecord,
  { waited, quiet, late }: Since,
): string | undefined {
  if (waitMs !== undefined && waited >= waitMs) return `it was waited for ${waitMs} ms`
  if (late >= stillMs)
    return 'its timeout height has passed, and these nodes cannot tell what happened until then; one that keeps older blocks may: --rpc'
  if (quiet >= stillMs) return `no node has shown a new block for ${Math.round(stillMs / 1000)} s`
  return !hasTimeout(tx) && waited >= stillMs ? 'it has no timeout height' : undefined
}

function giveUp({ journal }: Driving, entry: Entry, why = 'no node answers'): Driven {
  if (txOf(entry).state !== 'accepted' && txOf(entry).state !== 'refused')
    note(journal, entry, { state: 'unknown', log: why })
  return { kind: 'unknown', why }
}

/** Writes down a fate that can change no more. */
export function settle(
  { journal, progress }: Pick<Driving, 'journal' | 'progress'>,
  entry: Entry,
  fate: Exclude<Fate, { kind: 'open' }>,
): Driven {
  if (fate.kind === 'included') {
    const { height, code, codespace, log } = fate.included
    note(journal, entry, { state: 'included', maybe_sent: true, height, code, codespace, log })
    progress({ stage: 'included', hash: txOf(entry).hash, height })
    return fate
  }
  const why =
    fate.kind === 'replaced' ? `${fate.hash} used its sequence in block ${fate.height}` : fate.why
  note(journal, entry, { state: fate.kind, log: why })
  return { kind: fate.kind, why }
}

/** How a transaction ended of which everything is known: no node is asked, for they may forget it. */
function recalled({ state, height, code, codespace, log }: TxRecord): Driven {
  const why = log ?? ''
  if (state === 'abandoned') return { kind: 'abandoned', why }
  if (state === 'expired' || state === 'replaced') return { kind: state, why }
  const told = { code: code ?? 0, codespace: codespace ?? '', log: why }
  return {
    kind: 'included',
    included: {
      ...told,
      reason: reasonOf(told),
      height: height ?? 0,
      gasWanted: 0n,
      gasUsed: 0n,
      usedSequence: true,
      movements: [],
    },
  }
}
