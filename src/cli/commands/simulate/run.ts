import { requireAddress } from '../../../operations/names.js'
import { type Quote, readQuote } from '../../../operations/quote-document.js'
import { route } from '../../../operations/route/route.js'
import {
  errorOfSimulation,
  type SimulateTerms,
  simulate,
} from '../../../operations/simulate/simulate.js'
import { withAddresses } from '../../accounts/resolve-address.js'
import type { FlagValues, Run } from '../../command.js'
import { heightOf } from '../../flags/quote-flags.js'
import { membersOf } from '../../flags/request-flags.js'
import { refuseMore } from '../../invalid-request.js'
import { amountText, marketNaming, printAnswer } from '../../print-answer.js'
import { quotedAsTyped } from '../../quotes/atomics-meant.js'
import { quoteIdOf } from '../../quotes/quote-store.js'
import {
  isDocument,
  parseJson,
  quoteText,
  refuseQuoteFlags,
} from '../../quotes/read-quote-document.js'
import { type ReadRequest, routeRequestOf } from '../../quotes/route-request.js'
import { renderSimulation } from './render.js'

type QuoteToSimulate = { readonly quote: Quote; readonly id: string | undefined }

/** Simulates a quote with the router, and prints the result beside the computed one. */
export const runSimulate: Run = async (context, args, given) => {
  const { app, out, form, config } = context
  const flags = await withAddresses(context, given, 'from')
  const { quote, id } = await quoteOf(context, args, flags)
  const terms = termsOf(flags)
  await requireAddress(terms.from, config.network.prefix, '/from')
  const answer = await simulate(app, quote, terms)
  const { market } = await app.openMarket()
  const fault = errorOfSimulation(answer, market)
  // The failure's document contains the whole answer, so that one document is printed.
  if (fault !== undefined && (form.kind === 'json' || form.quiet > 0)) throw fault
  await printAnswer(context, answer, {
    quiet() {
      const { denom } = answer.output
      const texts = answer.legs.map(({ returned: amount }) =>
        amountText(context, amount === null ? null : { denom, amount }, market.tokens),
      )
      return texts.join('\n')
    },
    async human() {
      const endpoints = (await app.chain?.())?.endpoints ?? []
      const view = { ...marketNaming(market, config), quoteId: id, node: endpoints[0] }
      return renderSimulation(answer, view, out.style)
    },
  })
  if (fault !== undefined) throw fault
}

const quoteOf: ReadRequest<QuoteToSimulate> = async (context, args, flags) => {
  const [word = '', ...more] = args
  // The arguments of a new quote are three words, or two if amount and token are joined.
  if (!isDocument(word) && more.length > 0) {
    const request = await routeRequestOf(context, args, flags, 'simulate')
    const answer = await quotedAsTyped(context, args, { ...request, limit: 1 }, (asked) =>
      route(context.app, asked),
    )
    return { quote: readQuote(answer), id: undefined }
  }
  refuseMore('simulate', more)
  refuseQuoteFlags(flags, ['from'])
  const text = await quoteText(word, context.surroundings)
  const document = parseJson(text, 'swap route --json')
  return {
    quote: readQuote(document),
    id: word !== '-' && isDocument(word) ? word : idOf(document),
  }
}

const idOf = (document: unknown): string | undefined =>
  typeof document === 'object' && document !== null ? quoteIdOf(document) : undefined

function termsOf(flags: FlagValues): SimulateTerms {
  const { from } = flags
  const { tolerance_bps: toleranceBps } = membersOf('simulate', ['tolerance_bps'], flags)
  return {
    ...(typeof from === 'string' && { from }),
    ...(toleranceBps !== undefined && { toleranceBps }),
    atOpenMarket: heightOf(flags) !== undefined,
  }
}
