import { once } from 'node:events'
import { defaultLimits } from '../../../chain/rpc/limits.js'
import { errorText, reasonOf } from '../../../engine/errors.js'
import { counted, groupThousands } from '../../../engine/math/counted.js'
import type { TxRecord } from '../../../execution/journal/intent.js'
import { journalIn, unreadNote } from '../../../execution/journal/journal.js'
import { StoreFault } from '../../../history/store/fault.js'
import type { CoinDocument } from '../../../operations/document-schema.js'
import type {
  HistoryAccess,
  IndexProgress,
  IndexRun,
} from '../../../operations/history/history-port.js'
import { stateFolders } from '../../../platform/user-folders.js'
import { flow } from '../../../render/layout.js'
import { glyphsOf, plainStyle, type Style } from '../../../render/style.js'
import type { Context } from '../../command.js'
import { exitOfSignal } from '../../exit.js'
import { statusLine } from '../../output.js'
import { missingText, NOT_GIVEN } from './render-context.js'
import type { Filling } from './request.js'

/** Shortest run that prints a line, in milliseconds. */
const QUIET_MS = 300

/** Milliseconds between two updates of the progress line on a terminal, and between two lines elsewhere. */
const TERMINAL_MS = 100
const PIPE_MS = 10_000

/**
 * Opens the chain, fills the index and shows the progress on stderr, until SIGINT or SIGTERM.
 *
 * @returns whether it was completed without a signal
 */
export async function fillIndex(
  { out, form }: Pick<Context, 'out' | 'form'>,
  access: Pick<HistoryAccess, 'indexer'>,
  filling: Filling,
): Promise<boolean> {
  const indexer = await access.indexer()
  const ending = new AbortController()
  let exit: number = exitOfSignal.SIGINT
  const end = (signal?: string) => {
    if (signal === 'SIGTERM') exit = exitOfSignal.SIGTERM
    ending.abort()
  }
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  const line = form.quiet > 1 ? noLine : lineOf(out)
  let lastFailure = ''
  if (filling.reindex && form.quiet <= 1)
    // This takes as long as indexing them.
    out.note('before the index is deleted, the blocks of its swaps and orders are read')
  try {
    const signal = AbortSignal.any([ending.signal, out.closed])
    const run = await indexer.run({
      ...filling,
      signal,
      progress: line.show,
      failed(error) {
        const message = errorText(error)
        // A restarting node fails with the same message every second: note it once.
        if (message === lastFailure) return
        lastFailure = message
        line.clear()
        out.note(`tried again: ${message}`)
      },
    })
    line.clear()
    if (form.quiet <= 1) for (const sentence of renderRun(run)) out.note(sentence)
    const isDone = run.complete && !signal.aborted
    if (!isDone) out.exit(exit)
    return isDone
  } finally {
    line.clear()
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
    indexer.close()
  }
}

type Line = { show(progress: IndexProgress): void; clear(): void }

const noLine: Line = { show: () => {}, clear: () => {} }

function lineOf({ noteStyle: style, stderr }: Context['out']): Line {
  const line = statusLine(stderr)
  const begun = performance.now()
  let last = begun + QUIET_MS - TERMINAL_MS
  if (!style.tty) last = begun
  return {
    show(progress) {
      const now = performance.now()
      if (now - last < (style.tty ? TERMINAL_MS : PIPE_MS)) return
      last = now
      const text = renderProgress(progress, style)
      if (style.tty) line.show(text)
      else stderr.write(`${text}\n`, () => {})
    },
    clear: line.clear,
  }
}

/** The progress line. @example 'indexing · 1,200 blocks done · 340 left · 85/s · 4.0 s to go · 12 swaps' */
export function renderProgress(progress: IndexProgress, style: Style): string {
  const { done, left, rate, leftMs, swaps } = progress
  const { dot } = glyphsOf(style)
  const pieces = [
    'indexing',
    `${counted(done, 'block')} done`,
    `${count(left)} left`,
    `${rateText(rate)}/s`,
    ...(leftMs === undefined || left === 0 ? [] : [`${durationText(leftMs)} to go`]),
    counted(swaps, 'swap'),
  ]
  // A cut number would be another one.
  return flow(pieces, ` ${dot} `, Math.max(20, style.width - 1))[0]!
}

