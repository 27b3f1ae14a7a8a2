import { SwapError } from '../../../engine/errors.js'
import { mulCeil } from '../../../engine/math/decimal.js'
import { formatUnits } from '../../../render/amount.js'
import type { Context } from '../../command.js'
import { readerOf } from '../../quotes/route-request.js'

/** Gas that is kept back where the token that is sold also pays fees: more than any swap takes. */
const GAS = 20_000_000n

/**
 * `50% usdc` and `max usdc` as the amount that they mean: of what the account holds, rounded down.
 * `max` leaves what fees may take. Other arguments are left as they are.
 *
 * @throws SwapError INSUFFICIENT_FUNDS where that is nothing
 */
export async function withShare(
  context: Context,
  args: readonly string[],
  address: string,
): Promise<readonly string[]> {
  const [amount = '', name, ...more] = args
  const [, whole, part = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?%$/.exec(amount) ?? []
  const isMax = amount.toLowerCase() === 'max'
  if (name === undefined || context.app.chain === undefined || !(isMax || whole)) return args
  const hundredths = isMax ? 10_000n : BigInt(`${whole}${part.padEnd(2, '0')}`)
  const [reader, chain, { market }] = await Promise.all([
    readerOf(context),
    context.app.chain(),
    context.app.openMarket(),
  ])
  const { denom, decimals, symbol } = reader.token(name)
  const coins = await chain.balances(address, market.height)
  const held = coins.find((coin) => coin.denom === denom)?.amount ?? 0n
  const kept = isMax && denom === chain.feeDenom ? mulCeil(GAS, chain.gasPrice) : 0n
  const meant = (held * hundredths) / 10_000n - kept
  if (hundredths > 10_000n || meant <= 0n)
    throw new SwapError('INSUFFICIENT_FUNDS', `${amount} of ${symbol} is nothing to swap`, {
      why: `the account holds ${formatUnits(held, decimals)} ${symbol}`,
      hint: 'fund the account, or name an amount',
      members: { required: null, available: `${held}`, denom },
    })
  return [reader.atomic ? `${meant}` : formatUnits(meant, decimals), name, ...more]
}
