import type { Draft } from '../../chain/tx/unsigned-tx.js'
import { SwapError } from '../../engine/errors.js'
import { mulCeil } from '../../engine/math/decimal.js'
import { formatCoin } from '../../operations/amount-text.js'
import type { Order } from '../order.js'
import type { Chain } from '../ports.js'
import { differences, type ExpectedTx } from './compare.js'
import type { Prepared } from './prepare.js'
import { decodedCalls, totalsOf } from './signing-view.js'

/** The longest deadline and the greatest gas adjustment that `swap execute` takes. */
const MAX_DEADLINE_BLOCKS = 200
const MAX_GAS_ADJUSTMENT = 10n

/**
 * Compares a transaction from elsewhere with one that would be built for the same calls now: its
 * minimums, contracts, messages, fee, gas and timeout height.
 *
 * @param prepared for the calls of the transaction, with every guard of an execution
 * @throws SwapError SLIPPAGE_EXCEEDED, CONFIRMATION_REQUIRED
 */
export async function requireEquivalent(
  chain: Chain,
  { account }: Pick<Order, 'account'>,
  { plan, built }: Pick<Prepared, 'plan' | 'built'>,
  decoded: Draft,
): Promise<void> {
  const calls = decodedCalls(decoded)
  const demanded = calls.reduce((sum, { least }) => sum + least.amount, 0n)
  const { least } = totalsOf(plan)
  const { market, legs } = plan
  if (demanded < least) {
    const { output } = legs[0]!
    throw new SwapError('SLIPPAGE_EXCEEDED', 'the transaction demands less than we would', {
      why: `it demands ${formatCoin(market, output, demanded)}; at block ${market.height}, less ${plan.tolerance.bps} bps, it has to be ${formatCoin(market, output, least)}`,
      hint: 'nothing was signed; make a new one, or sign it at a terminal',
      members: {
        ...{ limit: `${least}`, actual: `${demanded}`, denom: output, height: market.height },
      },
    })
  }
  const { height } = built.accountState
  const left = Number(decoded.timeoutHeight) - height
  const maxGas = (built.gasUsed ?? 0n) * MAX_GAS_ADJUSTMENT
  const expectedTx: ExpectedTx = {
    chainId: chain.chainId,
    plan: { ...plan, legs: legs.map((leg, i) => ({ ...leg, least: calls[i]!.least.amount })) },
    legs: built.legs,
    address: account.address,
    publicKey: account.publicKey ?? decoded.publicKey,
    accountState: { height, accountNumber: decoded.accountNumber, sequence: decoded.sequence },
    memo: decoded.memo,
    deadlineBlocks: Math.max(1, Math.min(left, MAX_DEADLINE_BLOCKS)),
    maxGas,
    maxFee: [{ denom: chain.feeDenom, amount: mulCeil(decoded.gasLimit, await chain.gasPrice()) }],
  }
  const found = differences(expectedTx, decoded)
  if (found.length > 0)
    throw new SwapError('CONFIRMATION_REQUIRED', 'this transaction needs a confirmation', {
      why: found.join('; '),
      hint: 'nothing was signed; sign it at a terminal, or make a new one',
    })
}
