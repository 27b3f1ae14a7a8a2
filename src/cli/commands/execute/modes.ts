import { SwapError } from '../../../engine/errors.js'
import { type Owner, txOf } from '../../../execution/journal/intent.js'
import { startedBefore } from '../../../execution/lifecycle/idempotency.js'
import { type Report, reportOf } from '../../../execution/lifecycle/report.js'
import { recordChange, settleOpen } from '../../../execution/lifecycle/settle.js'
import type { Order } from '../../../execution/order.js'
import { intentOf, type Prepared, prepare } from '../../../execution/plan/prepare.js'
import type { Session } from '../../../execution/session.js'
import { sign } from '../../../execution/sign.js'
import { stringify } from '../../../operations/json.js'
import { formatUnits } from '../../../render/amount.js'
import type { Context } from '../../command.js'
import { confirmContext } from './confirm.js'
import type { ExecutionParts, SdkTx } from './dependencies.js'
import { type Allowance, renderConfirm } from './render-confirm.js'
import { allowanceOf } from './session.js'

/** Everything but confirming and signing: prints what would be signed. */
export async function dryRun(context: Context, session: Session, order: Order): Promise<void> {
  const { out, form, config } = context
  const prepared = await prepare(session, order)
  if (form.quiet > 1) return
  const intent = intentOf(session, order, prepared, '')
  const report: Report = { ...reportOf(intent), id: null }
  if (form.quiet === 1) return out.result(amountText(report.expected, prepared, form.atomic))
  const { gasUsed, decoded } = prepared.built
  const tx = {
    sign_doc_sha256: prepared.view.fingerprint,
    sequence: `${decoded.sequence}`,
    account_number: `${decoded.accountNumber}`,
    timeout_height: Number(decoded.timeoutHeight),
    gas_used: gasUsed === undefined ? null : `${gasUsed}`,
    gas_limit: `${decoded.gasLimit}`,
    fee: decoded.fee.map(({ denom, amount }) => ({ denom, amount: `${amount}` })),
  }
  const { impactBps, worthMicroUsd } = prepared.view
  if (form.kind === 'json')
    return out.result(
      stringify({
        ...report,
        worth_usd: worthMicroUsd === undefined ? null : usd(worthMicroUsd),
        price_impact_bps: impactBps,
        limits: limitsDocument(
          allowanceOf(config, session, ownerOf(session, order), prepared.plan.market),
        ),
        tx,
      }),
    )
  const naming = await confirmContext(context, session, prepared.view)
  return out.result(
    [...renderConfirm(prepared.view, naming, out.style), '', 'A dry run: nothing was signed.'].join(
      '\n',
    ),
  )
}

/** What is expected, as `swap route -q` prints it. */
function amountText(
  { denom, amount }: Report['expected'],
  { plan }: Prepared,
  isAtomic: boolean,
): string {
  const decimals = plan.market.tokens.get(denom)?.decimals ?? 0
  return isAtomic ? amount : formatUnits(BigInt(amount), decimals)
}

const ownerOf = ({ chain }: Session, { account }: Order): Owner => ({
  chainId: chain.chainId,
  address: account.address,
})

/** Millionths of a dollar as dollars. */
const usd = (micro: bigint): string => formatUnits(micro, 6)

const limitsDocument = (allowance: Allowance | undefined): object => ({
  per_tx_usd: allowance?.perTx === undefined ? null : usd(allowance.perTx),
  per_day_usd: allowance?.perDay === undefined ? null : usd(allowance.perDay),
  left_today_usd: allowance?.leftToday === undefined ? null : usd(allowance.leftToday),
})

/** The unsigned transaction, as the SDK's own tools read it. */
export async function generateOnly(
  { out, form }: Context,
  sdk: SdkTx,
  { built: { decoded } }: Prepared,
): Promise<void> {
  if (form.quiet > 1) return
  await out.result(stringify(sdk.unsigned(decoded)))
}

/** Prints the signed transaction for another program to send. The journal keeps it as open. */
export async function signOnly(
  { out, form }: Context,
  parts: ExecutionParts,
  session: Session,
  order: Order,
): Promise<void> {
  const owner = ownerOf(session, order)
  const lock = await session.lock(owner)
  try {
    await settleOpen(session, owner)
    const before = await startedBefore(session, order, owner)
    if (before !== undefined) throw executedBefore(before.report)
    const prepared = await prepare(session, order)
    await session.confirm(prepared.view)
    const batch = intentOf(session, order, prepared, parts.newId())
    const intent = { ...batch, mode: 'handed' } as const
    const entry = await sign(session, order, prepared, intent, prepared.built.legs)
    // From here on another program may send it.
    recordChange(session, entry, { state: 'sent', log: 'printed, not sent' })
    const { bytes } = txOf(entry)
    const tx = parts.sdk.decode(Buffer.from(bytes, 'base64'))
    if (form.quiet > 1) return
    await out.result(stringify(parts.sdk.signed(tx)))
  } finally {
    lock.release()
  }
}

const executedBefore = ({ id, txs }: Report): SwapError =>
  new SwapError('QUOTE_MISMATCH', 'this was executed before, so nothing was signed', {
    why: `${id ?? ''} did it: ${txs.at(-1)?.hash ?? ''}`,
    hint: 'quote again; or sign it once more if that is meant: --again',
    members: { id, tx_hash: txs.at(-1)?.hash ?? null },
  })