/** The results of a run, one sentence each. */
export function renderRun(run: IndexRun): readonly string[] {
  const { done, left, rate, ms, swaps, quarantined, complete } = run
  const { pruned, silent, forgotten, unshared, beyond } = run
  const speed = done > 0 ? `, ${rateText(rate)} blocks a second` : ''
  return [
    `indexed ${counted(done, 'block')} with ${counted(swaps, 'swap')} in ${durationText(ms)}${speed}`,
    pruned.length > 0 && `${missingText(pruned, plainStyle)}: ${NOT_GIVEN}`,
    pruned.length > 0 &&
      silent.length > 0 &&
      `${silent.join(', ')} gave no answer and may have them; when it does: swap history --sync`,
    unshared > 0 &&
      `one node alone names ${counted(unshared, 'newer block')}: a block is indexed once two nodes have it`,
    beyond > defaultLimits.behind && beyondText(beyond),
    forgotten > 0 &&
      `${counted(forgotten, 'block')} of the index differed from the chain and had to be indexed again`,
    quarantined > 0 &&
      `${counted(quarantined, 'event')} could not be read as swaps and are kept aside: swap history --quarantine`,
    !complete &&
      `stopped${left > 0 ? ` with ${counted(left, 'block')} left` : ''}; go on: swap history --sync`,
  ].filter((sentence) => sentence !== false)
}

const beyondText = (blocks: number): string =>
  `the index has ${counted(blocks, 'block')} after the newest one of the nodes: these are behind, or the chain was reset; then: swap history --reindex`

const count = (n: number): string => groupThousands(`${n}`)

const rateText = (rate: number): string => (rate >= 10 ? count(Math.round(rate)) : rate.toFixed(1))

/** @example '4.0 s' '40 s' '12 min' '3.5 h' */
function durationText(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 100) return `${Math.round(seconds)} s`
  if (seconds < 6_000) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3_600).toFixed(1)} h`
}

/**
 * Largest gap that is indexed before answering (about two seconds); beyond it only blocks with swaps of this
 * machine.
 */
const MOST = 200

/** Time limit for nodes that are slow or do not answer. */
const LIMIT_MS = 10_000

/**
 * Indexes the missing blocks if they are few, otherwise the blocks with swaps signed by this machine; nothing without
 * an index and such swaps. A failure, and blocks that are left out, are a note.
 */
export async function catchUp(context: Context, access: HistoryAccess): Promise<void> {
  const heights = ownHeights(context)
  if (heights.length === 0 && (await access.status()) === undefined) return
  const limit = AbortSignal.timeout(LIMIT_MS)
  try {
    const indexer = await access.indexer()
    try {
      const { earlier, later, beyond } = await context.out.whileWaiting(
        (seconds) => `indexing the missing blocks: ${seconds} s of ${LIMIT_MS / 1_000} s`,
        () => withinLimit(indexer.runShort({ most: MOST, heights, signal: limit }), limit),
      )
      if (context.form.quiet > 1) return
      const ends = [
        earlier > 0 && `begins ${counted(earlier, 'block')} after the first`,
        later > 0 && `ends ${counted(later, 'block')} before the newest`,
      ].filter((end) => end !== false)
      if (ends.length > 0) context.out.note(`the list ${ends.join(' and ')}: swap history --sync`)
      if (beyond > defaultLimits.behind) context.out.note(beyondText(beyond))
    } finally {
      indexer.close()
    }
  } catch (error) {
    // Another process is filling the index.
    if (error instanceof StoreFault && error.kind === 'led') return
    if (context.form.quiet > 1) return
    const late = `nodes did not answer within ${LIMIT_MS / 1_000} seconds`
    const why = limit.aborted ? late : reasonOf(error)
    context.out.note(`newer blocks are not in the list: ${why}`)
  }
}

/** Blocks with swaps that this machine signed on the network. */
const ownHeights = (context: Context): readonly number[] => [
  ...new Set(
    ownTxs(context, MOST).flatMap(({ height, code }) => (code === 0 ? (height ?? []) : [])),
  ),
]

/** The network fees of the transactions signed by this machine, by hash; the first coin if there are several. */
export const paidFees = (context: Context): ReadonlyMap<string, CoinDocument> =>
  new Map(
    ownTxs(context, Number.MAX_SAFE_INTEGER).flatMap(({ hash, fill }) => {
      const [fee] = fill?.fee ?? []
      return fee === undefined ? [] : [[hash.toUpperCase(), fee] as const]
    }),
  )

/** Transactions of the newest intents of the journal, read without loading the signing code. */
function ownTxs({ config, surroundings, out }: Context, most: number): readonly TxRecord[] {
  const folder = stateFolders(surroundings)?.journal
  if (folder === undefined) return []
  const { intents, unread } = journalIn(folder).recent(most)
  for (const each of unread) out.note(unreadNote(each))
  return intents
    .filter(({ chain_id }) => chain_id === config.network.chainId)
    .flatMap(({ txs }) => txs)
}

/** Rejects after a time limit, so that an unresponsive node does not delay the answer. */
async function withinLimit<T>(work: Promise<T>, limit: AbortSignal): Promise<T> {
  work.catch(() => {})
  const late = once(limit, 'abort').then(() => {
    throw new Error('too late')
  })
  return Promise.race([work, late])
}
