import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { invalidRequest, SwapError } from '../../../engine/errors.js'
import { counted } from '../../../engine/math/counted.js'
import { costOfGas } from '../../../engine/routing/rank-paths.js'
import type { Journal, Owner } from '../../../execution/journal/intent.js'
import { requireAddress, requireToken } from '../../../operations/names.js'
import {
  backtestPlan,
  bestDivision,
  compareDivisions,
  evenSlices,
} from '../../../operations/plan/backtest.js'
import {
  PLAN_FORMAT,
  type PlanAnswer,
  type PlanDocument,
} from '../../../operations/plan/plan-documents.js'
import { sroute } from '../../../operations/split/split.js'
import type { SplitRequest } from '../../../operations/split/split-documents.js'
import { formatUtc } from '../../../render/layout.js'
import { readTape, recordedBlocks } from '../../../tape/tape.js'
import { addressOrDefault, defaultSigner } from '../../accounts/default-signer.js'
import { callOf } from '../../arguments/swap-words.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { accountOf } from '../../execution/account.js'
import { signs, whileExecuting } from '../../execution/carry-out.js'
import type { Invocation } from '../../execution/session.js'
import { textOf } from '../../flags/checked-flag.js'
import { sliceIntervalFlag, slicesFlag } from '../../flags/command-flags.js'
import { executionFlags } from '../../flags/execution-flags.js'
import { missingArgument } from '../../invalid-request.js'
import { amountText, namingIn, printAnswer } from '../../print-answer.js'
import { splitRequestOf } from '../../quotes/route-request.js'
import { executeWords } from '../execute/run.js'
import { readPlan, writePlan } from './plan-file.js'
import { executionByOther, progressOf, requireOwnPlan, type SliceProgress } from './progress.js'
import { planCsv, renderPlan } from './render.js'

/** Usage of `swap plan twap`, for error hints. */
const CALL = 'swap plan twap 10 btc rune --slices 12 --every 5m'

/** Number of starting blocks of a backtest. */
const RUNS = 20

/** Writes a plan that divides an amount in time; without a number of slices, by the best number on a tape. */
export const twap: Run = async (context, args, flags) => {
  const { config, surroundings } = context
  const everyMs = sliceIntervalFlag.read(flags)
  const given = slicesFlag.read(flags)
  const tape = textOf(flags, 'recorded')
  const request = await splitRequestOf(context, args, {}, 'plan twap')
  const { input, output } = request
  if (everyMs === undefined || (given ?? tape) === undefined || output === undefined)
    throw missingArgument(everyMs === undefined ? '--every' : '--slices', CALL)
  if (input.amount === undefined)
    throw invalidRequest('a plan divides what is sold', '/output/amount', {
      why: 'the amount is of the token that is bought',
      hint: `name first what is sold: ${CALL}`,
    })
  const total = BigInt(input.amount)
  const { name: network, chainId: chain_id } = config.network
  const id = `p_${randomBytes(4).toString('hex')}`
  const start = Date.now()
  const planOf = (count: number): PlanDocument => ({
    format: PLAN_FORMAT,
    id,
    network,
    chain_id,
    input: { denom: input.denom, amount: `${total}` },
    output: output.denom,
    slices: evenSlices(total, requireSlices(total, count), { start, everyMs }),
  })
  const worth =
    tape === undefined ? undefined : await worthOn(tape, context, { given, everyMs, planOf })
  const plan = planOf(worth?.best ?? given!)
  const estimate = { ...(await quotedNow(context, plan, request)), ...worth?.estimate }
  const path = textOf(flags, 'file') ?? `plan-${id}.json`
  writePlan(resolve(surroundings.cwd, path), plan)
  const slices = progressOf(plan, start)
  return print(context, plan, flags, { path, address: null, slices, estimate })
}

function requireSlices(total: bigint, count: number): number {
  if (total >= BigInt(count)) return count
  throw new SwapError('AMOUNT_TOO_SMALL', `${total} atomics cannot be divided in ${count}`, {
    why: 'every slice sells at least one',
    hint: 'sell more, or in fewer slices',
  })
}

