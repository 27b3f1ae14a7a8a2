import { signBytesOf } from '../../../chain/tx/decode-sign-doc.js'
import { signedBytesOf } from '../../../chain/tx/draft.js'
import { readSdkTx, unsignedJson } from '../../../chain/tx/sdk-json.js'
import { type SignedTx, txHashOf } from '../../../chain/tx/unsigned-tx.js'
import { invalidRequest, SwapError } from '../../../engine/errors.js'
import { resume } from '../../../execution/execute.js'
import type { Intent } from '../../../execution/journal/intent.js'
import { accountStateOf } from '../../../execution/plan/build.js'
import { orderRecord, orderRecords } from '../../../execution/plan/prepare-orders.js'
import type { TaskRecords } from '../../../execution/plan/prepared.js'
import { signatureFits } from '../../../execution/request-signature.js'
import type { Session } from '../../../execution/session.js'
import { txRecord } from '../../../execution/sign.js'
import { MOST_DEADLINE_BLOCKS } from '../../../execution/task.js'
import { coinDocument } from '../../../operations/document-parts.js'
import { requireAddress } from '../../../operations/names.js'
import { systemClock } from '../../../platform/clock.js'
import { addressOf } from '../../../wallet/address.js'
import type { Run } from '../../command.js'
import { whileExecuting } from '../../execution/carry-out.js'
import { printResult } from '../../execution/print.js'
import { type Call, sessionOf, type Tracking, whileTracking } from '../../execution/session.js'
import { Interrupted } from '../../exit.js'
import { quoteIdOf } from '../../quotes/quote-store.js'
import { type DecodedMessages, messagesIn } from './messages.js'
import { hashOf, intentOnNetwork, printTx, statusOnChain, unknownHash } from './show.js'
import { parseTx, signFile, textOf } from './sign-file.js'

export const runWait: Run = (context, [word = ''], flags) =>
  whileTracking(context, flags, (call) => waitFor(call, word))
export const runBroadcast: Run = (context, [word = ''], flags) =>
  whileTracking(context, flags, (call) => broadcastBytes(call, word))
export const runSign: Run = (context, [word = ''], flags) =>
  whileExecuting(context, flags, (call) => signFile(call, word))

/** Waits for the final outcome of a transaction. One that was not signed here is only looked up. */
async function waitFor(call: Call, word: string): Promise<void> {
  const intent = intentOnNetwork(call.context, call.parts, word)
  if (intent === undefined) return waitForForeign(call, await sessionOf(call), hashOf(word))
  call.hold()
  return printResult(call, await resume(await sessionOf(call), intent))
}

/** Polls of a transaction that was not signed here. */
const MAX_POLLS = 60

/**
 * Waits until a transaction that was not signed here is certainly in a block.
 *
 * @throws SwapError TX_NOT_FOUND, or OUTCOME_UNKNOWN if the evidence is insufficient
 */
export async function waitForForeign(
  { context, interrupt }: Pick<Tracking, 'context' | 'interrupt'>,
  session: Pick<Session, 'chain' | 'clock' | 'pollIntervalMs' | 'waiting'>,
  hash: string,
): Promise<void> {
  const { chain, clock, pollIntervalMs, waiting } = session
  const until = clock.now() + (waiting.waitMs ?? Number.POSITIVE_INFINITY)
  let status: Awaited<ReturnType<typeof statusOnChain>>
  for (let polls = 1; ; polls += 1) {
    status = await statusOnChain(chain, hash)
    if (status?.state === 'included') return printTx(context, { status })
    if (polls === MAX_POLLS || clock.now() >= until || interrupt.aborted) break
    await clock.sleep(pollIntervalMs, interrupt)
  }
  if (interrupt.aborted) throw new Interrupted()
  if (status === undefined) throw unknownHash(hash)
  throw new SwapError('OUTCOME_UNKNOWN', 'the outcome of this transaction is not certain', {
    why: `${status.why}`,
    hint: `wait, then ask: swap tx wait ${hash}`,
    members: { tx_hash: hash },
  })
}

