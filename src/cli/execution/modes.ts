import { decodeTx } from '../../chain/tx/decode-tx.js'
import { signedJson, unsignedJson } from '../../chain/tx/sdk-json.js'
import { SwapError } from '../../engine/errors.js'
import { formatMicroUsd } from '../../engine/math/units.js'
import { type Owner, txOf } from '../../execution/journal/intent.js'
import { prepareExcluding, startedBefore } from '../../execution/lifecycle/idempotency.js'
import { type Report, reportOf } from '../../execution/lifecycle/result.js'
import { recordChange, settleOpen } from '../../execution/lifecycle/settle.js'
import { prepare } from '../../execution/plan/prepare.js'
import { intentOf, type PreparedTx } from '../../execution/plan/prepared.js'
import { type Session, underLock } from '../../execution/session.js'
import { sign } from '../../execution/sign.js'
import type { Task } from '../../execution/task.js'
import { openOnce } from '../../operations/context.js'
import { coinDocument } from '../../operations/document-parts.js'
import { previewDocument } from '../../operations/orders/order-preview.js'
import type { OrderPreviewAnswer } from '../../operations/orders/order-preview-documents.js'
import type { SlippageChoice } from '../../operations/slippage/slippage-documents.js'
import { fields } from '../../render/layout.js'
import { type Names, namesOf } from '../../render/names.js'
import type { Context } from '../command.js'
import { amountText, coinText, marketNaming, type PipeMembers, pipeLines } from '../print-answer.js'
import { confirmContext, renderConfirm } from './confirm.js'
import type { Allowance } from './confirm-fields.js'
import { printDocument, printReport, reportText } from './print.js'
import { allowanceOf, type Invocation } from './session.js'

/** What a dry run prints beside its report, by the kind of the task. */
type DryRun = {
  readonly members: object
  /** The members as lines in a pipe. */
  readonly pipe: PipeMembers
  /** The value of `-q`. */
  quiet(): string
  /** Lines under the confirmation screen. */
  readonly lines: readonly string[]
}

/**
 * Does everything except confirming and signing, and prints what would be signed.
 *
 * @param chosen how the slippage was chosen
 */
export async function dryRun(
  { context, flags }: Invocation,
  session: Session,
  task: Task,
  chosen: { readonly slippage: SlippageChoice } | undefined,
): Promise<void> {
  const { out, form, config } = context
  // Nothing is signed beside an entry that cannot be read.
  session.journal.open(ownerOf(session, task))
  const prepared = await prepare(session, task)
  if (form.quiet > 1) return
  const { view, built, worthMicroUsd, market } = prepared
  const report: Report = { ...reportOf(intentOf(session, task, prepared, '')), id: null }
  const { members, pipe, quiet, lines } = await partsOf(context, prepared, report)
  if (form.quiet === 1) return out.result(quiet())
  const { gasUsed, decoded } = built
  const tx = {
    sign_doc_sha256: view.fingerprint,
    sequence: `${decoded.sequence}`,
    account_number: `${decoded.accountNumber}`,
    timeout_height: Number(decoded.timeoutHeight),
    gas_used: gasUsed === undefined ? null : `${gasUsed}`,
    gas_limit: `${decoded.gasLimit}`,
    fee: decoded.fee.map(coinDocument),
  }
  const worth_usd = formatMicroUsd(worthMicroUsd)
  const limits = limitsDocument(allowanceOf(config, session, ownerOf(session, task), market))
  const document = { ...report, worth_usd, ...members, ...chosen, limits, tx }
  if (form.kind === 'json') return printDocument(context, flags, document)
  if (form.kind === 'csv') return printReport(context, report)
  if (!out.style.tty) {
    const fee = tx.fee.map(coinText)
    const plain = { worth_usd, ...pipe, ...chosen, limits, tx: { ...tx, fee } }
    return out.result(`${await reportText(context, report)}\n${pipeLines(plain)}`)
  }
  const screen = renderConfirm(view, await confirmContext(context, session, view), out.style)
  return out.result([...screen, ...lines, '', 'A dry run: nothing was signed.'].join('\n'))
}

