import { randomBytes } from 'node:crypto'
import * as Type from 'typebox'
import { SwapError } from '../../../engine/errors.js'
import { execute } from '../../../execution/execute.js'
import type { Prepared } from '../../../execution/plan/prepared.js'
import type { SigningView } from '../../../execution/plan/signing-view.js'
import type { Session } from '../../../execution/session.js'
import type { Task } from '../../../execution/task.js'
import type { Call } from '../../../mcp/tool.js'
import { closedObject } from '../../../operations/document-schema.js'
import { stringify } from '../../../operations/json.js'
import { validate } from '../../../operations/validate.js'
import type { ExecutionParts } from '../../execution/dependencies.js'

/** How long a preview may be executed, in milliseconds. */
const VALID_MS = 60_000

/** Previews that are held; the oldest is dropped first. */
const HELD = 100

/** Seconds within which a preview may be executed. */
export const VALID_SECONDS = VALID_MS / 1_000

/** The request of the tools that execute. */
export const ExecuteRequest = closedObject({
  preview_id: Type.String({
    pattern: '^p_[0-9a-f]{32}$',
    description: 'From the preview, within a minute.',
  }),
})

/** What was previewed: these bytes are signed, or none. */
type Preview = {
  readonly kind: SigningView['kind']
  readonly task: Task
  readonly prepared: Prepared
  readonly madeAt: number
  /** Set by the first execution; later ones get its result. */
  result?: Promise<string>
}

export type HeldPreviews = {
  /** @returns the id that executes it */
  hold(task: Task, prepared: Prepared): string
  /** Executes a preview of this kind once. @throws SwapError */
  execute(kind: Preview['kind'], input: unknown, call: Call): Promise<string>
  /** Waits for executions. */
  close(): Promise<void>
}

/**
 * Previews of this process, of which only the very bytes are signed.
 *
 * @param now milliseconds of a clock that is never set back
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
    return stringify(report)
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
      const { preview_id: id } = validate(ExecuteRequest, input, {})
      const found = previews.get(id)
      if (found === undefined || found.kind !== kind) throw unknownPreview(id)
      if (found.result === undefined) {
        if (now() - found.madeAt > VALID_MS) throw expired()
        const result = carryOut(found, call)
        found.result = result
        running.add(result)
        const ended = () => void running.delete(result)
        result.then(ended, ended)
      }
      return found.result
    },
    async close() {
      await Promise.allSettled(running)
    },
  }
}

export const changedSince = (): SwapError =>
  new SwapError('QUOTE_EXPIRED', 'the account or the market has changed since the preview', {
    why: 'only the previewed bytes are signed, and they are not valid any more',
    hint: 'preview it again',
  })

const expired = (): SwapError =>
  new SwapError('QUOTE_EXPIRED', 'the preview is too old, so nothing was signed', {
    why: `a preview may be executed for ${VALID_SECONDS} s`,
    hint: 'preview it again',
  })

const unknownPreview = (id: string): SwapError =>
  new SwapError('NOT_FOUND', `there is no preview ${id} in this session`, {
    why: 'a preview belongs to the process that made it',
    hint: 'preview it; what was sent before: swap journal, swap tx resume',
    members: { id },
  })