/** Broadcasts a signed transaction unchanged, and tracks it. Calling it again tracks the same one. */
async function broadcastBytes(call: Call, word: string): Promise<void> {
  const { context, parts, interrupt } = call
  const text = await textOf(word, context, interrupt)
  interrupt.throwIfAborted()
  call.hold()
  const tx = readSdkTx(parseTx(text))
  const { signature, publicKey, sequence } = tx
  if (signature === undefined || publicKey === undefined || sequence === undefined)
    throw invalidRequest('this transaction is not signed', '/signatures', {
      why: 'it has no signature',
      hint: 'sign it first: swap tx sign <file>',
    })
  const signed: SignedTx = { ...tx, signature, publicKey, sequence }
  const bytes = signedBytesOf(signed)
  const session = await sessionOf(call)
  const known = intentOnNetwork(context, parts, txHashOf(bytes))
  const intent = known ?? (await intentOf(call, signed, bytes))
  // A printed transaction is tracked by this program from now on.
  const tracked: Intent = intent.mode === 'handed' ? { ...intent, mode: 'bytes' } : intent
  return printResult(call, await resume(session, tracked))
}

/**
 * The first height that is searched for an external transaction. A timeout height of 0 means none; no transaction of this
 * program is valid for more blocks.
 */
const earliestOf = (height: number, timeout: number): number =>
  Math.max(0, (timeout === 0 ? height : Math.min(height, timeout)) - MOST_DEADLINE_BLOCKS)

/**
 * The intent of an externally signed transaction. Its quote is the unsigned document, as in `swap execute FILE`, which
 * then reports this transaction and executes the document no second time.
 */
async function intentOf(
  { context: { config }, parts }: Tracking,
  signed: SignedTx,
  bytes: Uint8Array,
): Promise<Intent> {
  await requireAddress(signed.sender, config.network.prefix, '/body/messages/0/sender')
  const chain = await parts.chain()
  const accountState = await accountStateOf(chain, signed.sender)
  const draft = { ...signed, chainId: chain.chainId, accountNumber: accountState.accountNumber }
  const messages = messagesIn(signed, config)
  const refuse = (why: string) =>
    invalidRequest('the signature does not fit this transaction', '/signatures/0', {
      why,
      hint: 'was it signed for another network or account? sign it again: swap tx sign',
    })
  const signs = addressOf(signed.publicKey, config.network.prefix)
  if (signs !== signed.sender)
    throw refuse(`its key is that of ${signs}, and ${signed.sender} has to sign`)
  if (!signatureFits(signed.publicKey, signBytesOf(draft), signed.signature))
    throw refuse(
      `it is not the key's over it, as account ${accountState.accountNumber} of ${chain.chainId}`,
    )
  const signedHeight = earliestOf(accountState.height, Number(signed.timeoutHeight))
  const place = { signedHeight, legs: [...signed.calls.keys()] }
  return {
    format: 'swap.intent/1',
    id: parts.newId(),
    network: config.network.name,
    chain_id: chain.chainId,
    address: signed.sender,
    key: null,
    once: null,
    unattended: false,
    mode: 'bytes',
    quote_id: messages.kind === 'order' ? null : quoteIdOf(unsignedJson(signed)),
    created: systemClock.time(),
    worth_micro_usd: null,
    ...recordsOf(messages, signed.sender),
    // It may be in a block already, if it was broadcast before.
    txs: [{ ...txRecord(draft, { bytes, ...place }), state: 'sent' }],
  }
}

/** Journal records of messages without a known quote or preview. */
function recordsOf(messages: DecodedMessages, sender: string): TaskRecords {
  if (messages.kind === 'order')
    return orderRecords(
      sender,
      messages.orders.map((order) => orderRecord(order)),
    )
  const { calls } = messages
  const { contract, recipient, affiliate } = calls[0]!
  return {
    contract,
    recipient: recipient ?? sender,
    affiliate: affiliate ?? null,
    slippage_bps: null,
    legs: calls.map(({ funds, least, stages }) => ({
      funds: coinDocument(funds),
      output: least.denom,
      expected: `${least.amount}`,
      min_return: `${least.amount}`,
      quoted: null,
      pairs: stages.map(({ address }) => address),
    })),
  }
}
