import { isAddressShaped } from '../../../config/naming.js'
import { invalidRequest, SwapError } from '../../../engine/errors.js'
import type { Market } from '../../../engine/market/market.js'
import { type OrderPlace, orderId, parseOrderId } from '../../../engine/orders/order-price.js'
import { marketHead } from '../../../operations/document-parts.js'
import { orders } from '../../../operations/orders/order-operations.js'
import { ordersUnread } from '../../../operations/orders/read-orders.js'
import { namesOf } from '../../../render/names.js'
import { plainStyle } from '../../../render/style.js'
import { quote } from '../../../render/width.js'
import { addressOrDefault } from '../../accounts/default-signer.js'
import { accountNamed } from '../../accounts/named-accounts.js'
import { isPair, pairNamed, tokensOf } from '../../arguments/pair-name.js'
import { resolveToken } from '../../arguments/token-names.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { marketNaming, printAnswer } from '../../print-answer.js'
import { isWatched } from '../../watch/watch-options.js'
import { noteUnread, ordersCsv, renderOrder, renderOrders } from './render.js'

export const runOrderList: Run = async (context, [name], flags) => {
  const { app, form, out, config } = context
  if (name !== undefined) await refuseAccount(context, name)
  const isLive = isWatched(flags)
  const owner = await ownerOf(context, flags)
  if (isLive) {
    const { watchOrders } = await import('./watch-orders.js')
    return watchOrders(context, flags, { owner, name })
  }
  const { market } = await app.openMarket()
  const pair = name === undefined ? undefined : pairNamed(context, market, name)
  const answer = await orders(app, { owner, ...(pair && { pair }) })
  // Only the document says that an empty list may be incomplete.
  if (form.kind !== 'json' && answer.orders.length === 0 && answer.unread.length > 0)
    throw ordersUnread(answer.unread)
  noteUnread(context, answer.unread)
  const naming = marketNaming(market, config)
  return printAnswer(context, answer, {
    quiet: () => answer.orders.map(({ id }) => id).join('\n'),
    csv: () => ordersCsv(answer, naming),
    human: () => renderOrders(answer, naming, out.style),
  })
}

/** Refuses the name of an account in place of a pair. @throws SwapError NOT_FOUND */
async function refuseAccount(context: Context, name: string): Promise<void> {
  if (name.includes('/') || isAddressShaped(name)) return
  const account = await accountNamed(context, name)
  if (account === undefined) return
  throw new SwapError('NOT_FOUND', `${quote(name)} is not a pair`, {
    why: account.kind === 'key' ? 'it is the name of a key' : 'it is a name of the address book',
    hint: `list its orders: swap order list --from ${name}`,
    members: { pairs: [] },
  })
}

export const runOrderShow: Run = async (context, [text = ''], flags) => {
  const { app, out, config } = context
  const owner = await ownerOf(context, flags)
  const { market } = await app.openMarket()
  const { id, pair } = orderNamed(context, market, text)
  const answer = await orders(app, { owner, pair })
  const order = answer.orders.find((each) => each.id === id)
  if (order === undefined && answer.unread.length > 0) throw ordersUnread(answer.unread)
  if (order === undefined)
    throw new SwapError('NOT_FOUND', `the account has no order ${quote(text)}`, {
      why: `at block ${answer.height} it has ${answer.orders.length} on this pair`,
      hint: `list them: swap order list --from ${owner}`,
      members: { id },
    })
  const naming = marketNaming(market, config)
  const document = { ...marketHead(market), owner, ...order }
  return printAnswer(context, document, {
    quiet: () => order.status,
    human: () => renderOrder(document, naming, out.style),
  })
}

const ownerOf = (context: Context, { from }: FlagValues): Promise<string> =>
  addressOrDefault(context, from, {
    pointer: '/from',
    what: 'the account',
    call: 'swap order list --from <account>',
  })

/** An order given as an argument. */
export type NamedOrder = { readonly id: string; readonly pair: string; readonly place: OrderPlace }

/**
 * Parses an order id, whose pair may be given by its tokens, the base first, and whose side in capitals.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function orderNamed(context: Context, market: Market, text: string): NamedOrder {
  const parsed = parseOrderId(text.replace(/\/(buy|sell)\/[^/]*$/i, (end) => end.toLowerCase()))
  if (parsed === undefined)
    throw invalidRequest(`${quote(text)} is not the id of an order`, '/id', {
      why: 'an id is a pair, buy or sell, and a price: rune/usdc/buy/0.499',
      hint: 'list them: swap order list',
    })
  const { pair: name, ...place } = parsed
  const pair = pairNamed(context, market, name)
  if (!isPair(market, name)) requireBaseFirst(context, market, name, pair)
  return { id: orderId(pair, place), pair, place }
}

/** Refuses `usdc/rune` for `rune/usdc`: the side and the price of an order would be others than those meant. */
function requireBaseFirst({ config }: Context, market: Market, name: string, address: string) {
  const { base } =
    market.books.get(address)?.state.pair ??
    market.excluded.find((each) => each.address === address)!.denoms!
  const listed = [...market.tokens.values()]
  const [first] = tokensOf(name, (word) => resolveToken(word, listed, config.aliases).token)!
  if (first.denom === base) return
  const names = namesOf(marketNaming(market, config), plainStyle)
  throw invalidRequest(`the pair is ${quote(names.pair(address))}`, '/id', {
    why: `the id of an order names ${names.symbol(base)} first, which it buys or sells at its price`,
    hint: 'list them: swap order list',
  })
}
