import type { OpportunityDocument } from '../operations/arbitrage/arbitrage-documents.js'
import type { LegsAnswer } from '../operations/history/history-documents.js'
import { byId, listEntry, write, writeTerms } from './dom.js'
import type { Readiness } from './live.js'
import { coinText, dollarsText, estimateText, type Names, numberText, pathText } from './text.js'

/** Maximum rows of the lists. */
const LOOPS = 5
export const SWAPS = 6

/** Shows loops that are profitable. */
export function showLoops(loops: readonly OpportunityDocument[], names: Names): void {
  byId('loops').replaceChildren(
    ...loops
      .slice(0, LOOPS)
      .map(({ path, profit, profit_percent, profit_usd, input }) =>
        listEntry(
          pathText(path, names),
          `+${profit_percent.toFixed(2)} %`,
          `${coinText(input, names)} earns ${coinText(profit, names)} ${dollarsText(profit_usd)}`,
        ),
      ),
  )
  write(byId('loops-note'), estimateText(loops) + loopsNote(loops.length))
}

function loopsNote(count: number): string {
  if (count === 0) return 'No loop is profitable after all fees at this block.'
  if (count > LOOPS) return `and ${count - LOOPS} more, after all fees`
  return 'After all fees, each with a small fixed amount.'
}

/** The answer of `/history`: a page of legs, or why there is none. */
export type HistoryDocument = LegsAnswer | { readonly code: string; readonly detail: string }

/** Shows the newest executed swaps. */
export function showHistory(document: HistoryDocument | undefined, names: Names): void {
  if (document === undefined) return
  const items = 'items' in document ? document.items : []
  byId('history').replaceChildren(
    ...items
      .slice(0, SWAPS)
      .map(({ input, output, volume_usd, height, time, type }) =>
        listEntry(
          `${coinText(input, names)} → ${coinText(output, names)}`,
          dollarsText(volume_usd),
          `${time.slice(11, 19)} UTC · block ${numberText(height)}${type === 'arbitrage' ? ' · arbitrage' : ''}`,
        ),
      ),
  )
  write(byId('history-note'), historyNote(document, items.length))
}

function historyNote(document: HistoryDocument, count: number): string {
  if (!('items' in document)) return 'This service has no history of executed swaps.'
  if (count > 0) return `${numberText(document.total)} in the index.`
  return 'Nothing was executed yet, as far as the index goes.'
}

/** The page's status of the service. */
type ServiceFacts = {
  readonly readiness: Readiness | undefined
  readonly version: string
  readonly network: string
  readonly pairs: number
  readonly excluded: number
}

/** Shows the state of the service and its nodes. */
export function showService({ readiness, version, network, pairs, excluded }: ServiceFacts): void {
  const block = (height: number | null) => (height === null ? '-' : numberText(height))
  const { node = null, served = null, indexed = null } = readiness?.heights ?? {}
  writeTerms(byId('service'), [
    ['Service', stateText(readiness)],
    ['Network', network],
    ['Nodes are at', `block ${block(node)}`],
    ['Quotes are of', `block ${block(served)}`],
    ['History up to', indexed === null ? 'no index' : `block ${block(indexed)}`],
    ['Pairs', `${pairs} open, ${excluded} left out`],
    ['Program', version],
  ])
}

const reasons: Readonly<Record<string, string>> = {
  no_snapshot: 'no market has been read yet',
  stale: 'no new block',
  halted: 'the chain makes no blocks',
  rpc_disagreement: 'its nodes do not agree',
  too_few_books: 'too few pairs can be read',
  height_went_back: 'the chain went back',
  draining: 'it is closing',
}

/** Whether quotes are answered, and why not. */
export function stateText(readiness: Readiness | undefined): string {
  if (readiness === undefined) return 'cannot be reached'
  if (readiness.ready) return 'ready'
  return `not ready: ${readiness.reasons.map((each) => reasons[each] ?? each).join(', ')}`
}
