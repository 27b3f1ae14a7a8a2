import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import { isRefusal } from '../../engine/market/refusal.js'
import { simulatePath } from '../../engine/market/router.js'
import type { Coin } from '../../engine/market/token.js'
import { mulCeil } from '../../engine/math/decimal.js'
import { amountIn } from '../../engine/orders/coin-sums.js'
import type { Stage } from '../../engine/routing/message.js'
import { formatCoin } from '../amount.js'
import {
  type ChainPort,
  type Contracts,
  HeightUnavailable,
  type TransactionTrial,
} from '../chain-port.js'
import { type OperationContext, requireChain } from '../context.js'
import { type Quote, type QuotedLeg, requireSameNetwork } from '../quote-document.js'
import { coinDocument, marketHead } from '../route-document.js'
import { allAgree, compare, simulationsOf } from '../simulations.js'
import type { SimulateAnswer, SimulatedLeg, TransactionDocument } from './simulate-documents.js'

/** What is asked beside the quote. */
export type SimulateTerms = {
  /** How far a leg may be off, in basis points; by default 0 where the quote is exact, else 5. */
  readonly toleranceBps?: number | undefined
  /** Whose transaction is tried as well. */
  readonly from?: string | undefined
  /** Asks as of the block of the context's market, whatever the quote's is. */
  readonly atOpenMarket?: boolean
}

/** Tolerance where a quote is an estimate, in basis points. */
const ESTIMATE_BPS = 5

/**
 * Asks the router what each message of a quote would pay, as of the quote's own block while the node
 * has it, else as of the newest; with `from`, tries the very transaction as well.
 */
export async function simulate(
  context: OperationContext,
  quote: Quote,
  terms: SimulateTerms,
): Promise<SimulateAnswer> {
  const chain = await requireChain(context, 'simulate')
  const market = await marketOf(context, chain, quote, terms)
  requireSameNetwork(quote, market)
  const isAtQuote = market.height === quote.height
  const legs = await simulateLegs(
    chain,
    market,
    quote.legs.map((leg) => legToSimulate(market, leg, isAtQuote)),
    terms.toleranceBps,
  )
  return {
    ...marketHead(market),
    at_quote: isAtQuote,
    output: { denom: quote.legs[0]!.message.swap.min_return.denom },
    legs,
    within: allAgree(legs.map(({ within }) => within)),
    ...(terms.from !== undefined && {
      transaction: await tryTransaction(chain, market, quote.legs, terms.from),
    }),
  }
}

/** Our number is the quote's, unless the market is another one by now or the quote does not say it. */
function legToSimulate(market: Market, leg: QuotedLeg, isAtQuote: boolean): LegToSimulate {
  const { funds: coin, message, simulated, exact } = leg
  const { stages } = message.swap
  if (isAtQuote && simulated !== undefined)
    return { coin, stages, ours: simulated ?? undefined, exact }
  const fresh = expectedResult(market, coin, stages)
  return { coin, stages, ours: fresh.ours, exact: simulated === undefined ? fresh.exact : exact }
}

async function marketOf(
  context: OperationContext,
  chain: ChainPort,
  { height }: Quote,
  { atOpenMarket = false }: SimulateTerms,
): Promise<Market> {
  const { market } = await context.openMarket()
  if (market.height === height || atOpenMarket) return market
  try {
    return await chain.market(height)
  } catch (error) {
    if (error instanceof HeightUnavailable) return market
    throw error
  }
}

/** One message of which our number is known, or that it should be refused. */
type LegToSimulate = {
  readonly coin: Coin
  readonly stages: readonly Stage[]
  readonly ours: bigint | undefined
  readonly exact: boolean
}

/** Asks the router about each leg as of the market's height, and sets its number beside ours. */
export async function simulateLegs(
  contracts: Contracts,
  market: Market,
  legs: readonly LegToSimulate[],
  toleranceBps: number | undefined,
): Promise<readonly SimulatedLeg[]> {
  const questions = legs.map(({ coin, stages }) => ({
    contract: market.router.address,
    coin,
    stages,
  }))
  const answers = await simulationsOf(contracts, market, questions)
  return legs.map(({ coin, stages, ours, exact }, i) => {
    const tolerance = toleranceBps ?? (exact ? 0 : ESTIMATE_BPS)
    const { agrees, ...comparison } = compare(ours, answers[i]!, tolerance)
    return {
      coin: coinDocument(coin),
      stages,
      ...comparison,
      tolerance_bps: tolerance,
      within: agrees,
    }
  })
}

