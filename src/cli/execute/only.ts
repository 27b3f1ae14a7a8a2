import { note } from '../../app/execute/follow/drive.js'
import { settleOpen } from '../../app/execute/follow/open.js'
import { type Report, reportOf } from '../../app/execute/follow/report.js'
import type { Order } from '../../app/execute/plan/order.js'
import { intentOf, type Prepared, prepare } from '../../app/execute/plan/prepare.js'
import type { Session } from '../../app/execute/session.js'
import { sign } from '../../app/execute/sign.js'
import { stringify } from '../../app/json.js'
import { renderConfirm } from '../../render/execute/confirm.js'
import { pairsOf } from '../../render/names.js'
import type { Context } from '../command.js'
import type { ExecutionParts, SdkTx } from './parts.js'

/** Everything up to asking and signing: what would be signed, and that it would pass. */
export async function dryRun(context: Context, session: Session, order: Order): Promise<void> {
  const { out, form, config } = context
  const prepared = await prepare(session, order)
  if (form.quiet > 0) return
  const intent = intentOf(session, order, prepared, '')
  const report: Report = { ...reportOf(intent, 'dry_run', []), id: null, replayed: false }
  const { gasUsed, said } = prepared.built
  const tx = {
    sign_doc_sha256: prepared.view.fingerprint,
    sequence: `${said.sequence}`,
    account_number: `${said.accountNumber}`,
    timeout_height: Number(said.timeoutHeight),
    gas_used: gasUsed === undefined ? null : `${gasUsed}`,
    gas_limit: `${said.gasLimit}`,
    fee: said.fee.map(({ denom, amount }) => ({ denom, amount: `${amount}` })),
  }
  if (form.kind === 'json') return out.result(stringify({ ...report, tx }))
  const naming = {
    tokens: prepared.plan.market.tokens,
    pairs: pairsOf(prepared.plan.market),
    aliases: config.aliases,
  }
  return out.result(
    [
      ...renderConfirm(prepared.view, { ...naming, known: knownRouter(context) }, out.style),
      '',
      'A dry run: nothing was signed.',
    ].join('\n'),
  )
}

/** The unsigned transaction, as the SDK's own tools read it. */
export async function generateOnly(
  { out, form }: Context,
  sdk: SdkTx,
  { built: { said } }: Prepared,
): Promise<void> {
  if (form.quiet > 1) return
  await out.result(stringify(sdk.unsigned(said)))
}

/** The signed transaction, which somebody else sends. The journal knows that it may come. */
export async function signOnly(
  { out, form }: Context,
  parts: ExecutionParts,
  session: Session,
  order: Order,
): Promise<void> {
  const owner = { chainId: session.chain.chainId, address: order.account.address }
  const lock = await session.lock(owner)
  try {
    await settleOpen(session, owner)
    const prepared = await prepare(session, order)
    await session.confirm(prepared.view)
    const batch = intentOf(session, order, prepared, parts.newId())
    const intent = { ...batch, mode: 'handed' } as const
    const entry = await sign(session, order, prepared, intent, prepared.built.legs)
    // From here on it is out of our hands.
    note(session.journal, entry, {
      state: 'unknown',
      maybe_sent: true,
      log: 'handed out, not sent',
    })
    const { bytes } = entry.intent.txs[entry.at]!
    const tx = parts.sdk.decode(Buffer.from(bytes, 'base64'))
    if (form.quiet > 1) return
    await out.result(stringify(parts.sdk.signed(tx)))
  } finally {
    lock.release()
  }
}

/** Where the address of the router that is called comes from. */
export const knownRouter = ({ config }: Context): string =>
  config.values.routerAddress === undefined ? 'of the built-in list' : 'of your configuration'
