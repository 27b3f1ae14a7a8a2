import { SwapError } from '../../engine/errors.js'
import { gasWanted, tooMuchGasText } from '../../engine/market/gas.js'
import type { Market } from '../../engine/market/market.js'
import { isRefusal } from '../../engine/market/refusal.js'
import { simulatePath } from '../../engine/market/router.js'
import { addCoin, amountIn, type Coin, type CoinSums } from '../../engine/market/token.js'
import { mulCeil } from '../../engine/math/decimal.js'
import type { Stage } from '../../engine/routing/message.js'
import { formatCoin } from '../amount.js'
import {
  type ChainPort,
  type Contracts,
  HeightUnavailable,
  type TransactionTrial,
} from '../chain-port.js'
import { type OperationContext, requireChain } from '../context.js'
import { coinDocument, marketHead } from '../document-parts.js'
import { type Quote, type QuotedLeg, requireSameNetwork } from '../quote-document.js'
import { allAgree, compare, simulationsOf } from '../simulations.js'
import type { SimulateAnswer, SimulatedLeg, TransactionDocument } from './simulate-documents.js'

/** Options of a simulation. */
export type SimulateTerms = {
  /** Tolerance of a leg in basis points; by default 0 for an exact quote, else 5. */
  readonly toleranceBps?: number | undefined
  /** The account whose transaction is simulated as well. */
  readonly from?: string | undefined
  /** Simulates at the block of the context's market instead of the quote's. */
  readonly atOpenMarket?: boolean
}

/** Tolerance for estimated quotes, in basis points. */
const ESTIMATE_BPS = 5

