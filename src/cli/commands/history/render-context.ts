import { groupThousands } from '../../../engine/math/counted.js'
import { countOf } from '../../../history/store/ranges.js'
import type {
  HistoryRequest,
  LegsAnswer,
  QuarantineAnswer,
} from '../../../operations/history/history-documents.js'
import type {
  Heights,
  HistoryAccess,
  IndexStatus,
} from '../../../operations/history/history-port.js'
import type { OrderHistoryAnswer } from '../../../operations/history/order-history.js'
import { paragraph, titledSections } from '../../../render/layout.js'
import type { Naming } from '../../../render/names.js'
import { plainStyle, type Style } from '../../../render/style.js'
import type { Context } from '../../command.js'
import type { Output } from '../../output.js'

export type HistoryContext = Naming & {
  readonly network: string
  /** The request, which decides the title. */
  readonly request: HistoryRequest
  /** Gaps of the index, as text. */
  readonly standing?: IndexStatus | undefined
}

/** Block time to the second, in two parts for narrow terminals. @example ['11-21', '14:02:56'] */
export const shortTime = (time: string) => [time.slice(5, 10), time.slice(11, 19)] as const

/** How to fill an empty index. */
export const FILL = 'Fill the index once: swap history --sync   Keep it filled: swap serve'

/** Names for an answer: those of the network, plus tokens that only the index knows. */
export const historyNaming = (
  { config }: Pick<Context, 'config'>,
  access: Pick<HistoryAccess, 'token'>,
  denoms: Iterable<string>,
) => ({
  network: config.network.name,
  aliases: config.aliases,
  tokens: new Map([
    ...config.network.tokens,
    ...[...denoms].map((denom) => [denom, access.token(denom)] as const),
  ]),
})

/** A list at the newest indexed block. */
export const renderList = (
  title: string,
  network: string,
  { indexed_height: height }: { readonly indexed_height: number | null },
  sections: readonly (readonly string[])[],
  style: Style,
): string =>
  height === null
    ? titledSections('nothing is indexed yet', { network }, style, sections)
    : titledSections(title, { network, height }, style, sections)

/** The number of pages and the flag for the next one; empty on the last page. */
export function pagesLines(
  { page, limit, total, items }: LegsAnswer | OrderHistoryAnswer | QuarantineAnswer,
  style: Style,
): readonly string[] {
  const pages = Math.max(1, Math.ceil(total / limit))
  const count = pages === 1 ? 'is one page' : `are ${pages} pages`
  if (items.length === 0 && page > pages) return paragraph(`There ${count} of ${limit}.`, style)
  if (page >= pages) return []
  return paragraph(`page ${page} of ${pages}: --page ${page + 1}`, style).map(style.muted)
}

/** The note on an empty index for answers without a table. */
export const NOTHING_YET = 'nothing is indexed yet; fill the index once: swap history --sync'

/** Ranges indexed without orders, one sentence each. */
export const withoutOrders = (ranges: readonly Heights[], style: Style): readonly string[] =>
  ranges.map((range) => {
    const [what, again] = range.from === range.to ? ['is', 'it'] : ['are', 'them']
    return `${rangeText(range, style)} ${what} without orders, which an earlier version did not index; read ${again} again: swap history --reindex`
  })

/** Why blocks are missing that nodes were asked for, and what helps. */
export const NOT_GIVEN = 'no node that answered gives them; an archive node may (--rpc)'

/** Gaps of the index for a table; empty if it is complete. */
export const standingLines = (standing: IndexStatus | undefined, style: Style): readonly string[] =>
  gapsOf(standing, style).flatMap((sentence) => paragraph(sentence, style))

/** Gaps of the index, one sentence each. */
function gapsOf(standing: IndexStatus | undefined, style: Style): readonly string[] {
  if (standing === undefined) return []
  const { pruned, missing, quarantined, current } = standing
  return [
    missing > 0 && `${blocks(missing, style)} still to be indexed: swap history --sync`,
    pruned.length > 0 && `${missingText(pruned, style)}: ${NOT_GIVEN}`,
    quarantined > 0 && `${asides(quarantined, style)}: swap history --quarantine`,
    !current &&
      'It was built by another version, or for another router; rebuild it: swap history --reindex',
  ].filter((sentence) => sentence !== false)
}

/** Prints the index's gaps on stderr, for answers other than tables. */
export function noteStanding({ note }: Pick<Output, 'note'>, standing: IndexStatus | undefined) {
  for (const sentence of gapsOf(standing, plainStyle)) note(sentence)
}

/** Whether the answer is a table, which contains the notes. */
export const isTable = ({ form, out }: Pick<Context, 'form' | 'out'>): boolean =>
  form.kind === 'human' && out.style.tty

/** The state of the index for a table. For other forms it is noted, as is an empty index. */
export async function standingOf(
  context: Pick<Context, 'form' | 'out'>,
  access: Pick<HistoryAccess, 'status'>,
  isEmpty: boolean,
): Promise<IndexStatus | undefined> {
  const { form, out } = context
  if (form.quiet > 1) return undefined
  const standing = await access.status()
  if (isTable(context)) return standing
  if (isEmpty && form.quiet === 0) out.note(NOTHING_YET)
  noteStanding(out, standing)
  return standing
}

const count = (n: number, style: Style): string => (style.tty ? groupThousands(`${n}`) : `${n}`)

const blocks = (n: number, style: Style): string =>
  n === 1 ? '1 earlier block is' : `${count(n, style)} earlier blocks are`

/** Missing blocks: a range, or of several ranges the number of their blocks. */
export function missingText(ranges: readonly Heights[], style: Style): string {
  const [first, last] = [ranges[0]!, ranges.at(-1)!]
  if (first === last)
    return `${rangeText(first, style)} ${first.from === first.to ? 'is' : 'are'} missing`
  return `${count(countOf(ranges), style)} blocks from ${count(first.from, style)} to ${count(last.to, style)} are missing`
}

const rangeText = ({ from, to }: Heights, style: Style): string =>
  from === to
    ? `Block ${count(from, style)}`
    : `Blocks ${count(from, style)} to ${count(to, style)}`

const asides = (n: number, style: Style): string =>
  n === 1
    ? '1 event could not be read as a swap'
    : `${count(n, style)} events could not be read as swaps`