/** The results of the plan, or of each number of slices if none is given, on a tape. */
function worthOn(
  path: string,
  { out }: Context,
  { given, everyMs, planOf }: Division,
): Promise<{ readonly best: number; readonly estimate: Partial<Estimate> }> {
  const blocks = recordedBlocks(readTape(path, out.note))
  return out.whileWaiting(
    (seconds) =>
      `executing slices on ${counted(blocks.heights.length, 'recorded block')}: ${seconds} s`,
    async () => {
      if (given !== undefined) {
        const { gain } = await backtestPlan(blocks, planOf(given), RUNS)
        return { best: given, estimate: { recorded: gain } }
      }
      const divisions = await compareDivisions(blocks, planOf, { everyMs, most: RUNS })
      const { slices: best, gain } = bestDivision(divisions)
      return { best, estimate: { recorded: gain, divisions } }
    },
  )
}

type Estimate = NonNullable<PlanAnswer['estimate']>
type Division = {
  readonly given: number | undefined
  readonly everyMs: number
  planOf(count: number): PlanDocument
}

/**
 * Compares the whole amount now with the slices, if each finds the current books; quoted as they are executed, less gas.
 */
async function quotedNow(
  { app }: Context,
  { input, output, slices }: PlanDocument,
  request: SplitRequest,
): Promise<Pick<Estimate, 'at_once' | 'apart'>> {
  const { graph } = await app.openMarket()
  const paid = (amount: string) =>
    sroute(app, { ...request, input: { denom: input.denom, amount }, grid: false, limit: 1 }).then(
      ({ routes: [best] }) => {
        const net =
          BigInt(best!.expected_output) - costOfGas(graph, output, BigInt(best!.gas_estimate))
        return net > 0n ? net : 0n
      },
      (error: unknown) => {
        if (error instanceof SwapError && error.code === 'INSUFFICIENT_LIQUIDITY') return undefined
        throw error
      },
    )
  const atOnce = await paid(input.amount)
  const tooSmall = (error: unknown) => {
    // The least amount is that of a slice, and the plan may sell more already.
    throw error instanceof SwapError && error.code === 'AMOUNT_TOO_SMALL'
      ? error.with({ hint: `${error.hint} in each slice: sell more, or in fewer slices` })
      : error
  }
  // The first slices may sell an atomic more than the others.
  const [large, small] = [slices[0]!.amount, slices.at(-1)!.amount]
  const largest = await paid(large).catch(tooSmall)
  const smallest = small === large ? largest : await paid(small).catch(tooSmall)
  const count = BigInt(slices.filter(({ amount }) => amount === large).length)
  const apart =
    largest !== undefined && smallest !== undefined
      ? largest * count + smallest * (BigInt(slices.length) - count)
      : undefined
  return { at_once: atOnce?.toString() ?? null, apart: apart?.toString() ?? null }
}

/** Shows the slices of a plan and their executions by an account. */
export const show: Run = async (context, [file = ''], flags) => {
  const plan = await readPlan(file, context)
  const address = await addressOrDefault(context, flags['from'], {
    pointer: '/from',
    what: 'whose executions to show',
    call: `swap plan show ${file} --from <account>`,
  })
  // A mistyped address would look like one without executions.
  await requireAddress(address, context.config.network.prefix, '/from')
  const { journal } = await context.execution()
  return printProgress(context, plan, flags, { path: file, ...executed(plan, address, journal) })
}

/** The executions of a plan by an account. */
function executed(plan: PlanDocument, address: string, journal: Journal) {
  const owner: Owner = { chainId: plan.chain_id, address }
  const slices = progressOf(plan, Date.now(), (key) => journal.once(owner, key))
  return { owner, slices, journal }
}

type Progress = ReturnType<typeof executed> & { readonly path: string }

