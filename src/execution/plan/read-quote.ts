import type { Call, Unsigned } from '../../chain/tx/unsigned-tx.js'
import { invalidRequest, SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import { isOrderMessage } from '../../engine/orders/order-message.js'
import { SLIPPAGES } from '../../operations/defaults.js'
import {
  invalidQuote,
  type QuotedLeg,
  readQuote,
  requireSameNetwork,
} from '../../operations/quote-document.js'
import { isSlippage } from '../../operations/request-values.js'
import { stepsOf } from '../../operations/stages.js'
import type { RequestedLeg, RequestedSwap } from '../task.js'
import { quotedOutputOf, requireClaims } from './claims.js'

/**
 * The swap in the document of a quote, a split or an arbitrage. Its messages are only parsed; those to send are built
 * again.
 *
 * @throws SwapError INVALID_REQUEST, QUOTE_MISMATCH, or the problem in the document
 */
export function requestedSwapOf(
  document: unknown,
  market: Market,
  quoteId: string | null,
): RequestedSwap {
  const quote = readQuote(document)
  requireSameNetwork(quote, market)
  const { slippageBps, time } = guardsIn(document as Readonly<Record<string, unknown>>)
  const legs = quote.legs.map((leg) => legOf(leg, market))
  requireClaims(
    document,
    quote.legs.map((leg) => leg.document),
    legs,
  )
  return {
    quoteId,
    isExternal: quoteId !== null,
    time,
    legs,
    slippageBps,
    affiliate: only(quote.legs.map(({ message }) => message.swap.affiliate_code)),
    recipient: only(quote.legs.map(({ message }) => message.swap.recipient)),
  }
}

/**
 * The swap in the calls of an unsigned transaction, under the id of its document. It expires at its timeout height.
 *
 * @throws SwapError INVALID_REQUEST, QUOTE_MISMATCH
 */
export function requestedSwapOfCalls(
  { calls, timeoutHeight }: Pick<Unsigned, 'calls' | 'timeoutHeight'>,
  market: Market,
  id: string,
): RequestedSwap {
  const document = {
    network: market.network,
    chain_id: market.chainId,
    height: market.height,
    time: market.time,
    routes: [{ legs: calls.map((call) => callLeg(call, market)) }],
  }
  return { ...requestedSwapOf(document, market, id), time: undefined, timeoutHeight }
}

function callLeg({ contract, message, funds }: Call, market: Market): object {
  const [coin, ...more] = funds
  const tx: unknown = JSON.parse(message)
  if (isOrderMessage(tx))
    throw invalidRequest('the transaction is of orders, not of swaps', '', {
      why: 'execute takes quotes and swaps',
      hint: 'sign it, then send it: swap tx sign <file> >signed.json; swap tx broadcast signed.json',
    })
  if (contract !== market.router.address)
    throw mismatch('the transaction calls another contract than the router', {
      why: `${contract} is not ${market.router.address}`,
      contract,
    })
  if (coin === undefined || more.length > 0)
    throw mismatch('a call of the transaction does not send exactly one coin', {
      why: `it sends ${funds.length}`,
      contract,
    })
  return {
    tx,
    funds: { denom: coin.denom, amount: `${coin.amount}` },
  }
}

/** Tolerance and time of a document, which bound its execution. Without a time it would never expire. */
function guardsIn({ slippage_bps: slippage, time }: Readonly<Record<string, unknown>>): {
  readonly slippageBps: number | undefined
  readonly time: string
} {
  if (slippage !== undefined && !isSlippage(slippage))
    throw invalidQuote(`slippage_bps is not a whole number from ${SLIPPAGES.join(' to ')}`)
  if (typeof time !== 'string' || Number.isNaN(Date.parse(time)))
    throw invalidQuote('time is not a time')
  return { slippageBps: slippage, time }
}

function legOf({ funds, message, document }: QuotedLeg, market: Market): RequestedLeg {
  const { stages, min_return: least } = message.swap
  const steps = [...stepsOf(market, funds.denom, stages)]
  const output = steps.length === 0 ? funds.denom : steps.at(-1)!.paid
  if (output !== least.denom)
    throw mismatch('the stages of the quote do not lead to what it demands', {
      why: `they lead to ${output ?? 'nowhere'}, and min_return is in ${least.denom}`,
      contract: market.router.address,
    })
  for (const [i, { at, named }] of steps.entries())
    if (stages[at]!.denom !== named)
      throw mismatch('a stage of the quote names another denom than its pair trades', {
        why: `stage ${i + 1} names ${stages[at]!.denom.slice(0, 90)}, and its pair trades ${named}`,
        contract: market.router.address,
      })
  const pairs = steps.map(({ pair }) => pair.address)
  const quoted = quotedOutputOf(document)
  return { funds, pairs, output, quoted, least: BigInt(least.amount) }
}

/** The value that all legs share; `undefined` if none has one. @throws SwapError INVALID_REQUEST if they differ */
function only(values: readonly (string | undefined)[]): string | undefined {
  const [first, ...others] = new Set(values)
  if (others.length === 0) return first
  throw invalidRequest('the legs of the quote pay different accounts', '/routes/0/legs', {
    why: [first, ...others].map((each) => each ?? 'the signer').join(' and '),
    hint: 'quote again',
  })
}

const mismatch = (
  message: string,
  { why, contract }: { readonly why: string; readonly contract: string },
): SwapError =>
  new SwapError('QUOTE_MISMATCH', message, { why, hint: 'quote again', members: { contract } })