/** The price impact of a swap; previews of order messages, with the router's output for what they take at once. */
async function partsOf(
  { app, config, form, out }: Context,
  { view, market }: PreparedTx,
  report: Report,
): Promise<DryRun> {
  if (view.kind === 'swap') {
    const impact = { price_impact_bps: view.impactBps }
    const expected = 'legs' in report ? report.expected : null
    const quiet = () => amountText({ form }, expected, market.tokens)
    return { members: impact, pipe: impact, quiet, lines: [] }
  }
  const previewed = { ...app, ...openOnce(async () => market) }
  const previews = await Promise.all(
    view.messages.map(({ planned }) => previewDocument(previewed, planned, view.decoded.sender)),
  )
  const names = namesOf(marketNaming(market, config), out.style)
  return {
    members: { previews },
    pipe: { preview: previews.map(({ excluded: _, tx: __, ...preview }) => preview) },
    quiet: () => previews.flatMap(({ orders }) => orders.map(({ id }) => id)).join('\n'),
    lines: fields(
      out.style,
      previews.map(({ router }) => router !== null && ['Router', routerPieces(router, names)]),
    ),
  }
}

const routerPieces = (
  { input, output, received, exact }: NonNullable<OrderPreviewAnswer['router']>,
  names: Names,
): readonly string[] => [
  `${exact ? 'pays' : 'would pay about'} ${names.coin(output)} for the ${names.coin(input)} taken now`,
  `the order ${names.coin({ ...output, amount: received })}`,
]

const ownerOf = ({ chain }: Session, { account }: Task): Owner => ({
  chainId: chain.chainId,
  address: account.address,
})

const limitsDocument = (allowance: Allowance | undefined) => ({
  per_tx_usd: formatMicroUsd(allowance?.perTx),
  per_day_usd: formatMicroUsd(allowance?.perDay),
  left_today_usd: formatMicroUsd(allowance?.leftToday),
})

/** The unsigned transaction in the JSON of the SDK's tools. */
export async function generateOnly(
  { context: { out, form } }: Invocation,
  { built: { decoded } }: PreparedTx,
): Promise<void> {
  if (form.quiet > 1) return
  await out.result(JSON.stringify(unsignedJson(decoded)))
}

/** Prints the signed transaction for another program to broadcast. The journal records it as open. */
export async function signOnly(
  { context: { out, form }, parts }: Invocation,
  unlocked: Session,
  task: Task,
): Promise<void> {
  const owner = ownerOf(unlocked, task)
  await underLock(unlocked, owner, async (session) => {
    const { excluded } = await settleOpen(session, owner)
    const before = await startedBefore(session, task, owner)
    if (before !== undefined) throw executedBefore(before.report)
    const prepared = await prepareExcluding(session, task, excluded, {})
    await session.confirm(prepared.view)
    const batch = intentOf(session, task, prepared, parts.newId())
    const intent = { ...batch, mode: 'handed' } as const
    const entry = await sign(session, task, prepared, intent, prepared.indexes)
    // From here on another program may broadcast it.
    recordChange(session, entry, { state: 'sent', log: 'printed, not sent' })
    const { bytes } = txOf(entry)
    const tx = decodeTx(Buffer.from(bytes, 'base64'))
    if (form.quiet > 1) return
    await out.result(JSON.stringify(signedJson(tx)))
  })
}

const executedBefore = ({ id, txs }: Report): SwapError =>
  new SwapError('QUOTE_MISMATCH', 'this was executed before, so nothing was signed', {
    why: `${id ?? ''} did it: ${txs.at(-1)?.hash ?? ''}`,
    hint: 'quote again; or sign it once more if that is meant: --again',
    members: { id, tx_hash: txs.at(-1)?.hash ?? null },
  })
