import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { requireOwnConfig } from '../../../config/trust.js'
import { SwapError } from '../../../engine/errors.js'
import { execute } from '../../../execution/execute.js'
import { ExecutionReport } from '../../../execution/lifecycle/report-schema.js'
import { type PreparedSwap, prepareSwap } from '../../../execution/plan/prepare-swap.js'
import type { SigningView } from '../../../execution/plan/signing-view.js'
import type { Session } from '../../../execution/session.js'
import type { SwapTask } from '../../../execution/task.js'
import type { Call, Tool } from '../../../mcp/tool.js'
import { closedObject } from '../../../operations/document-schema.js'
import { stringify } from '../../../operations/json.js'
import { validate } from '../../../operations/validate.js'
import { passwordPromptOf } from '../../accounts/passwords.js'
import type { Context, FlagValues } from '../../command.js'
import { accountOf, requireKey } from '../../execution/account.js'
import { sessionOf } from '../../execution/session.js'
import { termsOf } from '../../execution/terms.js'
import { readRequest } from '../execute/read-request.js'
import { audited } from './audit.js'
import type { FreshMarket } from './fresh-market.js'
import { PreviewAnswer, type PreviewDocument, previewDocument } from './preview.js'

/** How long a preview may be executed, in milliseconds. */
const VALID_MS = 60_000

/** Previews that are held; the oldest is dropped first. */
const HELD = 100

const PreviewRequest = closedObject({
  quote_id: Type.String({
    pattern: '^q_[0-9a-f]{8}$',
    description: 'A quote of swap_route, swap_split_route or swap_arbitrage_route.',
  }),
})
const ExecuteRequest = closedObject({
  preview_id: Type.String({
    pattern: '^p_[0-9a-f]{32}$',
    description: 'From swap_preview_execution, within a minute.',
  }),
})

/** What was previewed: these bytes are signed, or none. */
type Preview = {
  readonly task: SwapTask
  readonly prepared: PreparedSwap
  readonly madeAt: number
  /** Set by the first execution; later ones get its result. */
  result?: Promise<string>
}

export type ExecutionTools = {
  readonly tools: readonly Tool[]
  /** Waits for executions, and wipes the password. */
  close(): Promise<void>
}

/**
 * The tools that sign, without a person: a preview of a quote that was made here, and the execution of a preview. The key,
 * its password, the limits and the price guard come from the command line and the configuration, never from a call.
 *
 * @throws SwapError where the command line could sign nothing
 */
