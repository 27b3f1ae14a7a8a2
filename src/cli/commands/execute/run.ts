import { isSdkTx, readSdkTx, unsignedJson } from '../../../chain/tx/sdk-json.js'
import { errorCode, invalidRequest, SwapError } from '../../../engine/errors.js'
import type { Market } from '../../../engine/market/market.js'
import type { Coin } from '../../../engine/market/token.js'
import type { Intent } from '../../../execution/journal/intent.js'
import { statusOf } from '../../../execution/lifecycle/report-head.js'
import { requestedSwapOf, requestedSwapOfCalls } from '../../../execution/plan/read-quote.js'
import { type RequestedSwap, requireKey, type SwapTerms } from '../../../execution/task.js'
import { chooseSlippage } from '../../../operations/slippage/choose-slippage.js'
import { payouts } from '../../../operations/slippage/replay-path.js'
import type { SlippageChoice } from '../../../operations/slippage/slippage-documents.js'
import { sroute } from '../../../operations/split/split.js'
import { withAddresses } from '../../accounts/resolve-address.js'
import { swapWords } from '../../arguments/swap-words.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { accountOf, accountOfIntent } from '../../execution/account.js'
import { isMaximum, withShare } from '../../execution/balance-share.js'
import {
  carryOut,
  resumeRest,
  signs,
  unlessExecuted,
  whileExecuting,
} from '../../execution/carry-out.js'
import { requireConfirmedTo } from '../../execution/confirm.js'
import type { Invocation, Tracking } from '../../execution/session.js'
import { documentText, requestText, termsOf } from '../../execution/terms.js'
import { missingArgument, refuseMore } from '../../invalid-request.js'
import { quotedAsTyped } from '../../quotes/quote.js'
import {
  isDocument,
  keepQuote,
  type QuoteDocument,
  quoteDocument,
  quoteIdOf,
  refuseQuoteFlags,
} from '../../quotes/quote-store.js'
import { splitGlued, splitRequestOf } from '../../quotes/route-request.js'

/** Executes a quote: everything from reading it to the report of what it paid. */
export const runExecute: Run = (context, args, given) =>
  whileExecuting(context, given, async (call) => {
    const flags = await withAddresses(context, given, 'to')
    const id = flags['resume']
    if (typeof id === 'string') {
      refuseMore('execute', args)
      return resumeLegs({ ...call, flags }, id)
    }
    if (flags['confirmTo'] !== undefined && flags['to'] === undefined)
      throw invalidRequest('--confirm-to goes with --to', '/to', {
        why: 'without --to the account that signs is paid',
        hint: 'add --to with the same address, or leave --confirm-to out',
      })
    return executeWords({ ...call, flags }, args)
  })

export async function executeWords(call: Invocation, args: readonly string[]): Promise<void> {
  const { context, parts, flags, asking } = call
  checkArguments(context, args)
  const document = args.length === 1 ? await readDocument(call, args[0]!) : undefined
  // The demo chain must be running before a quote is computed.
  await parts.chain()
  // A problem document is reported before any key is opened.
  const named = document && (await documentSwap(call.context, document))
  const account = await accountOf(context, flags, asking)
  if (signs(flags)) requireKey(account)
  const request = named ? documentText(named.legs, flags) : requestText('execute', args, flags)
  const quoted = named
    ? { requested: named }
    : await unlessExecuted({ call, account, request, isOrder: false }, () =>
        quoteShare(call, args, account.address),
      )
  if (quoted === undefined) return
  const { requested, ...share } = quoted
  const { terms, slippage } = await termsFor(context, requested, flags)
  const task = { requested, account, terms: { ...terms, request, ...share } }
  return carryOut(call, task, { slippage })
}

/** The swap of the arguments. How many fees `max` has to leave in `--mode legs` is known after a quote. */
async function quoteShare(
  call: Invocation,
  args: readonly string[],
  address: string,
  transactions = 1,
): Promise<{ readonly requested: RequestedSwap; readonly shareOf?: Coin }> {
  const { context, flags } = call
  const { words, ...share } = await withShare(context, args, address, flags, transactions)
  const requested = await newSwap(context, words, flags, args)
  const legs = flags['mode'] === 'legs' && isMaximum(args) ? requested.legs.length : 1
  return legs > transactions ? quoteShare(call, args, address, legs) : { requested, ...share }
}

/** The terms; with `--slippage auto`, what recorded blocks suggest for the legs, which a note explains. */
async function termsFor(
  context: Context,
  { legs }: RequestedSwap,
  flags: FlagValues,
): Promise<{ readonly terms: SwapTerms; readonly slippage?: SlippageChoice }> {
  const { app, config, out } = context
  const terms = await termsOf(context, flags, legs[0])
  if (flags['slippage'] !== 'auto') return { terms }
  const { chainId, height } = (await app.openMarket()).market
  const slippage = await chooseSlippage(await app.evidence?.(height), {
    legs: legs.map(({ funds, pairs }) => payouts({ pairs, input: funds })),
    chainId,
    height,
    configuredBps: config.values.slippage,
    thinnest: null,
  })
  out.note(`slippage ${slippage.reason}`)
  return { terms: { ...terms, slippage: { ...terms.slippage, flag: slippage.bps } }, slippage }
}

