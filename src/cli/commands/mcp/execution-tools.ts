import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import * as Type from 'typebox'
import { requireOwnConfig } from '../../../config/trust.js'
import { invalidRequest, reasonOf, SwapError } from '../../../engine/errors.js'
import { counted } from '../../../engine/math/counted.js'
import { Interrupted } from '../../../execution/interrupted.js'
import {
  ExecutionReport,
  OrderExecutionReport,
  type ReportHead,
} from '../../../execution/lifecycle/report-schema.js'
import { prepareOrders } from '../../../execution/plan/prepare-orders.js'
import { prepareSwap } from '../../../execution/plan/prepare-swap.js'
import type { Session } from '../../../execution/session.js'
import { requireKey } from '../../../execution/task.js'
import { requestOf } from '../../../mcp/reading-tools.js'
import { type Call, READING, type Tool } from '../../../mcp/tool.js'
import * as Doc from '../../../operations/document-schema.js'
import { draftOf, tickOf } from '../../../operations/orders/order-preview.js'
import { stateFolder } from '../../../platform/user-folders.js'
import { passwordPromptOf } from '../../accounts/passwords.js'
import type { Context, FlagValues } from '../../command.js'
import { accountOf } from '../../execution/account.js'
import { sessionOf } from '../../execution/session.js'
import { termsOf } from '../../execution/terms.js'
import { documentSwap, readDocument } from '../execute/run.js'
import { orderTask } from '../order/sign.js'
import {
  changedSince,
  ExecuteRequest,
  heldPreviews,
  type OrderPreviewDocument,
  OrdersPreviewAnswer,
  OrdersPreviewRequest,
  orderPreviewDocument,
  PreviewAnswer,
  type PreviewDocument,
  swapPreviewDocument,
  VALID_SECONDS,
} from './preview.js'
import type { FreshMarket } from './reading.js'

const FILE = 'mcp-audit.ndjson'

/**
 * Appends a line for each call of a signing tool to `mcp-audit.ndjson` in the state folder, before its answer
 * is sent. A failure to write does not fail the call, since the journal has the signed transactions.
 */
function auditLog({ surroundings, out }: Pick<Context, 'surroundings' | 'out'>) {
  const folder = stateFolder(surroundings)
  const write = (line: object): void => {
    if (folder === undefined) return
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      appendFileSync(join(folder, FILE), `${JSON.stringify(line)}\n`, { mode: 0o600 })
    } catch (error) {
      out.note(`the audit line cannot be written: ${reasonOf(error)}`)
    }
  }
  return async (tool: string, request: unknown, work: () => Promise<string>): Promise<string> => {
    const asked = JSON.stringify(request).slice(0, 200)
    const line = (outcome: object) =>
      write({ time: new Date().toISOString(), pid: process.pid, tool, request: asked, ...outcome })
    try {
      const text = await work()
      const { preview_id, sign_doc_sha256, id, status, txs } = JSON.parse(text)
      line({ preview_id, sign_doc_sha256, id, status, tx_hash: txs?.at(-1)?.hash })
      return text
    } catch (error) {
      line({ error: error instanceof SwapError ? error.code : 'INTERNAL' })
      throw error
    }
  }
}

const PreviewRequest = Doc.closedObject({
  quote_id: Type.String({
    pattern: '^q_[0-9a-f]{8}$',
    description: 'A quote of swap_route, swap_split_route or swap_arbitrage_route.',
  }),
})
/** What may be signed: swaps, order messages, or both. */
export type SigningScope = 'execute' | 'orders'

type ExecutionTools = {
  readonly tools: readonly Tool[]
  /** Waits for running executions, and wipes the password. */
  close(): Promise<void>
}

/**
 * The tools that sign without a confirmation: previews of stored quotes or of order messages, and the
 * execution of a preview. Key, password, limits and price guard come from the command line and the
 * configuration, never from a call.
 *
 * @param gone aborted when the client disconnects; nothing is signed afterwards
 * @throws SwapError if the command line does not allow to sign anything
 */
