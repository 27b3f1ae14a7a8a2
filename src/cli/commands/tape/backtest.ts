import { SwapError } from '../../../engine/errors.js'
import { backtest } from '../../../operations/tape/backtest.js'
import type { BacktestAnswer } from '../../../operations/tape/backtest-answer.js'
import { formatAmount, groupThousands } from '../../../render/amount.js'
import { field, joinSections, titleLines } from '../../../render/layout.js'
import { type Naming, namesOf } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { marketAt, marketsOf, readTape } from '../../../tape/tape.js'
import type { Context, FlagValues } from '../../command.js'
import { numberOf } from '../../flags/checked-flag.js'
import { pipeLines } from '../../pipe-lines.js'
import { marketNaming, printAnswer } from '../../print-answer.js'
import { readPlan } from '../plan/plan-file.js'
import { runsFlag } from './flags.js'

/** Executes a plan on a tape, begun on several of its blocks. */
export async function runBacktest(
  context: Context,
  [file = '', planFile = '']: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const { config, surroundings, out } = context
  const tape = readTape(file)
  const plan = readPlan(planFile, { cwd: surroundings.cwd, network: config.network })
  const last = marketAt(tape)
  const first = marketAt(tape, tape.frames[0]!.height)
  if (last.chainId !== plan.chain_id)
    throw unusable(`the tape is of ${last.chainId}, the plan for ${plan.chain_id}`)
  const lasts = Date.parse(plan.slices.at(-1)!.due) - Date.parse(plan.slices[0]!.due)
  const recorded = Date.parse(last.time) - Date.parse(first.time)
  if (lasts > recorded)
    throw unusable(`the plan takes ${lasts / 1_000} s, and ${recorded / 1_000} s are recorded`)
  // Blocks are taken to be evenly spaced here alone; a run that does not end is left out.
  const fitting = Math.max(1, Math.floor(tape.frames.length * (1 - lasts / recorded)))
  const count = Math.min(numberOf(runsFlag, flags), fitting)
  const starts = Array.from(
    { length: count },
    (_, i) => tape.frames[Math.floor((i * fitting) / count)]!.height,
  )
  const result = await out.whileWaiting(
    (seconds) => `executing ${plan.slices.length} slices from ${count} blocks on: ${seconds} s`,
    async () => backtest(marketsOf(tape), plan, new Set(starts)),
  )
  const { network, chain_id, input, output, slices } = plan
  const range = { first: first.height, last: last.height }
  const answer: BacktestAnswer = {
    ...{ network, chain_id, ...range, input, output, slices: slices.length },
    ...result,
  }
  const naming = marketNaming(last, config)
  return printAnswer(context, answer, {
    quiet: () => `${answer.gain?.median_bps ?? ''}`,
    human: () => renderBacktest(answer, naming, out.style),
  })
}

type TokenNaming = Naming & { readonly tokens: ReadonlyMap<string, { readonly decimals: number }> }

function renderBacktest(answer: BacktestAnswer, naming: TokenNaming, style: Style): string {
  if (!style.tty) return pipeLines(answer)
  const { network, last: height, input, output, slices, gain, runs } = answer
  const names = namesOf(naming, style)
  const amount = (atomics: string, denom: string) =>
    `${formatAmount(BigInt(atomics), naming.tokens.get(denom)?.decimals ?? 0, { group: true })} ${names.symbol(denom)}`
  const signed = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(2)} bps`
  const head = [
    ...titleLines(
      `${amount(input.amount, input.denom)} to ${names.symbol(output)} in ${slices} slices`,
      { network, height },
      style,
    ),
    ...field(
      'Gain',
      gain === null
        ? ['no run can be compared']
        : [
            `median ${signed(gain.median_bps)}`,
            `5 % ${signed(gain.p5_bps)}`,
            `95 % ${signed(gain.p95_bps)}`,
          ],
      style,
    ),
  ]
  const rows = runs.map((run) => [
    groupThousands(`${run.height}`),
    run.at_once === null ? 'fails' : amount(run.at_once, output),
    run.failed > 0 ? `${run.failed} of ${slices} fail` : amount(run.in_time, output),
    run.gain_bps === null ? '' : signed(run.gain_bps),
  ])
  const columns = [
    { head: 'BLOCK', align: 'right' },
    { head: 'AT ONCE', align: 'right' },
    { head: 'IN TIME', align: 'right' },
    { head: 'GAIN', align: 'right' },
  ] as const
  return joinSections([head, table(columns, rows, style)], style)
}

const unusable = (why: string): SwapError =>
  new SwapError('INVALID_REQUEST', 'the plan cannot be executed on this tape', {
    why,
    hint: 'record more blocks, or divide into a shorter time: swap plan twap',
    members: { errors: [{ pointer: '', detail: why }] },
  })
