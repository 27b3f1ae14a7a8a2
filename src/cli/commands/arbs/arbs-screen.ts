import type { ArbsAnswer, OpportunityDocument } from '../../../operations/arbitrage/arbs.js'
import { field, paragraph, titleLines, unbroken } from '../../../render/layout.js'
import { namesOf } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { type FrameContext, footLines, frameOf, sessionLines } from '../../watch/frame.js'
import { dollars } from './loop.js'
import type { ArbsContext } from './render.js'

/** Numbers of loops that opened and closed since watching began. */
export type Traffic = { readonly opened: number; readonly closed: number }

/** Terminal columns of the longest bar. */
const BAR = 12

/** A frame of the profitable loops at one block, new ones marked. `last` is the answer of the last block. */
export function arbsFrame(
  answer: ArbsAnswer,
  last: ArbsAnswer | undefined,
  context: ArbsContext,
  watching: FrameContext & { readonly traffic: Traffic },
  style: Style,
): readonly string[] {
  const names = namesOf(context, style)
  const { dot } = glyphsOf(style)
  const { opportunities, examined } = answer
  const { opened, closed } = watching.traffic
  const known = last && new Map(last.opportunities.map((each) => [each.id, each]))
  const most = opportunities.reduce((top, each) => (partOf(each) > top ? partOf(each) : top), 0n)
  const rows = opportunities.map((each) => [
    known === undefined ? '' : mark(each, known.get(each.id), style),
    names.path(each.path),
    names.coin(each.input),
    style.green(`${each.profit_percent.toFixed(2)} %`),
    dollars(each.profit_usd, style.tty),
    bar(partOf(each), most, BAR, style),
  ])
  const columns = [
    { head: '' },
    { head: '' },
    { head: '', align: 'right' },
    { head: '', align: 'right' },
    { head: '', align: 'right' },
    { head: '', drop: 1 },
  ] as const
  const count = opportunities.length === 1 ? '1 circle pays' : `${opportunities.length} circles pay`
  const percent = (hundredths: bigint) => `${(Number(hundredths) / 100).toFixed(2)} %`
  return frameOf(
    {
      title: titleLines(`${count} ${dot} ${watching.pace}`, answer, style),
      figures: [
        ...field(
          'Now',
          [`${examined} examined`, `${opened} opened`, `${closed} closed`].map(unbroken),
          style,
        ),
        ...sessionLines(watching, percent, style),
      ],
      body:
        rows.length === 0
          ? paragraph('Nothing pays more than it costs at this block.', style)
          : table(columns, rows, style),
      foot: footLines(watching, [], style),
    },
    watching.lines,
  )
}

/** Profit of the best loop in hundredths of a percent, for the sparkline. */
export const bestPercent = ({ opportunities: [best] }: ArbsAnswer): bigint | undefined =>
  best === undefined ? undefined : partOf(best)

const partOf = ({ profit_percent }: OpportunityDocument): bigint =>
  BigInt(Math.round(profit_percent * 100))

function mark(
  now: OpportunityDocument,
  before: OpportunityDocument | undefined,
  style: Style,
): string {
  if (before === undefined) return style.green('new')
  const { up, down } = glyphsOf(style)
  const step = BigInt(now.output.amount) - BigInt(before.output.amount)
  return step === 0n ? '' : step > 0n ? style.green(up) : style.red(down)
}
