import {
  type ErrorCode,
  errorCodes,
  invalidRequest,
  type Json,
  SwapError,
} from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import type { Coin } from '../engine/market/token.js'
import { parseUint128 } from '../engine/math/decimal.js'
import type { RouterMessage, Stage } from '../engine/routing/message.js'
import { isObject } from '../platform/json-object.js'
import { shortened } from './amount.js'

/** One message of a quote, with the quote's numbers for it. */
export type QuotedLeg = {
  readonly funds: Coin
  readonly message: RouterMessage
  /** The router's `simulate` according to the quote; `null` if it would fail, `undefined` if unknown. */
  readonly simulated: bigint | null | undefined
  readonly exact: boolean
  /** The leg as the document has it. */
  readonly document: Readonly<Record<string, unknown>>
}

/** The messages of a quote's document: those of its best route, or of all of its steps. */
export type Quote = {
  readonly network: string
  readonly chainId: string
  readonly height: number
  readonly legs: readonly QuotedLeg[]
}

/**
 * Parses the untrusted document of a quote, a split or a loop. A problem document is thrown as its error.
 *
 * @throws SwapError INVALID_REQUEST, or the problem's
 */
export function readQuote(document: unknown): Quote {
  const quote = objectOf(document, 'the quote')
  if (typeof quote['code'] === 'string' && typeof quote['status'] === 'number')
    throw errorOfProblem(quote)
  const legs = quote['steps'] === undefined ? legsOfBest(quote) : executionsOf(quote)
  const { height } = quote
  if (typeof height !== 'number' || !Number.isSafeInteger(height) || height < 1)
    throw invalidQuote('height is not a block')
  return {
    network: textOf(quote['network'], 'network'),
    chainId: textOf(quote['chain_id'], 'chain_id'),
    height,
    legs: legs.map(readLeg),
  }
}

/** The best route's legs; a single path is one leg. */
function legsOfBest(quote: Readonly<Record<string, unknown>>): readonly unknown[] {
  const [best] = listOf(quote['routes'], 'routes').map((each) => objectOf(each, 'routes'))
  if (best === undefined) throw invalidQuote('routes is empty')
  const legs = best['legs'] === undefined ? [best] : listOf(best['legs'], 'legs')
  if (legs.length === 0) throw invalidQuote('legs is empty')
  return legs
}

/** Every execution of an arbitrage route, in order. */
function executionsOf(quote: Readonly<Record<string, unknown>>): readonly unknown[] {
  const executions = listOf(quote['steps'], 'steps').flatMap((step) =>
    listOf(objectOf(step, 'a step')['executions'], 'executions'),
  )
  if (executions.length === 0) throw invalidQuote('there is no step: nothing would be executed')
  return executions
}

/** Refuses a quote of another chain or with contracts other than the market's. */
export function requireSameNetwork(quote: Quote, market: Market): void {
  if (quote.chainId !== market.chainId || quote.network !== market.network)
    throw new SwapError('QUOTE_MISMATCH', 'the quote is of another network', {
      why: `it was made on ${quote.network} (${quote.chainId}); this is ${market.network} (${market.chainId})`,
      hint: { cli: `quote again, or say -n ${quote.network}`, http: 'quote again' },
      members: { quoted: quote.network, network: market.network },
    })
  for (const { message } of quote.legs) requirePairs(message.swap.stages, market)
}

/** Refuses stages over contracts that are not open pairs of the market. */
export function requirePairs(stages: readonly Stage[], market: Market): void {
  for (const { address } of stages)
    if (!market.books.has(address))
      throw new SwapError('QUOTE_MISMATCH', 'the quote uses a contract that is not an open pair', {
        why: `${shortened(address, 90)} is not a pair of ${market.network} at block ${market.height}`,
        hint: 'quote again',
        members: { pair: shortened(address, 90) },
      })
}

function readLeg(value: unknown): QuotedLeg {
  const leg = objectOf(value, 'a leg')
  const swap = objectOf(objectOf(leg['tx'], 'tx')['swap'], 'tx.swap')
  const recipient = optional(swap['recipient'], 'tx.swap.recipient')
  const code = optional(swap['affiliate_code'], 'tx.swap.affiliate_code')
  const least = coinOf(swap['min_return'], 'tx.swap.min_return')
  const { simulated_output: simulated } = leg
  return {
    funds: coinOf(leg['funds'], 'funds'),
    message: {
      swap: {
        stages: listOf(swap['stages'], 'tx.swap.stages').map(stageOf),
        min_return: { denom: least.denom, amount: `${least.amount}` },
        ...(recipient !== undefined && { recipient }),
        ...(code !== undefined && { affiliate_code: code }),
      },
    },
    simulated: simulated == null ? simulated : amountOf(simulated, 'simulated_output'),
    exact: leg['exact'] === true,
    document: leg,
  }
}

const stageOf = (value: unknown): Stage => {
  const stage = objectOf(value, 'a stage')
  return {
    address: textOf(stage['address'], 'stages.address'),
    denom: textOf(stage['denom'], 'stages.denom'),
  }
}

const coinOf = (value: unknown, name: string): Coin => {
  const coin = objectOf(value, name)
  return {
    denom: textOf(coin['denom'], `${name}.denom`),
    amount: amountOf(coin['amount'], `${name}.amount`),
  }
}

function amountOf(value: unknown, name: string): bigint {
  const amount = typeof value === 'string' ? parseUint128(value) : undefined
  if (amount === undefined) throw invalidQuote(`${name} is not an amount`)
  return amount
}

const optional = (value: unknown, name: string): string | undefined =>
  value === undefined ? undefined : textOf(value, name)

function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '' || value.length > 200)
    throw invalidQuote(`${name} is not a text`)
  return value
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidQuote(`${name} is not a list`)
  return value
}

function objectOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw invalidQuote(`${name} is not an object`)
  return value
}

export const invalidQuote = (why: string): SwapError =>
  invalidRequest('this is not the document of a quote', '', {
    why,
    hint: {
      cli: 'give what swap route, sroute or arbroute --json prints, or the id of a kept quote',
      http: 'give the document of a quote',
    },
  })

/** Members of every problem document. */
const COMMON = new Set(['type', 'title', 'status', 'detail', 'code', 'retryable', 'hint'])

/** The error behind a problem document. */
function errorOfProblem(problem: Readonly<Record<string, unknown>>): SwapError {
  const code = errorCodes.find((errorCode) => errorCode === problem['code'])
  if (code === undefined) throw invalidQuote('it is a problem that this program does not know')
  const { detail, hint } = problem
  const members = Object.entries(problem).filter(([name]) => !COMMON.has(name))
  return new SwapError(code satisfies ErrorCode, typeof detail === 'string' ? detail : code, {
    ...(typeof hint === 'string' && { hint }),
    members: Object.fromEntries(members) as Readonly<Record<string, Json>>,
  })
}
