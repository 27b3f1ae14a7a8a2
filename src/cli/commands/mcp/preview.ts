import { randomBytes } from 'node:crypto'
import * as Type from 'typebox'
import { SwapError } from '../../../engine/errors.js'
import { formatMicroUsd } from '../../../engine/math/units.js'
import { execute } from '../../../execution/execute.js'
import type { PreparedSwap } from '../../../execution/plan/prepare-swap.js'
import type { PreparedTx } from '../../../execution/plan/prepared.js'
import type { OrderView, SigningView } from '../../../execution/plan/signing-view.js'
import type { Account } from '../../../execution/ports.js'
import type { Session } from '../../../execution/session.js'
import type { SwapTask, Task } from '../../../execution/task.js'
import { requestOf } from '../../../mcp/reading-tools.js'
import type { Call } from '../../../mcp/tool.js'
import type { OperationContext } from '../../../operations/context.js'
import { coinDocument } from '../../../operations/document-parts.js'
import * as Doc from '../../../operations/document-schema.js'
import { previewDocument } from '../../../operations/orders/order-preview.js'
import {
  OrderPreviewAnswer,
  OrderPreviewRequest,
} from '../../../operations/orders/order-preview-documents.js'
import { MessageDocument } from '../../../operations/route/route-documents.js'
import type { ExecutionParts } from '../../execution/dependencies.js'

const CallDocument = Doc.closedObject({
  contract: Doc.text('The router.'),
  funds: Doc.coin('Sold.'),
  min_return: Doc.coin('The call fails below this output.'),
  stages: MessageDocument.properties.swap.properties.stages,
  recipient: Doc.text('Address that is paid.'),
  affiliate: Doc.textOrNull('Code of the affiliate.'),
})

/** The answer of `swap_preview_execution`: the decoded bytes, and their expected effects. */
export const PreviewAnswer = Doc.closedObject({
  preview_id: Doc.text('What swap_execute takes.'),
  valid_seconds: Doc.count('Seconds within which it may be executed.'),
  quote_id: Doc.textOrNull('Id of the quote.'),
  network: Doc.text('Name of the network.'),
  chain_id: Doc.text('Chain id that is signed.'),
  height: Doc.count('Height of the market it was computed from.'),
  key: Doc.textOrNull('Name of the key.'),
  from: Doc.text('Address that signs.'),
  calls: Doc.listOf('Decoded, in order of execution.', CallDocument),
  expected: Doc.coin('Output by the books now.'),
  fee: Doc.coins('Fee of the transaction.'),
  gas_limit: Doc.text('Gas limit of the transaction.'),
  memo: Doc.text('Memo.'),
  sequence: Doc.text('Sequence of the account.'),
  account_number: Doc.text('Number of the account.'),
  timeout_height: Doc.count('The last block that may hold it.'),
  sign_doc_sha256: Doc.text('Hash of the bytes that are signed.'),
  slippage_bps: Doc.count('Tolerance that the minimums hold.'),
  price_impact_bps: Doc.numberOrNull('Null where unknown.'),
  worth_usd: Doc.textOrNull('Dollars that are sold; null where unknown.'),
})
export type PreviewDocument = Doc.DocumentOf<typeof PreviewAnswer>

export function swapPreviewDocument(
  id: string,
  { requested, account }: SwapTask,
  { view }: PreparedSwap,
): PreviewDocument {
  const { decoded, calls, worthMicroUsd } = view
  return {
    preview_id: id,
    valid_seconds: VALID_SECONDS,
    quote_id: requested.quoteId,
    network: view.network,
    chain_id: decoded.chainId,
    height: view.market.height,
    key: account.name,
    from: decoded.sender,
    calls: calls.map(({ contract, funds, least, stages, recipient, affiliate }) => ({
      contract,
      funds: coinDocument(funds),
      min_return: coinDocument(least),
      stages: stages.map(({ address, denom }) => ({ address, denom })),
      recipient: recipient ?? decoded.sender,
      affiliate: affiliate ?? null,
    })),
    expected: coinDocument({ denom: calls[0]!.least.denom, amount: view.expected }),
    fee: decoded.fee.map(coinDocument),
    gas_limit: `${decoded.gasLimit}`,
    memo: decoded.memo,
    sequence: `${decoded.sequence}`,
    account_number: `${decoded.accountNumber}`,
    timeout_height: Number(decoded.timeoutHeight),
    sign_doc_sha256: view.fingerprint,
    slippage_bps: view.tolerance.bps,
    price_impact_bps: view.impactBps,
    worth_usd: formatMicroUsd(worthMicroUsd),
  }
}

const { owner: _, funds: __, ...requestMembers } = OrderPreviewRequest.properties
const { valid_seconds, key, fee, gas_limit, sequence, timeout_height, sign_doc_sha256 } =
  PreviewAnswer.properties

/**
 * The request of `swap_order_preview` without owner and funds: the signer's, and the coins that the message
 * needs.
 */
export const OrdersPreviewRequest = Doc.closedObject(requestMembers)

