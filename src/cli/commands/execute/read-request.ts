import type { Market } from '../../../engine/market/market.js'
import { requestedSwapOf, requestedSwapOfCalls } from '../../../execution/plan/read-quote.js'
import type { RequestedSwap } from '../../../execution/task.js'
import { sroute } from '../../../operations/split/split.js'
import { unreadableReason } from '../../../platform/file-stream.js'
import { swapWords } from '../../arguments/swap-words.js'
import type { Context } from '../../command.js'
import type { SdkTx } from '../../execution/dependencies.js'
import type { Tracking } from '../../execution/session.js'
import { invalidRequest, missingArgument, refuseMore } from '../../invalid-request.js'
import { keepQuote, quoteIdOf } from '../../quotes/quote-store.js'
import {
  fileText,
  isDocument,
  parseJson,
  quoteText,
  refuseQuoteFlags,
} from '../../quotes/read-quote-document.js'
import { type ReadRequest, splitGlued, splitRequestOf } from '../../quotes/route-request.js'

/** Usage, for error hints. */
export const USAGE = 'swap execute <quote-id | file | - | amount in out>'

/** The commands that print the accepted documents, for error hints. */
export const PRINTED = 'swap route --json or swap execute --generate-only'

/** The swap of the arguments: a stored quote, a document, a transaction, or a new quote. */
export async function readRequest(
  { context, parts: { sdk }, flags, interrupt }: Tracking,
  args: readonly string[],
): Promise<RequestedSwap> {
  const [word, ...more] = args
  if (word === undefined) throw missingArgument('what to execute', USAGE)
  const { market } = await context.app.openMarket()
  const isFile = more.length === 0 && !isDocument(word)
  if (!isFile && !isDocument(word)) return fromArguments(context, args, flags)
  refuseMore('execute', more)
  refuseQuoteFlags(flags, ['slippage', 'minOut', 'maxImpact', 'affiliate', 'to'])
  const text = isFile
    ? await textIn(word, context, interrupt)
    : await quoteText(word, context.surroundings, interrupt)
  const document = parseJson(text, PRINTED)
  if (sdk.looksLike(document)) return fromTransaction(sdk, document, market)
  // The same document in another JSON layout is the same quote.
  const id = isFile || word === '-' ? quoteIdOf(Object(document)) : word
  return requestedSwapOf(document, market, id)
}

/** Checks the order of `amount in out` before any I/O. @throws SwapError INVALID_REQUEST */
export function checkOrder({ form }: Context, args: readonly string[]): void {
  const [word, ...more] = args
  if (word === undefined || more.length === 0 || isDocument(word)) return
  swapWords(
    args.flatMap((each) => splitGlued(each, form.atomic)),
    'execute',
  )
}

/** Flags of the execution, which its quote ignores. */
const EXECUTION_TERMS = new Set(['recipient', 'to', 'minOut', 'maxImpact', 'slippage'])

/** A new quote, stored like any other. */
const fromArguments: ReadRequest<RequestedSwap> = async (context, args, flags) => {
  const ofQuote = Object.entries(flags).filter(([name]) => !EXECUTION_TERMS.has(name))
  const request = await splitRequestOf(context, args, Object.fromEntries(ofQuote), 'execute')
  const answer = await sroute(context.app, { ...request, limit: 1 })
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
    detail: 'must be empty',
  })
}

const textIn = (name: string, { surroundings }: Context, interrupt: AbortSignal): Promise<string> =>
  fileText(
    name,
    surroundings,
    ({ code }) =>
      invalidRequest(`there is no quote and no file "${name.slice(0, 80)}"`, '', {
        why:
          code === 'ENOENT'
            ? 'a quote id is q_ and eight hexadecimal digits; any other word is the name of a file'
            : unreadableReason(code),
        hint: `the call is ${USAGE}`,
        detail: 'is neither a quote nor a file',
      }),
    interrupt,
  )
