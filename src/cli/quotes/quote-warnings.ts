import type { HopDocument, RouteAnswer } from '../../operations/route/route-answer.js'
import type { SplitAnswer } from '../../operations/split/split-documents.js'
import { formatBps } from '../../render/amount.js'
import { namesOf } from '../../render/names.js'
import { plainStyle } from '../../render/style.js'
import { atWorstHop, depthText, impactHint } from './route/route-notes.js'
import type { RouteContext } from './route/route-view.js'

/** What the screen of a quote warns about, a line each, for output that shows one value alone. */
export function quoteWarnings(
  { routes: [best] }: Pick<RouteAnswer, 'routes'> | Pick<SplitAnswer, 'routes'>,
  context: RouteContext,
): readonly string[] {
  if (best === undefined) return []
  const isSplit = 'legs' in best
  const parts = isSplit ? best.legs : [best]
  const hops: readonly HopDocument[] = parts.flatMap((part) => [...part.hops])
  const names = namesOf(context, plainStyle)
  const place = isSplit ? '' : atWorstHop(hops, names)
  const source = ` of ${formatBps(best.price_impact_bps)}${place}`
  const { path } = parts[0]!
  const impact = impactHint({ best, names, style: plainStyle }, { path, isSplit, source })
  const depth = depthText(hops, { verbose: false, names })
  const texts = [...(depth ? [depth] : []), ...(impact?.isSevere ? [impact.text] : [])]
  // A line without a width has nothing to keep whole.
  return texts.map((text) => text.replaceAll('\u00a0', ' '))
}
