import type { ReactElement } from 'react'
import { counted } from '../../../engine/math/counted.js'
import type { OrdersAnswer } from '../../../operations/orders/order-operations.js'
import { unreadText } from '../../../operations/orders/read-orders.js'
import { type Naming, namesOf } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { answerFrame, Field, type FrameContext, Table } from '../../watch/frame.js'
import { coinPieces, NO_ORDER, orderColumns } from './render.js'

export type WatchedOrders = { readonly answer: OrdersAnswer; readonly naming: Naming }

/** The orders of an account at this block, with the resting and the claimable amounts. */
export function ordersFrame(
  { answer, naming }: WatchedOrders,
  _last: unknown,
  watching: FrameContext,
  style: Style,
): ReactElement {
  const names = namesOf(naming, style)
  return answerFrame(watching, style, {
    title: names.short(answer.owner, 28),
    place: answer,
    figures: (
      <>
        <Field label="Resting" pieces={coinPieces(answer.resting, names)} style={style} />
        <Field label="Claimable" pieces={coinPieces(answer.claimable, names)} style={style} />
        {answer.unread.length > 0 && (
          <Field label={style.warning('Unread')} pieces={unreadText(answer.unread)} style={style} />
        )}
      </>
    ),
    format: (count) => counted(Number(count), 'order'),
    body: (room) => (
      <Table
        items={answer.orders}
        columns={orderColumns(names, answer.orders)}
        {...(answer.unread.length === 0 && { empty: NO_ORDER })}
        fold={{ room, noun: 'order' }}
        style={style}
      />
    ),
  })
}