/** Executes the remaining legs of an interrupted execution, with its recipient and affiliate. */
async function resumeLegs(call: Invocation, id: string): Promise<void> {
  const { context, parts, flags, asking } = call
  const intent = parts.journal.find(id)
  if (intent === undefined || intent.chain_id !== context.config.network.chainId)
    throw new SwapError('NOT_FOUND', `nothing was executed under ${id.slice(0, 80)} here`, {
      why: `the journal has no such entry for ${context.config.network.name}`,
      hint: 'list them: swap journal',
      members: { id },
    })
  if (intent.orders !== undefined)
    throw invalidRequest(`${intent.id} is of orders, not of a swap`, '', {
      why: 'only legs of a swap are executed here',
      hint: `continue it: swap tx resume ${intent.id}`,
    })
  return resumeRest(call, intent, async (settled) => {
    const requested = remainingSwap(settled)
    const { terms } = await termsFor(context, requested, flags)
    const account = await accountOfIntent(context, settled, flags, asking)
    const { recipient: to, affiliate } = requested
    if (to !== undefined) requireConfirmedTo(flags, to)
    return { requested, account, terms: { ...terms, mode: 'legs', to, affiliate } }
  })
}

/** The legs of an intent as confirmed; executed ones are skipped by index. */
const remainingSwap = (intent: Intent): RequestedSwap => ({
  quoteId: intent.quote_id,
  isExternal: false,
  time: undefined,
  legs: intent.legs.map(({ funds, pairs, output, quoted, min_return }) => ({
    funds: { denom: funds.denom, amount: BigInt(funds.amount) },
    pairs,
    output,
    quoted: quoted === null ? undefined : BigInt(quoted),
    least: BigInt(min_return),
  })),
  slippageBps: intent.slippage_bps ?? undefined,
  affiliate: intent.affiliate ?? undefined,
  recipient: intent.recipient === intent.address ? undefined : intent.recipient,
})

const USAGE = 'swap execute <quote-id | file | - | amount in out>'

/** The commands that print the accepted documents, for error hints. */
const PRINTED = 'swap route --json or swap execute --generate-only'

/** Checks the arguments before any I/O. @throws SwapError INVALID_REQUEST */
function checkArguments({ form }: Context, args: readonly string[]): void {
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
  { context, parts, flags, interrupt }: Tracking,
  word: string,
): Promise<QuoteDocument> {
  refuseQuoteFlags(flags, ['slippage', 'minOut', 'maxImpact', 'affiliate', 'to'])
  try {
    return await quoteDocument(word, context.surroundings, PRINTED, interrupt)
  } catch (error) {
    if (errorCode(error) !== 'NOT_FOUND') throw error
    throw notKept(error, parts.journal.ofQuote(word))
  }
}

/** The error of a quote that is not kept, with what was signed for it last. */
function notKept(error: unknown, [last]: readonly Intent[]): unknown {
  const hash = last?.txs.at(-1)?.hash
  if (last === undefined || hash === undefined) return error
  const { id, quote_id } = last
  const state = statusOf(last)
  return new SwapError('NOT_FOUND', `${quote_id} is not kept any more, and was executed before`, {
    why: `its execution ${id} is ${state}; nothing was sent now`,
    hint: `see what it did: swap tx show ${hash}; to swap again quote again: swap route <amount> <in> <out>`,
    members: { id, state, tx_hash: hash },
  })
}

export async function documentSwap(
  context: Context,
  { document, id }: QuoteDocument,
): Promise<RequestedSwap> {
  const { market } = await context.app.openMarket()
  return isSdkTx(document)
    ? fromTransaction(document, market)
    : requestedSwapOf(document, market, id)
}

/** Flags of the execution, which its quote ignores. */
const EXECUTION_TERMS = new Set(['to', 'minOut', 'maxImpact', 'slippage'])

/**
 * The swap of a new quote, which is stored like any other.
 *
 * @param typed the words of the command, where `args` have an amount in place of a share
 */
async function newSwap(
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
  // The tolerance of the flag or the configuration, and reported as such. It does not expire while the call waits for
  // the account: its minimums hold.
  const requested = requestedSwapOf(JSON.parse(document), market, id ?? null)
  return { ...requested, isExternal: false, slippageBps: undefined, time: undefined }
}

/** The swap of an unsigned transaction, under the id that `tx broadcast` gives it, whichever tool wrote the document. */
function fromTransaction(document: unknown, market: Market): RequestedSwap {
  const { signature, ...tx } = readSdkTx(document)
  if (signature === undefined) return requestedSwapOfCalls(tx, market, quoteIdOf(unsignedJson(tx)))
  throw invalidRequest('this transaction is signed already', '/signatures', {
    why: 'an execution quotes and builds its own transaction before signing',
    hint: 'send it as it is: swap tx broadcast <file>',
  })
}
