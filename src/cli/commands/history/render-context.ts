import type { IndexStatus } from '../../../operations/history/history-access.js'
import type { HistoryRequest } from '../../../operations/history/history-request.js'
import { networkName, paragraph, wrapText } from '../../../render/layout.js'
import type { Naming } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'

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
