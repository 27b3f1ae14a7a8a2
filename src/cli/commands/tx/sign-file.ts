import { PLACEHOLDER_KEY } from '../../../chain/tx/account.js'
import { decodeSignBytes, signBytesOf } from '../../../chain/tx/decode-sign-doc.js'
import { signedBytesOf } from '../../../chain/tx/draft.js'
import { readSdkTx, signedJson } from '../../../chain/tx/sdk-json.js'
import { type Draft, txHashOf } from '../../../chain/tx/unsigned-tx.js'
import { invalidRequest, SwapError } from '../../../engine/errors.js'
import { accountStateOf } from '../../../execution/plan/build.js'
import { expectedOrders } from '../../../execution/plan/compare.js'
import { requireEquivalent, requireUsual } from '../../../execution/plan/external-tx.js'
import { claimSigning } from '../../../execution/plan/limits.js'
import { prepareOrders } from '../../../execution/plan/prepare-orders.js'
import { prepareSwap } from '../../../execution/plan/prepare-swap.js'
import { requestedSwapOfCalls } from '../../../execution/plan/read-quote.js'
import type { DecodedOrder } from '../../../execution/plan/signing-view.js'
import type { Account } from '../../../execution/ports.js'
import { requestSignature } from '../../../execution/request-signature.js'
import { requireKey } from '../../../execution/task.js'
import { checkWritten } from '../../../operations/body/read-json.js'
import { fixedDraft } from '../../../operations/orders/order-preview.js'
import { systemClock } from '../../../platform/clock.js'
import { unreadableReason } from '../../../platform/file-stream.js'
import { printable } from '../../../platform/printable.js'
import { shellWord } from '../../../platform/shell-word.js'
import { confirmationWord } from '../../../render/names.js'
import type { Context, FlagValues } from '../../command.js'
import { accountOf } from '../../execution/account.js'
import {
  confirmationMissing,
  notConfirmed,
  requireConfirmedTo,
  requireSymbol,
} from '../../execution/confirm.js'
import { renderWhole } from '../../execution/confirm-fields.js'
import type { ExecutionParts } from '../../execution/dependencies.js'
import { type Invocation, sessionOf, type Tracking } from '../../execution/session.js'
import { isUnattended, termsOf } from '../../execution/terms.js'
import { flagRefused, valueName } from '../../flags/checked-flag.js'
import { maxCrossFlag } from '../../flags/command-flags.js'
import { fileText, notPrinted, parseJson, streamText } from '../../quotes/quote-store.js'
import { orderTask } from '../order/sign.js'
import { type DecodedMessages, messagesIn } from './messages.js'

/** The text of a file, or of standard input for `-`. */
export const textOf = (
  word: string,
  { surroundings }: Context,
  interrupt: AbortSignal,
): Promise<string> =>
  word === '-'
    ? streamText(surroundings.stdin, interrupt)
    : fileText(
        word,
        surroundings,
        ({ code }) =>
          invalidRequest(`the file ${word.slice(0, 120)} cannot be read`, '', {
            why: unreadableReason(code),
            hint: 'name a file that holds a transaction, or - for standard input',
          }),
        interrupt,
      )

/** The JSON of a transaction, which every reader has to read alike. @throws SwapError INVALID_REQUEST, INVALID_AMOUNT */
export function parseTx(text: string): unknown {
  const tx = parseJson(
    text,
    notPrinted('a transaction', 'swap execute --generate-only or swap tx sign'),
  )
  checkWritten(text, 'the transaction')
  return tx
}

/** Signs an unsigned transaction and prints it; works offline. The confirmation shows the decoded bytes. */
export async function signFile(call: Invocation, word: string): Promise<void> {
  const { context, parts, flags, asking, interrupt } = call
  const { out, form, config } = context
  const tx = readSdkTx(parseTx(await textOf(word, context, interrupt)))
  const messages = messagesIn(tx, config)
  const account = await accountOf(context, flags, asking)
  const unlock = requireKey(account)
  if (tx.sender !== account.address)
    throw invalidRequest('this transaction is of another account', '/body/messages/0/sender', {
      why: `it is sent by ${tx.sender.slice(0, 90)}, and the key is of ${account.address}`,
      hint: 'name the key of its sender: --from',
    })
  const draft: Draft = {
    ...tx,
    chainId: config.network.chainId,
    isAmino: account.isAmino ?? false,
    ...(await accountPartOf(parts, account, flags)),
  }
  const signDoc = signBytesOf(draft)
  const decoded = decodeSignBytes(signDoc, draft.publicKey)
  const check = () => checkGuards(call, { decoded, messages, account })
  const guarded = await confirm(call, { decoded, messages }, check)
  const signer = await unlock()
  try {
    const signed = await requestSignature(
      config.network.prefix,
      signer,
      { signDoc, decoded },
      interrupt,
    )
    const hash = txHashOf(signedBytesOf(signed))
    const owner = { chainId: decoded.chainId, address: account.address }
    const local_time = systemClock.time()
    const chain_time = guarded?.time ?? local_time
    const signing = { hash, id: '', chain_time, local_time }
    await claimSigning({ ...parts, interrupt }, owner, signing, guarded ?? { worth: undefined })
    if (form.quiet > 1) return
    await out.result(JSON.stringify(signedJson(signed)))
  } finally {
    signer.forget()
  }
}