export async function executionTools(
  context: Context,
  market: FreshMarket,
  given: FlagValues,
  allowed: ReadonlySet<SigningScope>,
  gone: AbortSignal,
): Promise<ExecutionTools> {
  requireOwnConfig(context.config.projectOverrides)
  const { passwordFile, passwordFd } = given
  if (passwordFile === '-' || Number(passwordFd) === 0) {
    const pointer = passwordFile === '-' ? '/password_file' : '/password_fd'
    throw invalidRequest('the password cannot come from standard input here', pointer, {
      why: 'that carries the messages of the client',
      hint: 'name a file: --password-file ~/.swap-password',
    })
  }
  // Every execution needs the password; all legs are in one transaction.
  const flags: FlagValues = { ...given, yes: true, input: false, mode: 'batch' }
  const parts = await context.execution()
  const asking = passwordPromptOf(context, flags)
  const account = await accountOf(context, { ...flags, mode: 'legs' }, asking)
  requireKey(account)
  const sessionFor = async (call: Call, confirm: Session['confirm']) =>
    withProgress(await sessionOf({ context, parts, flags, interrupt: call.signal }, confirm), call)
  const previews = heldPreviews(parts, sessionFor)

  const previewSwap = (input: unknown, call: Call): Promise<PreviewDocument> =>
    market.use(async (app) => {
      const { quote_id: quote } = requestOf('swap_preview_execution', PreviewRequest, input)
      const fresh = { ...context, app }
      const reading = { context: fresh, parts, flags, interrupt: call.signal }
      const document = await readDocument(reading, quote)
      await parts.chain()
      const requested = await documentSwap(fresh, document)
      const terms = await termsOf(fresh, flags, requested.legs[0])
      const task = { requested, account, terms }
      const prepared = await prepareSwap(await sessionFor(call, refuseAll), task)
      return swapPreviewDocument(previews.hold(task, prepared), task, prepared)
    })

  const previewOrders = async (input: unknown, call: Call): Promise<OrderPreviewDocument> => {
    const request = requestOf('swap_preview_orders', OrdersPreviewRequest, input)
    await parts.chain()
    const draft = await market.use(async (app) => {
      const { market: opened } = await app.openMarket()
      const { slippage } = context.config.values
      const most = Math.min(request.max_cross_bps ?? slippage, slippage)
      return draftOf({ ...request, max_cross_bps: most }, tickOf(opened, request.pair))
    })
    const task = await orderTask(context, account, [draft], flags, market.use)
    const prepared = await prepareOrders(await sessionFor(call, refuseAll), task)
    const id = previews.hold(task, prepared)
    return market.use((app) => orderPreviewDocument(app, id, account, prepared))
  }

  const audit = auditLog(context)
  const preview = <T extends object>(
    make: (input: unknown, call: Call) => Promise<T>,
    tool: Omit<Tool, 'effects' | 'call' | 'summary'> & { summary(document: T): string },
  ): Tool => ({
    ...tool,
    effects: PREVIEWING,
    call: (input, call) =>
      audit(tool.name, input, async () => JSON.stringify(await make(input, call))),
  })
  const executing = (
    kind: 'swap' | 'order',
    tool: Pick<Tool, 'name' | 'description' | 'answer'>,
  ): Tool => ({
    ...tool,
    effects: EXECUTING,
    request: ExecuteRequest,
    call: (input, call) => {
      const signal = AbortSignal.any([call.signal, gone])
      return audit(tool.name, input, () =>
        previews.execute(kind, input, { ...call, signal }).catch(orCancelled),
      )
    },
    summary: ({ status, id, txs }: ReportHead) =>
      `${status}: ${id}, ${txs.at(-1)?.hash ?? 'not sent'}`,
  })
  const swaps = [
    preview(previewSwap, {
      name: 'swap_preview_execution',
      description: 'What a quote would sign now, decoded from its bytes; signs nothing',
      request: PreviewRequest,
      answer: PreviewAnswer,
      summary: ({ preview_id: id, from, calls }) =>
        `preview ${id}: ${counted(calls.length, 'call')} of the router from ${from}; ${UNTIL}`,
    }),
    executing('swap', {
      name: 'swap_execute',
      description: 'Sign and send what was previewed, wait, and report what it paid',
      answer: ExecutionReport,
    }),
  ]
  const orders = [
    preview((input, call) => previewOrders(input, call).catch(boundBySlippage), {
      name: 'swap_preview_orders',
      description: 'What an order message of the account would do and sign now; signs nothing',
      request: OrdersPreviewRequest,
      answer: OrdersPreviewAnswer,
      summary: ({ preview_id: id, entries, owner }) =>
        `preview ${id}: ${counted(entries.length, 'entry', 'entries')} of ${owner}; ${UNTIL}`,
    }),
    executing('order', {
      name: 'swap_execute_orders',
      description: 'Sign and send the orders that were previewed, wait, and report what they paid',
      answer: OrderExecutionReport,
    }),
  ]
  return {
    tools: [...(allowed.has('execute') ? swaps : []), ...(allowed.has('orders') ? orders : [])],
    async close() {
      await previews.close()
      asking.close()
    },
  }
}

const UNTIL = `the preview signs nothing; execute it within ${VALID_SECONDS} s`

const PREVIEWING = { ...READING, idempotentHint: false, openWorldHint: true }
const EXECUTING = { ...READING, readOnlyHint: false, destructiveHint: true, openWorldHint: true }

const withProgress = (session: Session, call: Call): Session => ({
  ...session,
  progress(step) {
    session.progress(step)
    call.progress(step.stage)
  },
})

/** @throws SwapError DECLINED in place of the interruption of an execution */
function orCancelled(error: unknown): never {
  if (!(error instanceof Interrupted)) throw error
  const left = error.signed === undefined ? 'nothing was signed' : 'what was signed was not sent'
  throw new SwapError('DECLINED', error.message, {
    why: `the call was cancelled, or the client ended its input; ${left}`,
    hint: 'preview it again',
  })
}

/** @throws SwapError with a hint for an agent, which cannot raise the limit of a price across the other side */
function boundBySlippage(error: unknown): never {
  if (!(error instanceof SwapError) || error.members['reason'] !== 'beyond_max_cross') throw error
  const hint = 'correct the price: max_cross_bps is at most the slippage of the command line'
  throw error.with({ hint })
}

const refuseAll = (): never => {
  throw changedSince()
}
