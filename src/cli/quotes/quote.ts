import type { Market } from '../../engine/market/market.js'
import type { CoinDocument } from '../../operations/route-document.js'
import { formatUnits } from '../../render/amount.js'
import type { Context } from '../command.js'
import { pairsOf } from '../market-pairs.js'
import { keepQuote } from './quote-store.js'
import type { RouteContext } from './route/route-view.js'

/** The CSV and the human-readable text of an answer. */
export type QuoteTexts = {
  csv(view: RouteContext, market: Market): string
  human(view: RouteContext, market: Market): string | Promise<string>
}

/** Stores a quote and prints it in the requested form: `value` with `-q`, its id with `--id`. */
export async function printQuote(
  { app, out, form, config, surroundings }: Context,
  answer: object,
  value: CoinDocument,
  texts: QuoteTexts,
  isIdOnly = false,
): Promise<void> {
  const kept = keepQuote(surroundings, answer)
  if (kept.id === undefined) out.note(kept.note)
  if (form.quiet > 1) return
  if (isIdOnly && kept.id !== undefined) return out.result(kept.id)
  const isNamed = form.kind === 'human' && form.quiet === 0
  if (!isNamed && kept.id !== undefined) out.note(`quote ${kept.id}`)
  const { market } = await app.openMarket()
  const { tokens } = market
  if (form.quiet === 1) {
    const { denom, amount } = value
    return out.result(
      form.atomic ? amount : formatUnits(BigInt(amount), tokens.get(denom)!.decimals),
    )
  }
  if (form.kind === 'json') return out.result(kept.document)
  const view = {
    tokens,
    pairs: pairsOf(market),
    aliases: config.aliases,
    human: form.human,
    ...(kept.id !== undefined && { quoteId: kept.id }),
  }
  return out.result(await texts[form.kind](view, market))
}

/** Whether a quote is printed as fields alone, which need no tables: in a pipe, without additions. */
export const isFields = (
  { out, form }: Context,
  { explain, verify }: { readonly explain?: unknown; readonly verify?: unknown },
): boolean => !out.style.tty && !form.human && explain === undefined && verify === undefined

/** The value that `-q` prints: the output, or the input of an exact-out quote. */
export const paidOrReceived = ({
  input,
  output,
  routes,
}: {
  readonly input: CoinDocument
  readonly output: { readonly denom: string; readonly amount?: string }
  readonly routes: readonly { readonly expected_output: string }[]
}): CoinDocument =>
  output.amount === undefined ? { denom: output.denom, amount: routes[0]!.expected_output } : input