/** Public key, account number and sequence: from flags, otherwise from the chain. */
async function accountPartOf(
  parts: ExecutionParts,
  { address, publicKey }: Account,
  flags: FlagValues,
): Promise<Pick<Draft, 'publicKey' | 'accountNumber' | 'sequence'>> {
  const number = digitsOf(flags, '--account-number')
  const sequence = digitsOf(flags, '--sequence')
  const isOffline = flags['offline'] === true
  const isNamed = number !== undefined && sequence !== undefined
  if (isNamed && (publicKey !== undefined || isOffline))
    return { publicKey: publicKey ?? PLACEHOLDER_KEY, accountNumber: number, sequence }
  if (isOffline)
    throw invalidRequest('without a node the numbers of the account are needed', '/sequence', {
      why: 'the signature covers them, and --offline queries no node',
      hint: 'add --account-number <n> --sequence <n>; swap execute ... --dry-run shows them, where there is a network',
    })
  const accountState = await accountStateOf(await parts.chain(), address)
  return {
    publicKey: publicKey ?? accountState.publicKey ?? PLACEHOLDER_KEY,
    accountNumber: number ?? accountState.accountNumber,
    sequence: sequence ?? accountState.sequence,
  }
}

function digitsOf(flags: FlagValues, flag: string): bigint | undefined {
  const text = flags[valueName(flag)]
  if (typeof text !== 'string') return undefined
  if (/^(0|[1-9]\d{0,18})$/.test(text)) return BigInt(text)
  throw flagRefused(text, flag, 'it is a whole number', '117')
}

type DecodedTx = { readonly decoded: Draft; readonly messages: DecodedMessages }

/**
 * Checks an external transaction against every guard of `swap execute`.
 *
 * @throws SwapError of the failed guard
 */
async function checkGuards(
  call: Tracking,
  { decoded, messages, account }: DecodedTx & { readonly account: Account },
) {
  const { context, parts, flags } = call
  if (flags['offline'] === true)
    throw new SwapError('CONFIRMATION_REQUIRED', 'without a network no guard can be held', {
      why: 'the market, the fee and the timeout height are not known',
      hint: 'sign it at a terminal, or with a network: without --offline',
    })
  const chain = await parts.chain()
  const session = await sessionOf(call)
  if (messages.kind === 'order') {
    requireOnePerPair(messages.orders)
    const maxCrossBps = maxCrossFlag.read(flags)
    const drafts = messages.orders.map(({ pair, entries, funds }) => ({
      ...fixedDraft(pair, entries, funds),
      maxCrossBps,
    }))
    const task = await orderTask(context, account, drafts, { ...flags, yes: true, signOnly: true })
    const prepared = await prepareOrders(session, task)
    const calls = expectedOrders(prepared.view.messages.map(({ planned }) => planned))
    await requireUsual(chain, account, { ...prepared, calls }, decoded)
    const worth = await prepared.txMicroUsd(decoded.fee)
    return { worth, limits: task.terms.limits, time: prepared.market.time }
  }
  const requested = requestedSwapOfCalls(decoded, await chain.market(), 'q_00000000')
  const given = { ...flags, to: flags['confirmTo'] }
  const terms = { ...(await termsOf(context, given, requested.legs[0])), unattended: true }
  const prepared = await prepareSwap(session, { requested, account, terms })
  await requireEquivalent(chain, account, prepared, decoded)
  const worth = await prepared.txMicroUsd(decoded.fee)
  return { worth, limits: terms.limits, time: prepared.market.time }
}

/** Each preview starts from the orders that rest now, ignoring earlier messages of the transaction. */
function requireOnePerPair(orders: readonly DecodedOrder[]): void {
  if (new Set(orders.map(({ pair }) => pair)).size === orders.length) return
  throw new SwapError('CONFIRMATION_REQUIRED', 'two messages of the transaction are to one pair', {
    why: 'what the second one does depends on the first, so no guard can be held',
    hint: 'make one message of both, or sign it at a terminal',
  })
}

/** The signature record's members of an unattended transaction. */
type GuardResult = Awaited<ReturnType<typeof checkGuards>>

/** The word to type for signing orders: offline their tokens are unknown. */
const ORDER_WORD = 'ORDER'

/**
 * Without a confirmation every guard must pass; at a terminal, failed guards are shown before the symbol is
 * typed.
 */
async function confirm(
  { context: { out, config }, flags, asking }: Invocation,
  { decoded, messages }: DecodedTx,
  check: () => Promise<GuardResult>,
): Promise<GuardResult | undefined> {
  const calls = messages.kind === 'swap' ? messages.calls : []
  const denom = calls[0]?.least.denom ?? ORDER_WORD
  const others = calls
    .flatMap(({ recipient }) => recipient ?? [])
    .filter((to) => to !== decoded.sender)
  for (const to of others) requireConfirmedTo(flags, to)
  const { tokens } = config.network
  const symbol = printable(confirmationWord(denom, { tokens, aliases: config.aliases }))
  const answer = flags['confirm']
  if (typeof answer === 'string' && answer !== denom) requireSymbol(answer, symbol)
  const terminal = isUnattended(flags) ? undefined : asking.terminal()
  // Offline the check names what is missing: no flag replaces the terminal.
  if (isUnattended(flags) || (terminal === undefined && flags['offline'] === true)) return check()
  if (terminal === undefined) {
    const guard = calls.length > 0 ? ' --slippage 0.5%' : ''
    const word = shellWord(symbol)
    throw confirmationMissing(`look at the file, then answer it: --confirm ${word}${guard}`)
  }
  const objection = await check().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof SwapError) return error
      throw error
    },
  )
  for (const line of renderWhole({ decoded }, out.noteStyle)) terminal.say(line)
  if (objection !== undefined)
    terminal.say(
      printable(`Warning: ${objection.message}${objection.why ? `: ${objection.why}` : ''}`),
    )
  let typed = ''
  while (typed === '') typed = (await terminal.line(`Sign this? Type ${symbol} to sign: `)).trim()
  if (typed.toUpperCase() === symbol.toUpperCase()) return undefined
  throw notConfirmed(typed, symbol)
}
