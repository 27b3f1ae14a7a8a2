import type { Market } from '../../../engine/market/market.js'
import type {
  ArbrouteAnswer,
  ArbrouteRequest,
} from '../../../operations/arbitrage/arbitrage-documents.js'
import { arbroute } from '../../../operations/arbitrage/arbroute.js'
import { capitalWords } from '../../arguments/swap-words.js'
import type { Run } from '../../command.js'
import { membersOf } from '../../flags/request-flags.js'
import { heldBySigner, printQuote } from '../../quotes/quote.js'
import type { RouteContext } from '../../quotes/route/route-view.js'
import { type ReadRequest, readAmount, readerOf, splitGlued } from '../../quotes/route-request.js'
import { arbrouteCsv, loopHops } from '../arbs/loop.js'
import { renderArbroute } from './render.js'

/** Default number of sizes in the plot. */
const PICTURE = 60

/** Quotes the profit of a capital, stores the quote and prints it. */
export const runArbroute: Run = async (context, args, flags) => {
  const held = heldBySigner(context)
  const request = await arbrouteRequestOf(context, args, flags)
  const { curve, ...quoted } = await arbroute(context.app, { curve: PICTURE, ...request })
  // The points of the plot are neither part of the request nor stored.
  const answer: ArbrouteAnswer = request.curve === undefined ? quoted : { ...quoted, curve: curve! }
  const viewed = (view: RouteContext, { router }: Market) => ({
    ...view,
    dialect: router.dialect,
    picture: curve ?? [],
  })
  return printQuote(context, answer, answer.profit, {
    csv: (view, market) => arbrouteCsv(answer, viewed(view, market)),
    human: (view, market) => renderArbroute(answer, viewed(view, market), context.out.style),
    held,
  })
}

/** Turns the arguments into the request body of the service. */
const arbrouteRequestOf: ReadRequest<ArbrouteRequest> = async (context, args, flags) => {
  const reader = await readerOf(context)
  const words = args.flatMap((word) => splitGlued(word, reader.atomic))
  const { amount, token: name } = capitalWords(words)
  const token = reader.token(name, '/input/denom')
  const { values } = context.config
  const atomics = readAmount(reader, amount, token, '/input/amount')
  return {
    input: { denom: token.denom, amount: `${atomics}` },
    slippage_bps: values.slippage,
    max_hops: loopHops(values.maxHops),
    ...membersOf('arbroute', ['curve'], flags),
  }
}
