import { SwapError } from '../../../engine/errors.js'
import type { HistoryRequest, LegDocument } from '../../../operations/history/history-documents.js'
import type { HistoryAccess, HistoryPort } from '../../../operations/history/history-port.js'
import { loadOnce } from '../../../platform/memoize.js'
import { type Names, namesOf } from '../../../render/names.js'
import type { Context, FlagValues } from '../../command.js'
import { refuseBeside } from '../../invalid-request.js'
import { refuseCsv } from '../../print-answer.js'
import { conditionOn, plainNumber } from '../../watch/condition.js'
import { hookOf } from '../../watch/hook.js'
import { watch } from '../../watch/watch.js'
import { watchOptionsOf } from '../../watch/watch-options.js'
import { legsOf } from './all-legs.js'
import { fillIndex } from './fill.js'
import type { WatchedHistory } from './history-screen.js'
import { historyNaming } from './render-context.js'

/** Legs kept for the screen. */
const SHOWN = 20
/** Legs read at once. */
const PAGE = 100

const condition = conditionOn<WatchedHistory>({ swaps: [plainNumber, ({ seen }) => seen] })

/** Checks the flags as `watch` does, but before blocks are indexed. @throws SwapError INVALID_REQUEST */
export function requireWatchable(
  context: Context,
  flags: FlagValues,
  request: HistoryRequest,
): void {
  refuseFixed(request)
  const { until, exec } = watchOptionsOf(flags, context.config.values.snapshot)
  refuseCsv(context, '--watch')
  if (until !== undefined) condition(until)
  if (exec !== undefined) hookOf(exec, context.surroundings)
}

/** `swap history --watch`: new legs, indexed and reported block by block. */
export async function watchHistory(
  context: Context,
  flags: FlagValues,
  access: HistoryAccess,
  request: HistoryRequest,
): Promise<void> {
  const { out } = context
  const viewOf = (legs: readonly LegDocument[]) => {
    const denoms = legs.flatMap(({ path }) => path)
    return { ...historyNaming(context, access, denoms), request }
  }
  // Indexing missing blocks may take long, so a line shows its progress.
  if (!(await filledBefore(context, access))) return
  const indexing = indexerOf(access)
  let before: WatchedHistory | undefined
  await watch<WatchedHistory>(context, flags, {
    async ask(app) {
      const { height } = (await app.openMarket()).market
      await indexing.run()
      const { items, indexed_height: indexed } = await page(access, request, 1)
      // A lower height means a rebuilt index: watching restarts with its legs.
      const isFirst = before === undefined || (indexed ?? 0) < before.indexed
      const known = isFirst ? [] : before!.latest
      const fresh = isFirst ? [] : await legsAfter(access, request, known[0])
      before = {
        height,
        indexed: indexed ?? 0,
        latest: [...(isFirst ? items : fresh), ...known].slice(0, SHOWN),
        fresh,
        seen: (before?.seen ?? 0) + fresh.length,
      }
      return before
    },
    // History has no --on-change.
    moved: () => true,
    // Blocks without a swap, and the first reading, are not results.
    isResult: ({ fresh }) => fresh.length > 0,
    bodies: ({ fresh }) => fresh.toReversed().map((item) => ({ type: 'swap', item })),
    condition,
    number: ({ fresh }) => BigInt(fresh.length),
    async loadFrame() {
      const { historyFrame } = await import('./history-screen.js')
      return (seen, _last, frame, style) => historyFrame(seen, viewOf(seen.latest), frame, style)
    },
    value: ({ fresh }) => [...new Set(fresh.map(({ tx_hash }) => tx_hash))].join('\n'),
    line: ({ fresh }) => {
      const names = namesOf(viewOf(fresh), out.style)
      const lines = fresh.map((leg) => legText(leg, names))
      return lines.toReversed().join('\n')
    },
  }).finally(indexing.close)
}

/** Refuses filters that select only past swaps, and the length of a page. */
function refuseFixed({ txHash, period, page: number, limit }: HistoryRequest): void {
  const past = 'it names something that is past'
  refuseBeside('--watch', '', [
    ['--tx-hash', txHash, past],
    ['--period', period, past],
    ['--page', number, past],
    ['--limit', limit, 'every new swap is reported'],
  ])
}

/** Indexes the missing blocks. @returns false if interrupted */
async function filledBefore(context: Context, access: HistoryAccess): Promise<boolean> {
  try {
    return await fillIndex(context, access, { from: undefined, reindex: false })
  } catch (error) {
    if (!isBusy(error)) throw error
    return true
  }
}

/** Another process is indexing. */
const isBusy = (error: unknown): boolean => error instanceof SwapError && error.code === 'BUSY'

/** Indexes block after block over one connection to the chain. */
function indexerOf(access: HistoryAccess) {
  const { signal } = new AbortController()
  const options = { from: undefined, reindex: false, signal, progress: () => {}, failed: () => {} }
  const indexer = loadOnce(() => access.indexer())
  return {
    async run(): Promise<void> {
      const { run } = await indexer.get()
      try {
        await run(options)
      } catch (error) {
        if (!isBusy(error)) throw error
      }
    },
    async close(): Promise<void> {
      ;(await indexer.take())?.close()
    },
  }
}

const page = (access: HistoryPort, request: HistoryRequest, number: number) =>
  legsOf(access, { ...request, page: number, limit: PAGE })

/** Legs newer than a known one, newest first. */
export async function legsAfter(
  access: HistoryPort,
  request: HistoryRequest,
  known: LegDocument | undefined,
): Promise<readonly LegDocument[]> {
  const found: LegDocument[] = []
  for (let number = 1; ; number += 1) {
    const { items } = await page(access, request, number)
    const at = items.findIndex((leg) => known !== undefined && isSameOrOlder(leg, known))
    found.push(...(at < 0 ? items : items.slice(0, at)))
    if (at >= 0 || items.length < PAGE) return found
  }
}

/** A rebuilt index may not contain the known leg itself. */
const isSameOrOlder = (leg: LegDocument, known: LegDocument): boolean =>
  leg.height < known.height || (leg.tx_hash === known.tx_hash && leg.msg_index === known.msg_index)

const legText = ({ height, sender, input, output }: LegDocument, names: Names): string =>
  `block ${height}  ${names.text(sender)}  ${names.coin(input)} for ${names.coin(output)}`