export async function executionTools(
  context: Context,
  market: FreshMarket,
  given: FlagValues,
): Promise<ExecutionTools> {
  requireOwnConfig(context.config.projectOverrides)
  if (given['passwordFile'] === '-') throw passwordOnInput()
  // The password is needed for each execution, as for each leg.
  const flags: FlagValues = { ...given, yes: true, input: false, mode: 'batch' }
  const parts = await context.execution()
  const asking = passwordPromptOf(context, flags)
  const account = await accountOf(context, { ...flags, mode: 'legs' }, asking)
  requireKey(account)
  const previews = new Map<string, Preview>()
  const running = new Set<Promise<string>>()

  const sessionFor = (call: Call, confirm: Session['confirm']) =>
    sessionOf(context, parts, flags, { interrupt: call.signal, confirm })

  const preview = (input: unknown, call: Call): Promise<PreviewDocument> =>
    market.use(async (app) => {
      const { quote_id: quote } = validate(PreviewRequest, input, {})
      const fresh = { ...context, app }
      await parts.chain()
      const requested = await readRequest(fresh, parts.sdk, [quote], flags)
      const terms = await termsOf(fresh, flags, requested.legs[0]?.output ?? '')
      const task = { requested, account, terms }
      const session = withProgress(await sessionFor(call, refuseAll), call)
      const prepared = await prepareSwap(session, task)
      const id = `p_${randomBytes(16).toString('hex')}`
      for (const old of [...previews.keys()].slice(0, previews.size + 1 - HELD))
        previews.delete(old)
      previews.set(id, { task, prepared, madeAt: performance.now() })
      return previewDocument(id, VALID_MS / 1_000, task, prepared)
    })

  const carryOut = async ({ task, prepared }: Preview, call: Call): Promise<string> => {
    const confirm = async (view: SigningView) => {
      if (view.fingerprint !== prepared.view.fingerprint) throw changedSince()
      const states = await (await parts.chain()).accountStates(account.address)
      if (states.some(({ sequence }) => sequence > view.decoded.sequence)) throw changedSince()
    }
    const session = withProgress(await sessionFor(call, confirm), call)
    const { report, error } = await execute(session, task, parts.newId, prepared)
    if (error !== undefined) throw error
    return stringify(report)
  }

  const executed = (input: unknown, call: Call): Promise<string> => {
    const { preview_id: id } = validate(ExecuteRequest, input, {})
    const found = previews.get(id)
    if (found === undefined) throw unknownPreview(id)
    if (found.result === undefined) {
      if (performance.now() - found.madeAt > VALID_MS) throw expired()
      const result = carryOut(found, call)
      found.result = result
      running.add(result)
      const ended = () => void running.delete(result)
      result.then(ended, ended)
    }
    return found.result
  }

  const audit = audited(context)
  return {
    tools: [
      {
        name: 'swap_preview_execution',
        description: 'What a quote would sign now, decoded from its bytes; signs nothing',
        effects: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: false,
          openWorldHint: true,
        },
        request: PreviewRequest,
        answer: PreviewAnswer,
        call: (input, call) =>
          audit('swap_preview_execution', input, async () => stringify(await preview(input, call))),
        summary: ({ preview_id: id, from, calls, valid_seconds: seconds }: PreviewDocument) =>
          `preview ${id}: ${calls.length} calls of the router from ${from}; nothing is signed yet, execute within ${seconds} s`,
      },
      {
        name: 'swap_execute',
        description: 'Sign and send what was previewed, wait, and report what it paid',
        effects: {
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: true,
          openWorldHint: true,
        },
        request: ExecuteRequest,
        answer: ExecutionReport,
        call: (input, call) => audit('swap_execute', input, async () => executed(input, call)),
        summary: ({ status, id, txs }: Report) =>
          `${status}: ${id}, ${txs.at(-1)?.hash ?? 'not sent'}`,
      },
    ],
    async close() {
      await Promise.allSettled(running)
      asking.close()
    },
  }
}

type Report = {
  readonly status: string
  readonly id: string | null
  readonly txs: readonly { readonly hash: string }[]
}

const withProgress = (session: Session, call: Call): Session => ({
  ...session,
  progress(step) {
    session.progress(step)
    call.progress(step.stage)
  },
})

const refuseAll = (): never => {
  throw changedSince()
}

const changedSince = (): SwapError =>
  new SwapError('QUOTE_EXPIRED', 'the account or the market has changed since the preview', {
    why: 'only the previewed bytes are signed, and they are not valid any more',
    hint: 'preview the quote again',
  })

const expired = (): SwapError =>
  new SwapError('QUOTE_EXPIRED', 'the preview is too old, so nothing was signed', {
    why: `a preview may be executed for ${VALID_MS / 1_000} s`,
    hint: 'preview the quote again',
  })

const unknownPreview = (id: string): SwapError =>
  new SwapError('NOT_FOUND', `there is no preview ${id} in this session`, {
    why: 'a preview belongs to the process that made it',
    hint: 'preview the quote; what was sent before: swap journal, swap tx resume',
    members: { id },
  })

const passwordOnInput = (): SwapError =>
  new SwapError('INVALID_REQUEST', 'the password cannot come from standard input here', {
    why: 'that carries the messages of the client',
    hint: 'name a file: --password-file ~/.swap-password',
    members: { errors: [{ pointer: '/password_file', detail: 'must not be -' }] },
  })
