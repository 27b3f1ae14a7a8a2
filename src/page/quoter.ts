import { SwapError } from '../engine/errors.js'
import { decodeSnapshot } from '../engine/snapshot/decode.js'
import { arbs } from '../operations/arbitrage/arbs.js'
import { type OperationContext, openOnce } from '../operations/context.js'
import { route } from '../operations/route/route.js'
import type { RouteAnswer } from '../operations/route/route-documents.js'
import type { SizeDocument } from '../operations/split/size-documents.js'
import { curve } from '../operations/split/sizes.js'
import { sroute } from '../operations/split/split.js'
import type { SplitAnswer } from '../operations/split/split-documents.js'
import { tokens } from '../operations/tokens/tokens.js'
import { type ComparedAnswer, headlineOf } from './agreement.js'
import { type Question, requestOf } from './question.js'
import { type PageToken, withLabels } from './tokens.js'

/** The market of one block in the page. */
export type PageMarket = {
  readonly context: OperationContext
  readonly network: string
  readonly height: number
  readonly tokens: readonly PageToken[]
  /** Pairs that are open, and pairs that are left out. */
  readonly open: number
  readonly excluded: number
}

/** Reads a snapshot document. @throws SwapError INVALID_SNAPSHOT */
export async function openMarket(text: string): Promise<PageMarket> {
  const market = decodeSnapshot(JSON.parse(text), 'the market of the service')
  const context = openOnce(async () => market)
  return {
    context,
    network: market.network,
    height: market.height,
    tokens: withLabels((await tokens(context)).tokens),
    open: market.books.size,
    excluded: market.excluded.length,
  }
}

/** Why there is no quote, for people. */
type Refusal = { readonly message: string; readonly why: string; readonly hint: string }

export type Quote =
  | { readonly kind: 'route'; readonly document: RouteAnswer }
  | { readonly kind: 'sroute'; readonly document: SplitAnswer }

/** A quote, or why there is none. */
type Answer = Quote | { readonly kind: 'refused'; readonly refusal: Refusal }

/** An answer of the engine, with the parts that are compared with the service's. */
export type EngineAnswer = { readonly answer: Answer; readonly side: ComparedAnswer }

/** Quotes from a market with the engine: the same operation that the service runs. */
export async function quote(
  { context, height }: PageMarket,
  question: Question,
): Promise<EngineAnswer> {
  const request = requestOf(question)
  try {
    const answer: Answer =
      question.mode === 'route'
        ? { kind: 'route', document: await route(context, request) }
        : { kind: 'sroute', document: await sroute(context, request) }
    const text = JSON.stringify(answer.document)
    return { answer, side: { height, text, ...headlineOf(answer.document) } }
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    const { code, message, why = '', httpHint = '' } = error
    const refusal = { message, why, hint: httpHint }
    const side = { height, text: code, expected: undefined, isExact: true }
    return { answer: { kind: 'refused', refusal }, side }
  }
}

/** Sizes of the picture of prices. */
const POINTS = 25
/** The smallest size is the amount divided by this. */
const SMALLER = 200n
/** The largest size is the amount times this. */
const LARGER = 20n

/** The results of sizes around the amount on the best single path, smallest first. */
export async function pricesBySize(
  { context }: PageMarket,
  { from, to, atomics }: Question,
): Promise<readonly SizeDocument[]> {
  const input = { denom: from, from: `${atomics / SMALLER || 1n}`, to: `${atomics * LARGER}` }
  const { points } = await curve(context, { input, output: { denom: to }, points: POINTS })
  return points
}

/** Loops that are profitable after all fees, the best first. */
export const profitableLoops = async ({ context }: PageMarket) =>
  (await arbs(context, {})).opportunities
