import type { Draft } from '../../chain/tx/unsigned-tx.js'
import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import { mulCeil } from '../../engine/math/decimal.js'
import { formatCoin } from '../../operations/amount.js'
import type { Account, Chain } from '../ports.js'
import { MOST_DEADLINE_BLOCKS } from '../task.js'
import { type BuiltTx, requireShortMemo, requireSmallFee } from './build.js'
import { differences, type ExpectedTx, expectedSwaps } from './compare.js'
import { requireNotTimedOut } from './expiry.js'
import type { PreparedSwap } from './prepare-swap.js'
import { decodedCalls, totalsOf } from './signing-view.js'

/** The greatest gas adjustment that `swap execute` accepts. */
const MAX_GAS_ADJUSTMENT = 10n

/**
 * Compares external swaps with those that would be built for the same calls now: the minimums, and everything that
 * `requireUsual` compares.
 *
 * @param prepared for the calls of the transaction, with every guard of an execution
 * @throws SwapError SLIPPAGE_EXCEEDED, CONFIRMATION_REQUIRED
 */
export async function requireEquivalent(
  chain: Chain,
  account: Account,
  { plan, built, indexes }: PreparedSwap,
  decoded: Draft,
): Promise<void> {
  const demands = decodedCalls(decoded)
  const demanded = demands.reduce((sum, { least }) => sum + least.amount, 0n)
  const { least } = totalsOf(plan)
  const { market, legs } = plan
  if (demanded < least) {
    const { output } = legs[0]!
    throw new SwapError('SLIPPAGE_EXCEEDED', 'the transaction demands less than we would', {
      why: `it demands ${formatCoin(market, output, demanded)}; at block ${market.height}, less ${plan.tolerance.bps} bps, it has to be ${formatCoin(market, output, least)}`,
      hint: 'nothing was signed; make a new one, or sign it at a terminal',
      members: {
        limit: `${least}`,
        actual: `${demanded}`,
        denom: output,
        height: market.height,
      },
    })
  }
  const calls = expectedSwaps(
    {
      ...plan,
      legs: legs.map((leg, i) => ({ ...leg, least: demands[i]?.least.amount ?? leg.least })),
    },
    indexes,
    account.address,
  )
  await requireUsual(chain, account, { built, calls, market }, decoded)
}

/**
 * Compares the account, messages, fee, gas and timeout height of an external transaction with those of one built now.
 *
 * @throws SwapError CONFIRMATION_REQUIRED; QUOTE_EXPIRED after its timeout height; INVALID_REQUEST for a long memo
 */
export async function requireUsual(
  chain: Chain,
  account: Account,
  {
    built,
    calls,
    market,
  }: Pick<ExpectedTx, 'calls'> & { readonly built: BuiltTx; readonly market: Market },
  decoded: Draft,
): Promise<void> {
  requireShortMemo(decoded.memo)
  const { height, accountNumber, sequence } = built.accountState
  requireNotTimedOut(decoded.timeoutHeight, height)
  const left = Number(decoded.timeoutHeight) - height
  const expectedTx: ExpectedTx = {
    chainId: chain.chainId,
    calls,
    address: account.address,
    publicKey: account.publicKey ?? decoded.publicKey,
    // A later sequence is that of several transactions signed in advance.
    accountState: {
      height,
      accountNumber,
      sequence: decoded.sequence > sequence ? decoded.sequence : sequence,
    },
    memo: decoded.memo,
    deadlineBlocks: left > 0 ? Math.min(left, MOST_DEADLINE_BLOCKS) : MOST_DEADLINE_BLOCKS,
    maxGas: (built.gasUsed ?? 0n) * MAX_GAS_ADJUSTMENT,
    maxFee: [{ denom: chain.feeDenom, amount: mulCeil(decoded.gasLimit, await chain.gasPrice()) }],
    isAmino: account.isAmino ?? false,
  }
  if (chain.isGasPriceOfNode) await requireSmallFee(market, decoded.fee)
  const found = differences(expectedTx, decoded)
  if (found.length > 0)
    throw new SwapError('CONFIRMATION_REQUIRED', 'this transaction needs a confirmation', {
      why: found.join('; '),
      hint: 'nothing was signed; sign it at a terminal, or make a new one',
    })
}
