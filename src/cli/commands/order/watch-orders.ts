import { counted } from '../../../engine/math/counted.js'
import { type OrdersAnswer, orders } from '../../../operations/orders/order-operations.js'
import { unreadText } from '../../../operations/orders/read-orders.js'
import { namesOf } from '../../../render/names.js'
import type { ContractClient } from '../../../service/answers/contract-limiter.js'
import { pairNamed } from '../../arguments/pair-name.js'
import type { Context, FlagValues } from '../../command.js'
import { coins } from '../../execution/report-fields.js'
import { marketNaming } from '../../print-answer.js'
import { conditionOn, plainNumber } from '../../watch/condition.js'
import { type EventBody, hasMoved } from '../../watch/events.js'
import { watch } from '../../watch/watch.js'
import type { WatchedOrders } from './orders-screen.js'

/** `swap order list --watch`: the orders block by block, and each fill as it happens. */
export async function watchOrders(
  context: Context,
  flags: FlagValues,
  { owner, name }: { readonly owner: string; readonly name: string | undefined },
): Promise<void> {
  const { config, out } = context
  // The client of the service finds a demo chain again that has restarted on other ports.
  let client: ContractClient | undefined
  await watch<WatchedOrders>(context, flags, {
    async ask(app) {
      const { market } = await app.openMarket()
      const pair = name === undefined ? undefined : pairNamed(context, market, name)
      client ??= await (await context.service()).contracts?.()
      const contracts = client?.within(config.values.timeout)
      const here = { ...app, ...(contracts && { contracts: async () => contracts }) }
      const answer = await orders(here, { owner, ...(pair && { pair }) })
      return { answer, naming: marketNaming(market, config) }
    },
    moved: ({ answer: now }, { answer: before }, bps) => haveChanged(now, before, bps),
    bodies: ({ answer }, before) => [
      ...(before === undefined ? [] : fillsBetween(before.answer, answer)),
      { type: 'orders', orders: answer },
    ],
    condition: ordersCondition,
    number: ({ answer }) => BigInt(answer.orders.length),
    loadFrame: async () => (await import('./orders-screen.js')).ordersFrame,
    value: ({ answer }) => answer.orders.map(({ id }) => id).join('\n'),
    line({ answer, naming }) {
      const names = namesOf(naming, out.style)
      const unread = answer.unread.length === 0 ? '' : `  ${unreadText(answer.unread)}`
      return `block ${answer.height}  ${counted(answer.orders.length, 'order')}  resting ${coins(answer.resting, names)}  claimable ${coins(answer.claimable, names)}${unread}`
    },
  }).finally(() => client?.close())
}

/** What `--until` compares: numbers of orders, and of those with something to claim. */
export const ordersCondition = conditionOn<Pick<WatchedOrders, 'answer'>>({
  orders: [plainNumber, ({ answer }) => countOf(answer, () => true)],
  claimable: [plainNumber, ({ answer }) => countOf(answer, (each) => each.claimable !== '0')],
})

/** A number of orders; unknown while a pair is unread. */
const countOf = (
  { orders: list, unread }: OrdersAnswer,
  isMeant: (order: OrdersAnswer['orders'][number]) => boolean,
): number | null => (unread.length > 0 ? null : list.filter(isMeant).length)

/** Whether an order is new or gone, or an amount of it has changed by at least `bps` of what it was. */
export function haveChanged(now: OrdersAnswer, before: OrdersAnswer, bps: bigint): boolean {
  const known = new Map(before.orders.map((order) => [order.id, order]))
  return (
    now.orders.length !== known.size ||
    now.orders.some(({ id, ...order }) => {
      const was = known.get(id)
      return (
        was === undefined ||
        (['remaining', 'filled'] as const).some(
          (name) =>
            order[name] !== was[name] && hasMoved(BigInt(order[name]), BigInt(was[name]), bps),
        )
      )
    })
  )
}

/**
 * Fills since an answer, in atomics of the token that they receive. An order that this one does not have is new, unless
 * its pair was not read. A claim or another change by the owner pays the fills and counts from 0 again: of those before
 * it in between nothing can be read.
 */
export const fillsBetween = (before: OrdersAnswer, now: OrdersAnswer): readonly EventBody[] =>
  now.orders.flatMap(({ id, pair, filled, remaining, updated_at, receive_denom: denom }) => {
    const last = before.orders.find((order) => order.id === id)
    const isRead = before.unread.every(({ address }) => address !== pair)
    if (last === undefined && !isRead) return []
    const isPaidOut =
      last === undefined || last.updated_at !== updated_at || BigInt(filled) < BigInt(last.filled)
    const amount = BigInt(filled) - (isPaidOut ? 0n : BigInt(last.filled))
    return amount > 0n ? [{ type: 'fill', id, denom, amount: `${amount}`, remaining }] : []
  })
