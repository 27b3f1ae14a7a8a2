import type { ReactElement } from 'react'
import type { OrdersAnswer } from '../../../operations/orders/orders-operation.js'
import { type Naming, namesOf } from '../../../render/names.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import {
  Field,
  type FrameContext,
  frameOf,
  Keys,
  Session,
  Table,
  Title,
} from '../../watch/frame.js'
import { coinPieces, orderColumns, orderRow } from './render.js'

/** The orders of an account at this block, with what rests and what can be claimed. */
export function ordersFrame(
  answer: OrdersAnswer,
  naming: Naming,
  watching: FrameContext,
  style: Style,
): ReactElement {
  const names = namesOf(naming, style)
  const { dot } = glyphsOf(style)
  const name = `${names.short(answer.owner, 28)} ${dot} ${watching.pace}`
  return frameOf(
    {
      title: <Title text={name} place={answer} style={style} />,
      figures: (
        <>
          <Field label="Resting" pieces={coinPieces(answer.resting, names)} style={style} />
          <Field label="Claimable" pieces={coinPieces(answer.claimable, names)} style={style} />
          <Session context={watching} format={(count) => `${count} orders`} style={style} />
        </>
      ),
      body: (
        <Table
          columns={orderColumns}
          rows={answer.orders.map((order) => orderRow(order, names))}
          empty="No order of this account rests, and nothing can be claimed."
          style={style}
        />
      ),
      foot: <Keys context={watching} style={style} />,
    },
    watching.lines,
    style.width,
  )
}
