import { invalidRequest } from '../../../engine/errors.js'
import type { Market } from '../../../engine/market/market.js'
import { requestedSwapOf, requestedSwapOfCalls } from '../../../execution/plan/read-quote.js'
import type { RequestedSwap } from '../../../execution/task.js'
import { sroute } from '../../../operations/split/split.js'
import { swapWords } from '../../arguments/swap-words.js'
import type { Context, FlagValues } from '../../command.js'
import type { SdkTx } from '../../execution/dependencies.js'
import type { Tracking } from '../../execution/session.js'
import { missingArgument, refuseMore } from '../../invalid-request.js'
import { quotedAsTyped } from '../../quotes/atomics-meant.js'
import { keepQuote, quoteIdOf } from '../../quotes/quote-store.js'
import {
  isDocument,
  parseJson,
  quoteText,
  refuseQuoteFlags,
} from '../../quotes/read-quote-document.js'
import { splitGlued, splitRequestOf } from '../../quotes/route-request.js'

/** Usage, for error hints. */
const USAGE = 'swap execute <quote-id | file | - | amount in out>'

/** The commands that print the accepted documents, for error hints. */
const PRINTED = 'swap route --json or swap execute --generate-only'

/** A quote or an unsigned transaction as it was read, and the id of the quote; of a transaction it is not used. */
type ReadDocument = { readonly document: unknown; readonly id: string }

/** Checks the arguments before any I/O. @throws SwapError INVALID_REQUEST */
export function checkArguments({ form }: Context, args: readonly string[]): void {
  const [word, ...more] = args
  if (word === undefined) throw missingArgument('what to execute', USAGE)
  if (isDocument(word)) refuseMore('execute', more)
  else if (more.length > 0)
    swapWords(
      args.flatMap((each) => splitGlued(each, form.atomic)),
      'execute',
    )
}

/** Reads a stored quote by its id, or a document from a file or standard input. */
export async function readDocument(
  { context, flags, interrupt }: Pick<Tracking, 'context' | 'flags' | 'interrupt'>,
  word: string,
): Promise<ReadDocument> {
  refuseQuoteFlags(flags, ['slippage', 'minOut', 'maxImpact', 'affiliate', 'to'])
  const document = parseJson(await quoteText(word, context.surroundings, interrupt), PRINTED)
  const isId = word !== '-' && isDocument(word)
  // The same document in another JSON layout is the same quote.
  return { document, id: isId ? word : quoteIdOf(Object(document)) }
}

/** The swap of a document. */
export async function documentSwap(
  { context, parts: { sdk } }: Pick<Tracking, 'context' | 'parts'>,
  { document, id }: ReadDocument,
): Promise<RequestedSwap> {
  const { market } = await context.app.openMarket()
  return sdk.looksLike(document)
    ? fromTransaction(sdk, document, market)
    : requestedSwapOf(document, market, id)
}

/** Flags of the execution, which its quote ignores. */
const EXECUTION_TERMS = new Set(['recipient', 'to', 'minOut', 'maxImpact', 'slippage'])

/**
 * The swap of a new quote, which is stored like any other.
 *
 * @param typed the words of the command, where `args` have an amount in place of a share
 */
export async function newSwap(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
  typed: readonly string[] = args,
): Promise<RequestedSwap> {
  const ofQuote = Object.entries(flags).filter(([name]) => !EXECUTION_TERMS.has(name))
  const request = await splitRequestOf(context, args, Object.fromEntries(ofQuote), 'execute')
  const answer = await quotedAsTyped(context, typed, { ...request, limit: 1 }, (asked) =>
    sroute(context.app, asked),
  )
  const { id, document } = keepQuote(context.surroundings, answer)
  const { market } = await context.app.openMarket()
  // The tolerance of the flag or the configuration, and reported as such.
  const requested = requestedSwapOf(JSON.parse(document), market, id ?? null)
  return { ...requested, isExternal: false, slippageBps: undefined }
}

/** The swap of an unsigned transaction, under the id that `tx broadcast` gives it, whichever tool wrote the document. */
function fromTransaction(sdk: SdkTx, document: unknown, market: Market): RequestedSwap {
  const { signature, ...tx } = sdk.read(document)
  if (signature === undefined) return requestedSwapOfCalls(tx, market, quoteIdOf(sdk.unsigned(tx)))
  throw invalidRequest('this transaction is signed already', '/signatures', {
    why: 'an execution quotes and builds its own transaction before signing',
    hint: 'send it as it is: swap tx broadcast <file>',
  })
}
