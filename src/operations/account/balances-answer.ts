import * as Type from 'typebox'
import {
  AmountText,
  atomicsOf,
  closedObject,
  countOrNull,
  DenomText,
  type DocumentOf,
  marketHeadMembers,
  textOf,
  textOrNull,
} from '../document-schema.js'
import { unreadOrders } from '../orders/order-document.js'

/** One coin of an account. Members unknown to the market are `null`. */
const BalanceDocument = closedObject({
  denom: DenomText,
  amount: AmountText,
  resting: atomicsOf('What rests of it in orders on the pairs.'),
  claimable: atomicsOf('What claims of filled orders would pay, after the maker fee.'),
  symbol: textOrNull('Short name of the token.'),
  decimals: countOrNull('Digits between atomics and a displayed unit.'),
  value_usd: textOrNull('Dollars of the three amounts at the mid prices.'),
})
export type BalanceDocument = DocumentOf<typeof BalanceDocument>

/** The answer of `swap balances --json`. */
export const BalancesAnswer = closedObject({
  ...marketHeadMembers,
  address: textOf('Address of the account.'),
  fee_denom: textOf('The denom that fees are paid in.'),
  balances: Type.Array(BalanceDocument, {
    description: 'Highest value first, then those without a price.',
  }),
  total_usd: textOrNull('Sum of the coins that have a price.'),
  orders_unread: unreadOrders('Pairs whose orders are not counted.'),
})
export type BalancesAnswer = DocumentOf<typeof BalancesAnswer>
