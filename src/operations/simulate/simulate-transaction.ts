import type { Market } from '../../engine/market/market.js'
import type { Coin } from '../../engine/market/token.js'
import { mulCeil } from '../../engine/math/decimal.js'
import type { ChainPort, TransactionTrial } from '../chain-port.js'
import type { QuotedLeg } from '../quote-document.js'
import { coinDocument } from '../route-document.js'
import type { TransactionDocument } from './simulate-documents.js'

/** Gas is asked for with a reserve: limit over use, in tenths. */
const RESERVE = 14n

/** What the router and a pair say when the output is below what the message demands. */
const BELOW = /Invalid return amount|InsufficientReturn/

/** Tries the messages of a quote as one transaction of this account. Nothing is signed or sent. */
export async function tryTransaction(
  chain: ChainPort,
  market: Market,
  legs: readonly QuotedLeg[],
  from: string,
): Promise<TransactionDocument> {
  const contract = market.router.address
  const [held, trial] = await Promise.all([
    chain.balances(from, market.height),
    chain.trial(
      from,
      legs.map(({ funds, message }) => ({ contract, message, funds: [funds] })),
    ),
  ])
  const gas = trial.kind === 'passed' ? (trial.gasUsed * RESERVE + 9n) / 10n : undefined
  const fee =
    gas === undefined
      ? undefined
      : { denom: chain.feeDenom, amount: mulCeil(gas, await chain.gasPrice()) }
  const spent = requiredBalances(legs, from, fee)
  const amountOf = (denom: string) => held.find((coin) => coin.denom === denom)?.amount ?? 0n
  const short = spent.filter(({ denom, amount }) => amountOf(denom) < amount)
  const { min_return: least } = legs[0]!.message.swap
  const demanded = legs.reduce((sum, leg) => sum + BigInt(leg.message.swap.min_return.amount), 0n)
  const received = receivedOf(trial, legs, from)
  return {
    from,
    succeeds: trial.kind === 'passed' && short.length === 0,
    gas_used: trial.kind === 'passed' ? `${trial.gasUsed}` : null,
    gas_limit: gas === undefined ? null : `${gas}`,
    fee: fee ? coinDocument(fee) : null,
    balances: spent.map(({ denom }) => coinDocument({ denom, amount: amountOf(denom) })),
    short: short.map(({ denom, amount }) => ({
      denom,
      required: `${amount}`,
      available: `${amountOf(denom)}`,
    })),
    min_return: { denom: least.denom, amount: `${demanded}` },
    received:
      received === undefined ? null : coinDocument({ denom: least.denom, amount: received }),
    min_return_met: trial.kind === 'passed' ? true : BELOW.test(trial.why) ? false : null,
    error: trial.kind === 'failed' ? trial.why : null,
  }
}

/**
 * What the account has to hold for all messages and the fee, one coin for each denom in the order met.
 * The minimum return of a message is available to the next one: loops reuse one capital.
 */
function requiredBalances(
  legs: readonly QuotedLeg[],
  from: string,
  fee: Coin | undefined,
): readonly Coin[] {
  const [spent, needed] = [new Map<string, bigint>(), new Map<string, bigint>()]
  const spend = ({ denom, amount }: Coin): void => {
    const sum = (spent.get(denom) ?? 0n) + amount
    spent.set(denom, sum)
    if (sum > (needed.get(denom) ?? -1n)) needed.set(denom, sum)
  }
  // The fee is charged before the messages run, but listed after what they spend.
  if (fee !== undefined) spent.set(fee.denom, fee.amount)
  for (const { funds, message } of legs) {
    spend(funds)
    const { recipient = from, min_return: least } = message.swap
    if (recipient === from)
      spent.set(least.denom, (spent.get(least.denom) ?? 0n) - BigInt(least.amount))
  }
  if (fee !== undefined && !needed.has(fee.denom)) needed.set(fee.denom, fee.amount)
  return [...needed].map(([denom, amount]) => ({ denom, amount }))
}

/** What the payments bring the recipient in the denom that is bought. */
function receivedOf(
  trial: TransactionTrial,
  legs: readonly QuotedLeg[],
  from: string,
): bigint | undefined {
  if (trial.kind === 'failed') return undefined
  const { recipient = from, min_return: least } = legs[0]!.message.swap
  return trial.payments
    .filter(({ to, coin }) => to === recipient && coin.denom === least.denom)
    .reduce((sum, { coin }) => sum + coin.amount, 0n)
}
