import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Coin } from '../../engine/market/token.js'
import { formatCoin } from '../../operations/amount.js'
import type { OperationContext } from '../../operations/context.js'
import { legsOfRoute } from '../../operations/document-parts.js'
import type { CoinDocument } from '../../operations/document-schema.js'
import type { RouteAnswer, RouteDocument } from '../../operations/route/route-documents.js'
import type { SplitAnswer, SplitDocument } from '../../operations/split/split-documents.js'
import { unitOf } from '../../operations/worth.js'
import type { Style } from '../../render/style.js'
import type { Context, FlagValues } from '../command.js'
import { amountText, marketNaming } from '../print-answer.js'
import { keepQuote } from './quote-store.js'
import type { RouteContext } from './route/route-view.js'
import { splitGlued } from './route-request.js'

export type QuoteAnswer = RouteAnswer | SplitAnswer

/** How a kind of quote is requested and printed. */
export type QuoteKind<Request, Answer extends QuoteAnswer> = {
  readonly command: 'route' | 'sroute'
  request(context: Context, args: readonly string[], flags: FlagValues): Promise<Request>
  answer(app: OperationContext, request: Request): Promise<Answer>
  csv(answer: Answer, view: RouteContext): string
  /** Fields for a pipe, which need no tables. */
  plain(answer: Answer, view: RouteContext): string
  /** Loads what writes the text for people. */
  text(): Promise<(answer: Answer, view: RouteContext, style: Style) => string>
}

/** The CSV and the human-readable text of an answer, and how it is printed. */
type QuoteForms = {
  csv(view: RouteContext, market: Market): string
  human(view: RouteContext, market: Market): string | Promise<string>
  /** What the human-readable text warns about, for output of one value. */
  warnings?(view: RouteContext): Promise<readonly string[]>
  /** `--id` */
  readonly isIdOnly?: boolean
  /** What the signer holds as far as it is known. */
  readonly held?: ReturnType<typeof heldBySigner>
}

const isOnTerminal = ({ out, form }: Context): boolean =>
  out.stdout.isTTY === true && form.kind === 'human' && form.quiet === 0

/**
 * What the default signer holds, queried while the market is read from nodes; `undefined` in a pipe,
 * without such a signer, and where it fails.
 */
export async function heldBySigner(context: Context): Promise<readonly Coin[] | undefined> {
  const { besideMarket } = context
  if (!isOnTerminal(context) || besideMarket === undefined) return undefined
  try {
    return await besideMarket(async (chain) => {
      const { defaultSigner } = await import('../accounts/default-signer.js')
      const signer = await defaultSigner(context)
      return 'name' in signer ? chain.balances(await signer.address()) : undefined
    })
  } catch {
    return undefined
  }
}

/** An answer that can be executed: a path, a split, or arbitrage loops. */
type Executable = {
  readonly input: CoinDocument
  readonly routes?: readonly (RouteDocument | SplitDocument)[]
  readonly steps?: readonly unknown[]
}

/** Stores a quote and prints it in the requested form: `value` with `-q`, its id with `--id`. */
export async function printQuote(
  context: Context,
  answer: Executable,
  value: CoinDocument,
  { isIdOnly = false, held = Promise.resolve(undefined), ...texts }: QuoteForms,
): Promise<void> {
  const { app, out, form, config, surroundings } = context
  const kept = keepQuote(surroundings, answer)
  if (kept.id === undefined) out.note(kept.note)
  if (form.quiet > 1) return
  const { market } = await app.openMarket()
  const naming = marketNaming(market, config)
  if (isIdOnly || form.quiet === 1)
    for (const text of (await texts.warnings?.(naming)) ?? []) out.warning(text)
  if (isIdOnly && kept.id !== undefined) return out.result(kept.id)
  const isNamed = form.kind === 'human' && form.quiet === 0
  if (!isNamed && kept.id !== undefined) out.note(`quote ${kept.id}`)
  if (form.quiet === 1) return out.result(amountText(context, value, market.tokens))
  if (form.kind === 'json') return out.result(kept.document)
  const view = {
    ...naming,
    verbose: form.verbose,
    maxAgeMs: config.values.maxAge,
    ...(kept.id !== undefined && { quoteId: kept.id }),
  }
  if (!isOnTerminal(context)) return out.result(await texts[form.kind](view, market))
  const { closingLines } = await import('./quote-notes.js')
  const best = answer.routes?.[0]
  const [firstLeg] = legsOfRoute<Pick<RouteDocument, 'tx'>>(best)
  const quote = {
    // Execute refuses loops without a step.
    id: answer.steps?.length === 0 ? undefined : kept.id,
    input: answer.input,
    impactBps: best?.price_impact_bps ?? null,
    recipient: firstLeg?.tx.swap.recipient,
  }
  const closing = await closingLines(context, market, quote, held)
  const text = await texts[form.kind]({ ...view, closingLines: closing.length }, market)
  return out.result([text, ...closing].join('\n'))
}

/** The value that `-q` prints: the output, or the input of an exact-out quote. */
export const paidOrReceived = ({ input, output, routes }: QuoteAnswer): CoinDocument =>
  output.amount === undefined ? { denom: output.denom, amount: routes[0]!.expected_output } : input

/** A count of base units below this share of a unit suggests that whole units were meant. */
const LEAST_SHARE = 1000n

/**
 * Asks whether a whole number of units that is too large was meant as one of atomics.
 *
 * @param most the largest amount that passes, in atomics
 * @example 'did you mean --atomic 1500000000, which is 15 BTC?'
 */
export function atomicsMeant(
  market: Market,
  { denom, amount }: Coin,
  most: bigint,
): string | undefined {
  const unit = unitOf(market, denom)
  const typed = amount / unit
  const isLikely = unit > 1n && amount % unit === 0n && typed <= most && typed * LEAST_SHARE >= unit
  if (!isLikely) return undefined
  return `did you mean --atomic ${typed}, which is ${formatCoin(market, denom, typed)}?`
}

/** The coins of a request, one of them with an amount. */
export type Asked = { readonly input: AskedCoin; readonly output?: AskedCoin }

type AskedCoin = { readonly denom: string; readonly amount?: string | number }

/**
 * Quotes a request. The error of an amount that the books cannot fill asks whether atomics were meant, if the amount was
 * typed as a whole number of units.
 *
 * @param words the arguments as they were typed
 */
export async function quotedAsTyped<Request extends Asked, Answer>(
  { app, form }: Pick<Context, 'app' | 'form'>,
  words: readonly string[],
  request: Request,
  quote: (request: Request) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await quote(request)
  } catch (error) {
    if (!(error instanceof SwapError) || error.code !== 'INSUFFICIENT_LIQUIDITY') throw error
    const { input, output } = request
    const [coin, most] =
      input.amount === undefined
        ? [output, error.members['output_at_max']]
        : [input, error.members['max_input']]
    const isTyped = words.flatMap((word) => splitGlued(word, form.atomic)).some(isWhole)
    if (form.atomic || !isTyped || coin?.amount === undefined || typeof most !== 'string')
      throw error
    const { market } = await app.openMarket()
    const asked = { denom: coin.denom, amount: BigInt(coin.amount) }
    const suggestion = atomicsMeant(market, asked, BigInt(most))
    if (suggestion === undefined) throw error
    const cli = `${suggestion} otherwise ${error.hint}`
    throw error.with({ hint: { cli, http: error.httpHint } })
  }
}

const isWhole = (word: string): boolean => /^\d[\d_]*$/.test(word)
