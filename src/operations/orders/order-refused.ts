import { type Hint, SwapError } from '../../engine/errors.js'
import type { OrderFailure } from '../../engine/orders/order-failure.js'

/** The error of a message that a pair would refuse, or that would have no effect. */
export const orderRefused = ({
  refused,
  why,
  contractText,
}: Omit<OrderFailure, 'contractText'> & Partial<OrderFailure>): SwapError =>
  new SwapError('ORDER_REFUSED', 'the order request is refused', {
    why,
    hint: HINTS[refused] ?? 'change the order',
    members: { reason: refused, contract_text: contractText ?? null },
  })

/** The orders and the coins that the node shows of a pair contradict each other. */
const CONTRADICTORY: Hint = {
  cli: 'run the command again; if it lasts, name another node: --rpc <url>',
  http: 'try again after a moment',
}

const HINTS: Partial<Record<OrderFailure['refused'], Hint>> = {
  invalid_price: 'use the named price',
  no_oracle: 'use a fixed price',
  insufficient_funds: 'send more coins, or offer less',
  nothing_to_cancel: {
    cli: 'list the orders: swap order list; one that was cancelled, or claimed after it was filled, is gone',
    http: 'list the orders: one that was cancelled, or claimed after it was filled, is gone',
  },
  nothing_to_claim: 'nothing has to be done: no order was filled, or all is claimed',
  nothing_added: 'name another amount, or another price',
  nothing_taken: {
    cli: 'name a price that crosses, or let the order rest: without --ioc and --fok',
    http: 'name a price that crosses, or let the order rest: without its entry of target 0',
  },
  beyond_max_cross: {
    cli: 'correct the price, or allow more: --max-cross <percent>',
    http: 'correct the price, or raise max_cross_bps',
  },
  crosses_unprotected: 'swap instead, or name a price that does not cross',
  order_exists: 'cancel that one first, or name another price',
  not_filled: 'offer less, name a price further across, or take what there is: --ioc',
  pair_balance: CONTRADICTORY,
  withdraw_error: CONTRADICTORY,
  invalid_ladder: 'use fewer steps, a wider range or a larger total',
  arb_endless: 'wait until the makers of the pair have moved',
}