/**
 * Simulates each message of a quote with the router, at the quote's own block if the node has it, else at the
 * newest; with `from`, also the complete transaction.
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

/** Our number is the quote's, unless the market has changed or the quote lacks it. */
function legToSimulate(market: Market, leg: QuotedLeg, isAtQuote: boolean): LegToSimulate {
  const { funds: coin, message, simulated, exact } = leg
  const { stages } = message.swap
  if (isAtQuote && simulated !== undefined)
    return { coin, stages, ours: simulated ?? undefined, exact }
  const fresh = expectedResult(market, coin, stages)
  return {
    coin,
    stages,
    ours: fresh.ours,
    exact: fresh.exact && (simulated === undefined || exact),
  }
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

/** A message with our expected output, or the expectation that it is refused. */
type LegToSimulate = {
  readonly coin: Coin
  readonly stages: readonly Stage[]
  readonly ours: bigint | undefined
  readonly exact: boolean
}

/** Simulates each leg at the market's height, and compares the result with ours. */
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

/** The expected `simulate` answer for a message in this market, and whether it is certain. */
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

/** The error of a mismatch, which ends the command; `undefined` if there is none. */
export function errorOfSimulation(
  answer: SimulateAnswer,
  market: Pick<Market, 'tokens'>,
): SwapError | undefined {
  const { denom } = answer.output
  const coinText = (amount: string, of = denom) => formatCoin(market, of, BigInt(amount))
  const off = answer.legs.filter(({ within }) => within === false)
  if (off.length > 0)
    return new SwapError('SIMULATION_MISMATCH', 'the contract does not agree with our model', {
      why: off.map((leg) => differenceText(leg, coinText)).join('; '),
      hint: 'quote again; if it stays, do not trade on these quotes and report it',
      members: { ...answer } as SwapError['members'],
    })
  const { transaction } = answer
  if (transaction === undefined || transaction.succeeds) return undefined
  const members = { ...answer } as SwapError['members']
  const [shortage] = transaction.short
  if (shortage !== undefined)
    return new SwapError('INSUFFICIENT_FUNDS', 'the account does not hold enough for this swap', {
      why: `it holds ${coinText(shortage.available, shortage.denom)}, and ${coinText(shortage.required, shortage.denom)} are needed`,
      hint: 'sell less, or fund the account',
      members: { ...members, ...shortage },
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

function differenceText(
  { simulated_output: computed, returned, difference, refused }: SimulatedLeg,
  coinText: (amount: string) => string,
): string {
  const theirs = returned === null ? `refuses (${refused})` : `gives ${coinText(returned)}`
  const ours = computed === null ? 'that it refuses' : coinText(computed)
  const both = `it ${theirs}, we say ${ours}`
  if (difference === null) return both
  const distance = coinText(difference.replace('-', ''))
  return `${both}: ${distance} ${difference.startsWith('-') ? 'less' : 'more'}`
}

/** Error texts of the router and of a pair for an output below the minimum. */
const BELOW_MINIMUM = /Invalid return amount|InsufficientReturn/

/** Simulates the messages of a quote as one transaction of this account. Nothing is signed or sent. */
async function tryTransaction(
  chain: ChainPort,
  market: Market,
  legs: readonly QuotedLeg[],
  from: string,
): Promise<TransactionDocument> {
  const contract = market.router.address
  const [balances, trial] = await Promise.all([
    chain.balances(from, market.height),
    chain.trial(
      from,
      legs.map(({ funds, message }) => ({ contract, message, funds: [funds] })),
    ),
  ])
  const used = trial.kind === 'passed' ? trial.gasUsed : undefined
  const gas = used === undefined ? undefined : gasWanted(market.gas, used)
  const fee =
    gas === undefined
      ? undefined
      : { denom: chain.feeDenom, amount: mulCeil(gas, await chain.gasPrice()) }
  const spent = requiredBalances(legs, from, fee)
  const shortages = spent.filter(({ denom, amount }) => amountIn(balances, denom) < amount)
  const { min_return: least } = legs[0]!.message.swap
  const demanded = legs.reduce((sum, leg) => sum + BigInt(leg.message.swap.min_return.amount), 0n)
  const received = receivedOf(trial, legs, from)
  return {
    from,
    succeeds: gas !== undefined && shortages.length === 0,
    gas_used: used === undefined ? null : `${used}`,
    gas_limit: gas === undefined ? null : `${gas}`,
    fee: fee ? coinDocument(fee) : null,
    balances: spent.map(({ denom }) => coinDocument({ denom, amount: amountIn(balances, denom) })),
    short: shortages.map(({ denom, amount }) => ({
      denom,
      required: `${amount}`,
      available: `${amountIn(balances, denom)}`,
    })),
    min_return: { denom: least.denom, amount: `${demanded}` },
    received:
      received === undefined ? null : coinDocument({ denom: least.denom, amount: received }),
    min_return_met: trial.kind === 'passed' ? true : BELOW_MINIMUM.test(trial.why) ? false : null,
    error:
      trial.kind === 'failed'
        ? trial.why
        : gas === undefined
          ? tooMuchGasText(market.gas, trial.gasUsed)
          : null,
  }
}

/**
 * The coins that the account needs for all messages and the fee, in order of first use. The minimum return of
 * a message is available to the next one: loops reuse one capital.
 */
function requiredBalances(
  legs: readonly QuotedLeg[],
  from: string,
  fee: Coin | undefined,
): readonly Coin[] {
  const [spent, needed]: [CoinSums, CoinSums] = [new Map(), new Map()]
  const spend = ({ denom, amount }: Coin): void => {
    addCoin(spent, denom, amount)
    const sum = spent.get(denom)!
    if (sum > (needed.get(denom) ?? -1n)) needed.set(denom, sum)
  }
  // The fee is charged before the messages run, but listed after what they spend.
  if (fee !== undefined) spent.set(fee.denom, fee.amount)
  for (const { funds, message } of legs) {
    spend(funds)
    const { recipient = from, min_return: least } = message.swap
    if (recipient === from) addCoin(spent, least.denom, -BigInt(least.amount))
  }
  if (fee !== undefined && !needed.has(fee.denom)) needed.set(fee.denom, fee.amount)
  return [...needed].map(([denom, amount]) => ({ denom, amount }))
}

/** The recipient's payments in the bought denom. */
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
