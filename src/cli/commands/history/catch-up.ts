import { join } from 'node:path'
import type { TxRecord } from '../../../execution/journal/intent.js'
import { journalIn, unreadNote } from '../../../execution/journal/journal.js'
import { StoreFault } from '../../../history/store/fault.js'
import type { CoinDocument } from '../../../operations/document-schema.js'
import type { HistoryAccess } from '../../../operations/history/history-port.js'
import type { Context } from '../../command.js'
import { stateFolder } from '../../quotes/quote-store.js'

/** Missing blocks that take under two seconds; of more, only those with swaps of this machine are read. */
const MOST = 200

/** Time limit for nodes that are slow or do not answer. */
const LIMIT_MS = 10_000

/**
 * Indexes the missing blocks if they are few, else the blocks that hold swaps which this machine signed.
 * Without an index and without such swaps nothing is read. A failure is a note: the rows are shown as
 * they are.
 */
export async function catchUp(context: Context, access: HistoryAccess): Promise<void> {
  const heights = ownHeights(context)
  if (heights.length === 0 && (await access.status()) === undefined) return
  const limit = AbortSignal.timeout(LIMIT_MS)
  try {
    const indexer = await access.indexer()
    try {
      await context.out.whileWaiting(
        (seconds) => `indexing the missing blocks: ${seconds} s of ${LIMIT_MS / 1_000} s`,
        () => withinLimit(indexer.runShort({ most: MOST, heights, signal: limit }), limit),
      )
    } finally {
      indexer.close()
    }
  } catch (error) {
    // Another process fills the index.
    if (error instanceof StoreFault && error.kind === 'led') return
    if (context.form.quiet > 1) return
    const why = limit.aborted
      ? `nodes did not answer within ${LIMIT_MS / 1_000} seconds`
      : error instanceof Error
        ? error.message
        : String(error)
    context.out.note(`newer blocks are not in the list: ${why}`)
  }
}

/** Blocks with swaps that this machine signed on the network. */
const ownHeights = (context: Context): readonly number[] => [
  ...new Set(
    ownTxs(context, MOST).flatMap(({ height, code }) => (code === 0 ? (height ?? []) : [])),
  ),
]

/** The network fees of the transactions that this machine signed, by hash; of several coins the first. */
export const paidFees = (context: Context): ReadonlyMap<string, CoinDocument> =>
  new Map(
    ownTxs(context, Number.MAX_SAFE_INTEGER).flatMap(({ hash, fill }) => {
      const [fee] = fill?.fee ?? []
      return fee === undefined ? [] : [[hash.toUpperCase(), fee] as const]
    }),
  )

/** Transactions of the newest intents of the journal, read without the parts that sign. */
function ownTxs({ config, surroundings, out }: Context, most: number): readonly TxRecord[] {
  const state = stateFolder(surroundings)
  if (state === undefined) return []
  const { intents, unread } = journalIn(join(state, 'journal')).recent(most)
  for (const each of unread) out.note(unreadNote(each))
  return intents
    .filter(({ chain_id }) => chain_id === config.network.chainId)
    .flatMap(({ txs }) => txs)
}

/** The result, or a rejection at the limit: a node that does not answer is not waited for. */
async function withinLimit<T>(work: Promise<T>, limit: AbortSignal): Promise<T> {
  work.catch(() => {})
  return Promise.race([
    work,
    new Promise<never>((_, reject) =>
      limit.addEventListener('abort', () => reject(new Error('too late')), { once: true }),
    ),
  ])
}