/** What the router's `simulate` should answer for a message in this market, and whether that is certain. */
export function expectedResult(
  { router, books }: Market,
  coin: Coin,
  stages: readonly Stage[],
): Pick<LegToSimulate, 'ours' | 'exact'> {
  const addresses = stages.map(({ address }) => address)
  if (router.dialect === 'stack') addresses.reverse()
  const path = addresses.flatMap((address) => books.get(address) ?? [])
  const simulated = simulatePath(router, path, coin)
  if (!isRefusal(simulated)) return { ours: simulated.returned, exact: simulated.exact }
  return { ours: undefined, exact: path.every(({ state }) => state.exact) }
}

/** What is wrong with an answer, as the error that ends the command; `undefined` for nothing. */
export function errorOfSimulation(
  answer: SimulateAnswer,
  market: Pick<Market, 'tokens'>,
): SwapError | undefined {
  const { denom } = answer.output
  const words = (amount: string | null, of = denom) => formatCoin(market, of, BigInt(amount ?? 0))
  const off = answer.legs.filter(({ within }) => within === false)
  if (off.length > 0)
    return new SwapError('SIMULATION_MISMATCH', 'the contract does not agree with our model', {
      why: off
        .map(({ simulated_output: ours, returned, difference, refused }) =>
          difference === null
            ? `it ${returned === null ? `refuses (${refused})` : `gives ${words(returned)}`}, we say ${ours === null ? 'that it refuses' : words(ours)}`
            : `it gives ${words(returned)}, we say ${words(ours)}: ${words(difference.replace('-', ''))} ${difference.startsWith('-') ? 'less' : 'more'}`,
        )
        .join('; '),
      hint: 'quote again; if it stays, do not trade on these quotes and report it',
      members: { ...answer } as SwapError['members'],
    })
  const { transaction } = answer
  if (transaction === undefined || transaction.succeeds) return undefined
  const members = { ...answer } as SwapError['members']
  const [short] = transaction.short
  if (short !== undefined)
    return new SwapError('INSUFFICIENT_FUNDS', 'the account does not hold enough for this swap', {
      why: `it holds ${words(short.available, short.denom)}, and ${words(short.required, short.denom)} are needed`,
      hint: 'sell less, or fund the account',
      members: { ...members, ...short },
    })
  if (transaction.min_return_met === false)
    return new SwapError('SLIPPAGE_EXCEEDED', 'the swap would pay less than its min_return', {
      why: transaction.error ?? 'the router would refuse it',
      hint: 'quote again, or accept more slippage',
      members,
    })
  return new SwapError('TX_FAILED', 'the transaction would fail', {
    why: transaction.error ?? 'the node does not say why',
    hint: 'quote again; what the node said is in error',
    members,
  })
}

/** Gas is asked for with a reserve: limit over use, in tenths. */
const RESERVE = 14n

/** What the router and a pair say when the output is below what the message demands. */
const BELOW = /Invalid return amount|InsufficientReturn/

/** Tries the messages of a quote as one transaction of this account. Nothing is signed or sent. */
async function tryTransaction(
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
  const short = spent.filter(({ denom, amount }) => amountIn(held, denom) < amount)
  const { min_return: least } = legs[0]!.message.swap
  const demanded = legs.reduce((sum, leg) => sum + BigInt(leg.message.swap.min_return.amount), 0n)
  const received = receivedOf(trial, legs, from)
  return {
    from,
    succeeds: trial.kind === 'passed' && short.length === 0,
    gas_used: trial.kind === 'passed' ? `${trial.gasUsed}` : null,
    gas_limit: gas === undefined ? null : `${gas}`,
    fee: fee ? coinDocument(fee) : null,
    balances: spent.map(({ denom }) => coinDocument({ denom, amount: amountIn(held, denom) })),
    short: short.map(({ denom, amount }) => ({
      denom,
      required: `${amount}`,
      available: `${amountIn(held, denom)}`,
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
