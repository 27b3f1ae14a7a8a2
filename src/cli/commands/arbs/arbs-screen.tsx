import type { ReactElement } from 'react'
import { counted } from '../../../engine/math/counted.js'
import type {
  ArbsAnswer,
  OpportunityDocument,
} from '../../../operations/arbitrage/arbitrage-documents.js'
import { formatDollarsAndCents } from '../../../render/amount.js'
import { type Naming, namesOf } from '../../../render/names.js'
import { bar, rangeOf } from '../../../render/picture.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { Estimate } from '../../quotes/quote-screen.js'
import { answerFrame, Field, type FrameContext, Table } from '../../watch/frame.js'
import { BAR, profitHundredths } from './loop.js'

/** A scan with its market's names, and the numbers of loops that opened and closed since watching began. */
export type WatchedLoops = {
  readonly scan: ArbsAnswer
  readonly naming: Naming
  readonly traffic: { readonly opened: number; readonly closed: number }
}

/** A frame of the profitable loops at one block, new ones marked. `last` is that of the last block. */
export function arbsFrame(
  { scan, naming, traffic: { opened, closed } }: WatchedLoops,
  last: WatchedLoops | undefined,
  watching: FrameContext,
  style: Style,
): ReactElement {
  const names = namesOf(naming, style)
  const { opportunities, examined } = scan
  const known = last && new Map(last.scan.opportunities.map((each) => [each.id, each]))
  const [, most] = rangeOf(opportunities.map(profitHundredths))
  const now = [`${examined} examined`, `${opened} opened`, `${closed} closed`]
  return answerFrame(watching, style, {
    title: counted(opportunities.length, 'profitable loop'),
    place: scan,
    figures: (
      <>
        <Field label="Now" pieces={now} style={style} />
        <Estimate of={opportunities} style={style} />
      </>
    ),
    format: (hundredths) => `${(Number(hundredths) / 100).toFixed(2)} %`,
    body: (room) => (
      <Table
        items={opportunities}
        fold={{ room, noun: 'loop' }}
        columns={[
          ['', (each) => (known ? mark(each, known.get(each.id), style) : '')],
          ['', ({ path }) => names.path(path)],
          ['', ({ input }) => names.payment(input), { align: 'right' }],
          ['', (each) => style.good(`${each.profit_percent.toFixed(2)} %`), { align: 'right' }],
          ['', ({ profit_usd }) => formatDollarsAndCents(profit_usd, style), { align: 'right' }],
          ['', (each) => bar(profitHundredths(each), most, BAR, style), { drop: 1 }],
        ]}
        empty="No profitable arbitrage at this block."
        style={style}
      />
    ),
  })
}

function mark(
  now: OpportunityDocument,
  before: OpportunityDocument | undefined,
  style: Style,
): string {
  if (before === undefined) return style.good('new')
  const { up, down } = glyphsOf(style)
  const step = BigInt(now.output.amount) - BigInt(before.output.amount)
  return step === 0n ? '' : step > 0n ? style.good(up) : style.bad(down)
}
