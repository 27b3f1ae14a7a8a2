import type { CoinDocument } from '../../../operations/route-document.js'
import { formatBps, impactWord } from '../../../render/amount.js'
import { field, unbroken } from '../../../render/layout.js'
import {
  depthLines,
  excludedLines,
  quoteLines,
  recipientLines,
  severeHint,
  totals,
} from '../route/route-notes.js'
import { venueName } from '../route/route-view.js'
import type { SplitView } from './split-view.js'

/** Fees, warnings and hints. */
export const noteLines = (view: SplitView): readonly string[] => [
  ...field('Fees', feePieces(view), view.style, ' '),
  ...recipientLines(view.best.legs[0]!.tx.swap, view),
  ...sharedLines(view),
  ...simulateLines(view),
  ...depthLines(
    view.best.legs.flatMap(({ hops }) => hops),
    view,
  ),
  ...hintLines(view),
  ...excludedLines(view),
  ...quoteLines(view),
  ...moreLines(view),
]

/** Flags that show more of this quote. */
function moreLines({ answer, style }: SplitView): readonly string[] {
  const json = 'add --json for the messages to sign'
  const both = 'add --explain for every level and why others lost, --json for the messages to sign'
  return field('More', [answer.explain ? json : both], style).map(style.dim)
}

/** Venues, protocol and affiliate of all legs together, each of them also where it is zero. */
function feePieces({ best, names }: SplitView): readonly string[] {
  const sum = (coins: readonly CoinDocument[]) => {
    const texts = totals(coins).map((coin) => unbroken(names.coin(coin)))
    return texts.length === 0 ? '0' : texts.join(' + ')
  }
  const fees = best.legs.map((leg) => leg.fees)
  const code = best.legs[0]!.tx.swap.affiliate_code
  const referral = sum(fees.map((each) => each.referral))
  return [
    `venues ${sum(fees.flatMap(({ venue }) => venue))};`,
    `protocol ${sum(fees.map(({ protocol }) => protocol))}${referral === '0' ? '' : `, of it ${referral} for the referral`};`,
    `affiliate ${code === undefined ? '' : `${names.text(code)} `}${sum(fees.map(({ affiliate }) => affiliate))}`,
  ]
}

/** A note for legs that share a book: the order of the calls matters. */
function sharedLines({ best, names, style }: SplitView): readonly string[] {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { hops } of best.legs)
    for (const hop of hops) {
      if (seen.has(hop.address)) shared.add(venueName(hop, names))
      seen.add(hop.address)
    }
  if (shared.size === 0) return []
  const text = `legs share ${[...shared].join(', ')}: send them in this order`
  return field('Order', [text], style)
}

function simulateLines({ best, style }: SplitView): readonly string[] {
  const failing = best.legs.flatMap(({ simulated_output }, i) =>
    simulated_output === null ? [`L${i + 1}`] : [],
  )
  if (failing.length === 0) return []
  const why = 'it does not see arbitrage steps nor what lies in the router; an execution works'
  return field('Simulate', [`fails on ${failing.join(', ')}: ${why}`], style)
}

function hintLines({ best, answer, names, style }: SplitView): readonly string[] {
  const { word } = impactWord(best.price_impact_bps)
  const isBad = ['notable', 'high', 'severe'].includes(word)
  const searched = answer.single_best !== null
  const alone =
    searched && best.legs.length === 1
      ? ['dividing it does not help: one call with the full input is best']
      : []
  const severe = severeHint({ ...best, path: best.legs[0]!.path }, names, true)
  const hint = isBad ? [`the impact is ${word}; a smaller amount gets a better price${severe}`] : []
  const free = answer.free_division
  const finer =
    free === undefined
      ? []
      : [`shares of any size pay ${formatBps(free.gain_bps)} more: leave out --split-step`]
  const hints = [...alone, ...finer, ...hint]
  return hints.length === 0 ? [] : field('Hint', [hints.join('; ')], style)
}
