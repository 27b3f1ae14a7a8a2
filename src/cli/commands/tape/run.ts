import { cutTape } from '../../../tape/cut.js'
import { summarize, verify as verifyTape } from '../../../tape/summary.js'
import { readTape } from '../../../tape/tape.js'
import type { Context, Run } from '../../command.js'
import { numberOf } from '../../flags/checked-flag.js'
import { printAnswer } from '../../print-answer.js'
import { fromBlockFlag, toBlockFlag } from './flags.js'
import { recordLine, renderTape, verifyLine } from './render.js'

export async function show(context: Context, [file = '']: readonly string[]): Promise<void> {
  const answer = summarize(readTape(file))
  return printAnswer(context, answer, {
    quiet: () => `${answer.blocks}`,
    human: () => renderTape(answer, context.out.style),
  })
}

export async function verify(context: Context, [file = '']: readonly string[]): Promise<void> {
  const answer = verifyTape(readTape(file))
  return printAnswer(context, answer, {
    quiet: () => `${answer.blocks}`,
    human: () => verifyLine(answer),
  })
}

export const cut: Run = async (context, [file = '', to = ''], flags) => {
  const range = { from: numberOf(fromBlockFlag, flags), to: numberOf(toBlockFlag, flags) }
  const answer = cutTape(readTape(file), to, range)
  return printAnswer(context, answer, { quiet: () => to, human: () => recordLine(answer) })
}