/** The answer of `swap_preview_orders`: the effects of the message, and the bytes to be signed. */
export const OrdersPreviewAnswer = Doc.closedObject({
  preview_id: Doc.text('What swap_execute_orders takes.'),
  valid_seconds,
  key,
  ...OrderPreviewAnswer.properties,
  fee,
  gas_limit,
  sequence,
  timeout_height,
  sign_doc_sha256,
  worth_usd: Doc.textOrNull('Dollars that the message newly offers; null where unknown.'),
})
export type OrderPreviewDocument = Doc.DocumentOf<typeof OrdersPreviewAnswer>

export async function orderPreviewDocument(
  app: OperationContext,
  id: string,
  { name, address }: Account,
  { view }: PreparedTx<OrderView>,
): Promise<OrderPreviewDocument> {
  const { decoded, worthMicroUsd, messages, fingerprint } = view
  return {
    preview_id: id,
    valid_seconds: VALID_SECONDS,
    key: name,
    ...(await previewDocument(app, messages[0]!.planned, address)),
    fee: decoded.fee.map(coinDocument),
    gas_limit: `${decoded.gasLimit}`,
    sequence: `${decoded.sequence}`,
    timeout_height: Number(decoded.timeoutHeight),
    sign_doc_sha256: fingerprint,
    worth_usd: formatMicroUsd(worthMicroUsd),
  }
}

/** Most previews held; the oldest is dropped first. */
const HELD = 100

/** How long a preview can be executed, in seconds. */
export const VALID_SECONDS = 60

/** The request of the executing tools. */
export const ExecuteRequest = Doc.closedObject({
  preview_id: Type.String({
    pattern: '^p_[0-9a-f]{32}$',
    description: 'From the preview, within a minute.',
  }),
})

/** The previewed bytes: exactly these are signed. */
type Preview = {
  readonly kind: SigningView['kind']
  readonly task: Task
  readonly prepared: PreparedTx
  readonly madeAt: number
  /** Set by the first execution; later calls get its result, unless another process held the lock. */
  result?: Promise<string> | undefined
}

type HeldPreviews = {
  /** @returns the id for its execution */
  hold(task: Task, prepared: PreparedTx): string
  /** Executes a preview of this kind at most once. @throws SwapError */
  execute(kind: Preview['kind'], input: unknown, call: Call): Promise<string>
  /** Waits for executions. */
  close(): Promise<void>
}

/**
 * The previews of this process. Only exactly previewed bytes are signed.
 *
 * @param now a monotonic clock, in milliseconds
 */
export function heldPreviews(
  parts: ExecutionParts,
  sessionFor: (call: Call, confirm: Session['confirm']) => Promise<Session>,
  now = () => performance.now(),
): HeldPreviews {
  const previews = new Map<string, Preview>()
  const running = new Set<Promise<string>>()

  const carryOut = async ({ task, prepared }: Preview, call: Call): Promise<string> => {
    const confirm = async (view: SigningView) => {
      if (view.fingerprint !== prepared.view.fingerprint) throw changedSince()
      const states = await (await parts.chain()).accountStates(task.account.address)
      if (states.some(({ sequence }) => sequence > view.decoded.sequence)) throw changedSince()
    }
    const session = await sessionFor(call, confirm)
    const { report, error } = await execute(session, task, parts.newId, prepared)
    if (error !== undefined) throw error
    return JSON.stringify(report)
  }

  return {
    hold(task, prepared) {
      const id = `p_${randomBytes(16).toString('hex')}`
      for (const old of [...previews.keys()].slice(0, Math.max(0, previews.size + 1 - HELD)))
        previews.delete(old)
      const { kind } = prepared.view
      previews.set(id, { kind, task, prepared, madeAt: now() })
      return id
    },
    async execute(kind, input, call) {
      const tool = kind === 'swap' ? 'swap_execute' : 'swap_execute_orders'
      const { preview_id: id } = requestOf(tool, ExecuteRequest, input)
      const found = previews.get(id)
      if (found === undefined || found.kind !== kind)
        throw new SwapError('NOT_FOUND', `there is no preview ${id} in this session`, {
          why: 'a preview belongs to the process that made it',
          hint: 'preview it; what was sent before: swap journal, swap tx resume',
          members: { id },
        })
      if (found.result === undefined) {
        if (now() - found.madeAt > VALID_SECONDS * 1_000)
          throw new SwapError('QUOTE_EXPIRED', 'the preview is too old, so nothing was signed', {
            why: `a preview may be executed for ${VALID_SECONDS} s`,
            hint: 'preview it again',
          })
        const result = carryOut(found, call)
        found.result = result
        running.add(result)
        void result
          .catch((error: unknown) => {
            if (isUntouched(error)) found.result = undefined
          })
          .finally(() => running.delete(result))
      }
      return found.result
    },
    async close() {
      await Promise.allSettled(running)
    },
  }
}

/** Whether another process held the lock before anything was signed. */
const isUntouched = (error: unknown): boolean =>
  error instanceof SwapError && error.code === 'BUSY' && error.members['id'] === undefined

export const changedSince = (): SwapError =>
  new SwapError('QUOTE_EXPIRED', 'the account or the market has changed since the preview', {
    why: 'only the previewed bytes are signed, and they are not valid any more',
    hint: 'preview it again',
  })