/** Prints the executions by an account. If another account executes the plan, a note and the next command name it. */
async function printProgress(
  context: Context,
  plan: PlanDocument,
  flags: FlagValues,
  { path, owner, slices, journal }: Progress,
): Promise<void> {
  const { address } = owner
  const other = executionByOther(plan, owner, journal)
  if (other === undefined) return print(context, plan, flags, { path, address, slices })
  context.out.note(
    `${other.address} executes this plan: ${callOf('plan show', path, '--from', other.from)}`,
  )
  return print(context, plan, { ...flags, from: other.from }, { path, address, slices })
}

/**
 * Executes the next due slice; shows the plan if there is none. The lock of the plan keeps other accounts from executing
 * the same slice meanwhile.
 */
export const run = (context: Context, [file = '']: readonly string[], flags: FlagValues) =>
  whileExecuting(context, flags, async (call) => {
    const { parts, interrupt } = call
    const plan = await readPlan(file, context, interrupt)
    if (!signs(flags)) return runNext(call, file, plan)
    const own = await parts.lockPlan(plan, executionFlags.lockWait.read(flags))
    const lock: typeof parts.lock = async (...wanted) => {
      const { isHeld, release } = await parts.lock(...wanted)
      return { isHeld: () => isHeld() && own.isHeld(), release }
    }
    try {
      await runNext({ ...call, parts: { ...parts, lock } }, file, plan)
    } finally {
      own.release()
    }
  })

async function runNext(call: Invocation, path: string, plan: PlanDocument): Promise<void> {
  const { context, flags, asking, parts } = call
  const { address } = await accountOf(context, flags, asking)
  const progress = executed(plan, address, parts.journal)
  const next = progress.slices.find(({ state }) => state !== 'done')
  if (next === undefined || next.state === 'waiting')
    return printProgress(context, plan, flags, { path, ...progress })
  requireOwnPlan(plan, progress.owner, parts.journal)
  const { input, output } = plan
  const { market } = await context.app.openMarket()
  // Other words would be parsed as symbols or aliases, and the atomics as whole tokens.
  requireToken(market, input.denom, '/input/denom')
  requireToken(market, output, '/output')
  const coin = { denom: input.denom, amount: next.amount }
  const amount = amountText(context, coin, market.tokens)
  const words = [amount, input.denom, output]
  if (context.form.quiet === 0) context.out.note(sliceText(progress.slices, next))
  return executeWords({ ...call, flags: { ...flags, once: next.key } }, words)
}

/** @example 'slice 1 of 12; the next is due 2026-11-30 19:39:26 UTC' */
function sliceText(slices: readonly SliceProgress[], slice: SliceProgress): string {
  const at = slices.indexOf(slice)
  const following = slices[at + 1]
  const then =
    following === undefined ? 'the last' : `the next is due ${formatUtc(following.due)} UTC`
  return `slice ${at + 1} of ${slices.length}; ${then}`
}

/** What is shown of a plan beside its document. */
type Printed = Pick<PlanAnswer, 'path' | 'address' | 'estimate'> & {
  readonly slices: readonly SliceProgress[]
}

async function print(
  context: Context,
  plan: PlanDocument,
  flags: FlagValues,
  { slices, ...rest }: Printed,
): Promise<void> {
  const received = slices.reduce((sum, each) => sum + BigInt(each.received ?? 0), 0n)
  const answer: PlanAnswer = {
    ...plan,
    ...rest,
    received: `${received}`,
    slices: slices.map(({ key: _, ...slice }) => slice),
  }
  const naming = await namingIn(context)
  const next = await nextCommand(context, rest.path, flags)
  return printAnswer(context, answer, {
    quiet: () => rest.path,
    csv: () => planCsv(answer, naming),
    human: () => renderPlan(answer, next, naming, context.out.style),
  })
}

/** @example 'swap plan run plan.json --from demo' */
async function nextCommand(context: Context, path: string, flags: FlagValues): Promise<string> {
  const signer = await defaultSigner(context)
  const from = textOf(flags, 'from') ?? ('name' in signer ? signer.name : 'KEY')
  return callOf('plan run', path, '--from', from)
}
