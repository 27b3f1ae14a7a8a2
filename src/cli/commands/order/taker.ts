import type { SwapError } from '../../../engine/errors.js'
import type { Token } from '../../../engine/market/token.js'
import { type Decimal, formatDecimal } from '../../../engine/math/decimal.js'
import { ratioText } from '../../../operations/amount.js'
import type { TakerPrice, TakerSlippage } from '../../../operations/orders/taker-price.js'
import { scalePrice } from '../../../render/amount.js'
import type { Context, FlagValues } from '../../command.js'
import { invalidRequest } from '../../invalid-request.js'

/** `--slippage` of an immediate order in place of its price. @throws SwapError INVALID_REQUEST */
export function takerSlippageOf({ config }: Context, flags: FlagValues): TakerSlippage | undefined {
  const { slippage, price, oracle, ioc, fok } = flags
  if (slippage === undefined) return undefined
  if (price !== undefined || oracle !== undefined)
    throw misused('--price and --oracle are limits already', 'leave --slippage out, or the price')
  if (ioc !== true && fok !== true)
    throw misused('an order that rests needs a price', 'add --ioc or --fok, or give --price')
  return { bps: config.values.slippage, isAuto: slippage === 'auto' }
}

/** Says how the limit was chosen, before it is confirmed. */
export function noteLimit(
  { out }: Context,
  { base, quote }: { readonly base: Token; readonly quote: Token },
  { price, rate, slippageBps, choice }: TakerPrice,
): void {
  const decimals = { base: base.decimals, quote: quote.decimals }
  const text = (each: Decimal) => scalePrice(formatDecimal(each), decimals)
  const reason = choice?.reason ?? ratioText(slippageBps)
  out.note(
    `the limit is ${text(price)} ${quote.symbol} per ${base.symbol}, the last level taken now ${text(rate)}; slippage ${reason}`,
  )
}

const misused = (why: string, hint: string): SwapError =>
  invalidRequest('--slippage cannot be used for this order', '/slippage', { why, hint })
