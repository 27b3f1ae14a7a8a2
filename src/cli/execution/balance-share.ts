import { SwapError } from '../../engine/errors.js'
import { amountIn, type Coin, type Denom } from '../../engine/market/token.js'
import { mulCeil } from '../../engine/math/decimal.js'
import { formatUnits } from '../../engine/math/units.js'
import type { ChainPort } from '../../operations/chain-port.js'
import { isShare } from '../arguments/amount.js'
import type { Context, FlagValues } from '../command.js'
import { invalidAmount } from '../invalid-request.js'
import { readerOf } from '../quotes/route-request.js'
import { feeTermsOf } from './terms.js'

/**
 * Gas whose fee `max` of the fee token reserves by default. A split that needs more is refused; `--gas` reserves
 * more.
 */
const GAS = 20_000_000n

/** 100% in hundredths of a percent. */
const WHOLE = 10_000n

/** The words of a command, and the balance that their amount is a share of. */
type SharedWords = { readonly words: readonly string[]; readonly shareOf?: Coin }

/**
 * Replaces `50% usdc` or `max usdc` by that part of the balance, rounded down. `max` leaves the fees of the
 * transactions, which `--fees` or `--gas` set exactly. Other arguments are returned unchanged.
 *
 * @param transactions their number
 * @throws SwapError INVALID_AMOUNT unless the share is from 0.01% to 100%, INSUFFICIENT_FUNDS if the part is
 * zero
 */
export async function withShare(
  context: Context,
  args: readonly string[],
  address: string,
  flags: FlagValues,
  transactions = 1,
): Promise<SharedWords> {
  const [amount = '', name, ...more] = args
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?%$/.exec(amount) ?? []
  const isMax = isMaximum(args)
  if (name === undefined || context.app.chain === undefined) return { words: args }
  if (!isShare(amount)) return { words: args }
  if (!isMax && whole === undefined)
    throw noShare(`"${amount.slice(0, 40)}" is not a share`, 'a share has at most two decimals')
  const hundredths = isMax ? WHOLE : BigInt(`${whole}${fraction.padEnd(2, '0')}`)
  if (hundredths === 0n) throw noShare(`a share of ${amount} is zero`, 'there is nothing to swap')
  const whose = 'a share is taken of the balance of the account'
  if (hundredths > WHOLE) throw noShare(`a share of ${amount} is above 100%`, whose)
  const [reader, chain, { market }] = await Promise.all([
    readerOf(context),
    context.app.chain(),
    context.app.openMarket(),
  ])
  const { denom, decimals, symbol } = reader.token(name, '/input/denom')
  const held = amountIn(await chain.balances(address, market.height), denom)
  const reserve = isMax ? BigInt(transactions) * (await feeIn(denom, chain, flags)) : 0n
  const share = (held * hundredths) / WHOLE - reserve
  if (share <= 0n) {
    const holds = `the account holds ${formatUnits(held, decimals)} ${symbol}`
    throw new SwapError('INSUFFICIENT_FUNDS', `${amount} of ${symbol} is nothing to swap`, {
      why:
        held > 0n && reserve > 0n
          ? `${holds}, and max keeps ${formatUnits(reserve, decimals)} of it for fees`
          : holds,
      hint: 'fund the account, or name an amount',
      members: { required: null, available: `${held}`, denom },
    })
  }
  const text = reader.atomic ? `${share}` : formatUnits(share, decimals)
  return { words: [text, name, ...more], shareOf: { denom, amount: held } }
}

/** Whether the arguments sell all of a balance, less fees. */
export const isMaximum = ([amount = '']: readonly string[]): boolean =>
  amount.toLowerCase() === 'max'

/** The largest fee of a transaction in a token, in atomics. */
async function feeIn(
  denom: Denom,
  chain: Pick<ChainPort, 'feeDenom' | 'gasPrice'>,
  flags: FlagValues,
): Promise<bigint> {
  const { fees, gas } = feeTermsOf(flags)
  if (fees !== undefined) return amountIn(fees, denom)
  return denom === chain.feeDenom ? mulCeil(gas ?? GAS, await chain.gasPrice()) : 0n
}

const noShare = (message: string, why: string): SwapError =>
  invalidAmount(message, '/input/amount', {
    why,
    hint: 'write a share from 0.01% to 100%, max, or an amount',
  })
