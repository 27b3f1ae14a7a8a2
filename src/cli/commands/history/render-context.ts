import type { HistoryRequest } from '../../../operations/history/history-documents.js'
import type { HistoryAccess, IndexStatus } from '../../../operations/history/history-port.js'
import { networkName, paragraph, titleLines, wrapText } from '../../../render/layout.js'
import type { Naming } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import type { Context } from '../../command.js'

/** Context of the renderers of the history. */
export type HistoryContext = Naming & {
  readonly network: string
  /** The request, which decides the title. */
  readonly request: HistoryRequest
  /** What the index lacks, for people. */
  readonly standing?: IndexStatus | undefined
}

/** Block time to the minute, for people. @example '2026-11-21 14:02' */
export const minuteOf = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}`

/** How an empty index is filled. */
export const FILL = 'Fill the index once: swap history --sync   Keep it filled: swap serve'

/** What an answer needs of its names: those of the network, and tokens of the index besides. */
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

/** The title of a list as of the newest indexed block. */
export const listTitle = (
  text: string,
  network: string,
  height: number | null,
  style: Style,
): readonly string[] =>
  height === null
    ? plainTitle('nothing is indexed yet', network, style)
    : titleLines(text, { network, height }, style)

/** A title without a block: there is none yet, or not one. */
export function plainTitle(text: string, network: string, style: Style): readonly string[] {
  const { dot, line } = glyphsOf(style)
  return [
    ...wrapText(`${text} ${dot} ${networkName(network, style)}`, style.width).map(style.bold),
    line.repeat(style.width),
  ]
}

/** A page of a list. */
type Paged = {
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly items: readonly unknown[]
}

/** How many pages there are, and how to have the next one; nothing where this is all. */
export function pagesLines({ page, limit, total, items }: Paged, style: Style): readonly string[] {
  const pages = Math.max(1, Math.ceil(total / limit))
  if (items.length === 0 && page > pages)
    return paragraph(
      pages === 1 ? `There is one page of ${limit}.` : `There are ${pages} pages of ${limit}.`,
      style,
    )
  if (page >= pages) return []
  return paragraph(`page ${page} of ${pages}: --page ${page + 1}`, style).map(style.muted)
}
