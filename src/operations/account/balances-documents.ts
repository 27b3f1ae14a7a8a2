import * as Doc from '../document-schema.js'
import { unreadOrders } from '../orders/order-documents.js'

/** One coin of an account. Members unknown to the market are `null`. */
const BalanceDocument = Doc.closedObject({
  denom: Doc.DenomText,
  amount: Doc.AmountText,
  resting: Doc.atomics('What rests of it in orders on the pairs.'),
  claimable: Doc.atomics('What claims of filled orders would pay, after the maker fee.'),
  symbol: Doc.textOrNull('Short name of the token.'),
  decimals: Doc.countOrNull('Digits between atomics and a displayed unit.'),
  value_usd: Doc.textOrNull('Dollars of the three amounts at the mid prices.'),
})
export type BalanceDocument = Doc.DocumentOf<typeof BalanceDocument>

/** The answer of `swap balances --json`. */
export const BalancesAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  address: Doc.text('Address of the account.'),
  fee_denom: Doc.text('The denom that fees are paid in.'),
  balances: Doc.listOf('Highest value first, then those without a price.', BalanceDocument),
  total_usd: Doc.textOrNull('Sum of the coins that have a price.'),
  orders_unread: unreadOrders('Pairs whose orders are not counted.'),
})
export type BalancesAnswer = Doc.DocumentOf<typeof BalancesAnswer>
