import type { Market } from '../../../engine/market/market.js'
import { counted, groupThousands } from '../../../engine/math/counted.js'
import { backtestPlan } from '../../../operations/plan/backtest.js'
import type { BacktestAnswer } from '../../../operations/plan/plan-documents.js'
import { formatSignedBps } from '../../../render/amount.js'
import { field, joinSections, titleLines } from '../../../render/layout.js'
import { type Naming, namesOf } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { marketsOf, readTape, recordedBlocks } from '../../../tape/tape.js'
import type { Run } from '../../command.js'
import { runsFlag } from '../../flags/command-flags.js'
import { marketNaming, pipeLines, printAnswer } from '../../print-answer.js'
import { readPlan } from '../plan/plan-file.js'
import { gainPieces, planTitle } from '../plan/render.js'

/** Executes a plan on a tape, starting at several of its blocks. */
export const runBacktest: Run = async (context, [file = '', planFile = ''], flags) => {
  const { config, out } = context
  const tape = readTape(file, out.note)
  let newest: Market | undefined
  function* markets() {
    for (const market of marketsOf(tape)) {
      newest = market
      yield market
    }
  }
  const plan = await readPlan(planFile, context)
  const count = runsFlag.read(flags)
  const answer = await out.whileWaiting(
    (seconds) =>
      `executing ${counted(plan.slices.length, 'slice')} from ${counted(count, 'block')} on: ${seconds} s`,
    () => backtestPlan({ ...recordedBlocks(tape), markets }, plan, count),
  )
  const naming = marketNaming(newest!, config)
  return printAnswer(context, answer, {
    quiet: () => `${answer.gain?.median_bps ?? ''}`,
    human: () => renderBacktest(answer, naming, out.style),
  })
}

function renderBacktest(answer: BacktestAnswer, naming: Naming, style: Style): string {
  if (!style.tty) return pipeLines(answer)
  const { network, last: height, output, slices, gain, runs } = answer
  const names = namesOf(naming, style)
  const paid = (amount: string) => names.coin({ denom: output, amount })
  const head = [
    ...titleLines(planTitle(answer, slices, names), { network, height }, style),
    ...field(style, 'Gain', gain === null ? ['no run can be compared'] : gainPieces(gain)),
  ]
  const failing = ({ failed }: (typeof runs)[number]) => `${failed} of ${slices} fail`
  const lines = table(runs, style, [
    ['BLOCK', (run) => groupThousands(`${run.height}`), { align: 'right' }],
    ['AT ONCE', ({ at_once }) => (at_once === null ? 'fails' : paid(at_once)), { align: 'right' }],
    ['IN TIME', (run) => (run.failed > 0 ? failing(run) : paid(run.in_time)), { align: 'right' }],
    ['GAIN', ({ gain_bps: bps }) => (bps === null ? '' : formatSignedBps(bps)), { align: 'right' }],
  ])
  return joinSections(style, [head, lines])
}
