import { invalidRequest, SwapError } from '../../../engine/errors.js'
import { PLAN_FORMAT, PlanDocument } from '../../../operations/plan/plan-documents.js'
import { validate } from '../../../operations/validate.js'
import { createFile, writingTo } from '../../../platform/atomic-file.js'
import { isOfCalendar } from '../../../platform/clock.js'
import { unreadableReason } from '../../../platform/file-stream.js'
import { quote } from '../../../render/width.js'
import type { Context, Surroundings } from '../../command.js'
import { fileText, parseOnce } from '../../quotes/quote-store.js'

/** Writes a plan to a new file. @throws SwapError INVALID_REQUEST if the file exists */
export function writePlan(path: string, plan: PlanDocument): void {
  const text = `${JSON.stringify(plan, null, 2)}\n`
  if (writingTo(path, () => createFile(path, text, { isDurable: true }))) return
  throw invalidRequest(`${quote(path)} exists already`, '/file', {
    why: 'a plan is never overwritten: its slices may have been executed',
    hint: 'name another file: --file other.json',
  })
}

/**
 * Reads the plan of a file.
 *
 * @throws SwapError INVALID_REQUEST for a file that is not a plan, or a plan for another network
 */
export async function readPlan(
  file: string,
  { surroundings, config: { network } }: Pick<Context, 'surroundings' | 'config'>,
  interrupt?: AbortSignal,
): Promise<PlanDocument> {
  const document = await readJson(file, surroundings, interrupt)
  const plan = validPlan(file, document)
  const sum = plan.slices.reduce((all, { amount }) => all + BigInt(amount), 0n)
  if (`${sum}` !== plan.input.amount)
    throw unusable(file, `its slices sell ${sum}, and its input is ${plan.input.amount}`)
  const undated = plan.slices.find(({ due }) => !isOfCalendar(due))
  if (undated !== undefined) throw unusable(file, `there is no time ${undated.due}`)
  if (plan.chain_id !== network.chainId)
    throw unusable(file, `it is for ${plan.chain_id}, and ${network.name} is ${network.chainId}`)
  return plan
}

function validPlan(file: string, document: unknown): PlanDocument {
  try {
    return validate(PlanDocument, document, {})
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    const { format, path } = Object(document)
    if (format === PLAN_FORMAT && typeof path === 'string')
      throw unusable(
        file,
        'it is an answer of swap plan, which wrote the plan to another file',
        `name the file of the plan: ${quote(path)}`,
      )
    throw unusable(file, error.why ?? error.message).with({ members: error.members })
  }
}

async function readJson(
  file: string,
  surroundings: Surroundings,
  interrupt?: AbortSignal,
): Promise<unknown> {
  const unreadable = ({ code }: NodeJS.ErrnoException) => unusable(file, unreadableReason(code))
  const text = await fileText(file, surroundings, unreadable, interrupt)
  return parseOnce(text, (why) => unusable(file, why))
}

const unusable = (
  file: string,
  why: string,
  hint = 'write one: swap plan twap 10 btc rune --slices 12 --every 5m',
): SwapError => invalidRequest(`${quote(file)} cannot be used as a plan`, '', { why, hint })
