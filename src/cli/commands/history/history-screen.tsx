import type { ReactElement } from 'react'
import type { LegDocument } from '../../../operations/history/history-documents.js'
import { formatDollarsAndCents } from '../../../render/amount.js'
import { namesOf } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { answerFrame, Field, type FrameContext, Table } from '../../watch/frame.js'
import type { HistoryContext } from './render-context.js'

/** The latest executed legs, newest first, with counts since watching began. */
export type WatchedHistory = {
  readonly height: number
  /** The newest block of the index; 0 while it is empty. */
  readonly indexed: number
  readonly latest: readonly LegDocument[]
  /** Legs of this block. */
  readonly fresh: readonly LegDocument[]
  /** Legs since watching began. */
  readonly seen: number
}

/** Minimum columns of an address. */
const SHORT = 13

/** The latest legs, those of this block marked; the sparkline shows the number a block. */
export function historyFrame(
  { height, latest, fresh, seen }: WatchedHistory,
  context: HistoryContext,
  watching: FrameContext,
  style: Style,
): ReactElement {
  const names = namesOf(context, style)
  const isNew = new Set(fresh)
  const now = [`${fresh.length} new`, `${seen} since it began`]
  return answerFrame(watching, style, {
    title: 'swaps',
    place: { network: context.network, height },
    figures: <Field label="Now" pieces={now} style={style} />,
    format: String,
    body: (
      <Table
        items={latest}
        columns={[
          ['', (leg) => (isNew.has(leg) ? style.good('new') : '')],
          ['', ({ time }) => time.slice(11, 19)],
          ['', ({ sender }) => names.short(sender, SHORT), { drop: 2 }],
          ['', ({ input }) => names.coin(input), { align: 'right' }],
          ['', ({ output }) => names.coin(output), { align: 'right' }],
          [
            '',
            ({ volume_usd }) => formatDollarsAndCents(volume_usd, style),
            { align: 'right', drop: 1 },
          ],
        ]}
        empty="Nothing has been executed yet."
        style={style}
      />
    ),
  })
}
