import type { Draft } from '../../chain/tx/unsigned-tx.js'
import { SwapError } from '../../engine/errors.js'
import { mulCeil } from '../../engine/math/decimal.js'
import { coinWords } from '../../operations/amount-text.js'
import type { Order } from '../order.js'
import type { Chain } from '../ports.js'
import { differences, type Promised } from './compare.js'
import type { Prepared } from './prepare.js'
import { saidCalls, totalsOf } from './signing-view.js'

/** The longest deadline and the greatest gas adjustment that `swap execute` takes. */
export const MOST_BLOCKS = 200
const MOST_ADJUSTMENT = 10n

/**
 * Compares a transaction that was made elsewhere with what would be built for the same calls now: its
 * minimums, contracts, messages, fee, gas and timeout height.
 *
 * @param prepared for the calls of the transaction, with every guard of an execution
 * @throws SwapError SLIPPAGE_EXCEEDED, CONFIRMATION_REQUIRED
 */
export function requireLikeOwn(
  chain: Chain,
  { account }: Pick<Order, 'account'>,
  { plan, built }: Pick<Prepared, 'plan' | 'built'>,
  said: Draft,
): void {
  const calls = saidCalls(said)
  const demanded = calls.reduce((sum, { least }) => sum + least.amount, 0n)
  const { least } = totalsOf(plan)
  const { market, legs } = plan
  if (demanded < least) {
    const { output } = legs[0]!
    throw new SwapError('SLIPPAGE_EXCEEDED', 'the transaction demands less than we would', {
      why: `it demands ${coinWords(market, output, demanded)}; at block ${market.height}, less ${plan.tolerance.bps} bps, it has to be ${coinWords(market, output, least)}`,
      hint: 'nothing was signed; make it anew, or sign it at a terminal',
      members: {
        ...{ limit: `${least}`, actual: `${demanded}`, denom: output, height: market.height },
      },
    })
  }
  const { height } = built.standing
  const left = Number(said.timeoutHeight) - height
  const mostGas = (built.gasUsed ?? 0n) * MOST_ADJUSTMENT
  const promised: Promised = {
    chainId: chain.chainId,
    plan: { ...plan, legs: legs.map((leg, i) => ({ ...leg, least: calls[i]!.least.amount })) },
    legs: built.legs,
    address: account.address,
    publicKey: account.publicKey ?? said.publicKey,
    standing: { height, accountNumber: said.accountNumber, sequence: said.sequence },
    memo: said.memo,
    deadlineBlocks: Math.max(1, Math.min(left, MOST_BLOCKS)),
    mostGas,
    mostFee: [{ denom: chain.feeDenom, amount: mulCeil(said.gasLimit, chain.gasPrice) }],
  }
  const found = differences(promised, said)
  if (found.length > 0)
    throw new SwapError('CONFIRMATION_REQUIRED', 'a person has to look at this transaction', {
      why: found.join('; '),
      hint: 'nothing was signed; sign it at a terminal, or make it anew',
    })
}
