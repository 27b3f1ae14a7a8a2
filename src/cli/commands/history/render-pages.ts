import { paragraph } from '../../../render/layout.js'
import type { Style } from '../../../render/style.js'

/** A page of a list. */
export type Paged = {
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
