import { counted, groupThousands } from '../../../engine/math/counted.js'
import type {
  TapeAnswer,
  TapeRecordAnswer,
  TapeVerifyAnswer,
} from '../../../operations/tape/tape-answers.js'
import { printable } from '../../../platform/printable.js'
import { field, sentence, titleLines } from '../../../render/layout.js'
import type { Style } from '../../../render/style.js'
import { cutTape } from '../../../tape/cut.js'
import { readTape, summarize, verify as verifyTape } from '../../../tape/tape.js'
import type { Context, Run } from '../../command.js'
import { numberOf } from '../../flags/checked-flag.js'
import { fromBlockFlag, toBlockFlag } from '../../flags/command-flags.js'
import { pipeLines, printAnswer } from '../../print-answer.js'

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
    human: () => sentence(verifyLine(answer), context.out.style),
  })
}

export const cut: Run = async (context, [file = '', to = ''], flags) => {
  const range = { from: numberOf(fromBlockFlag, flags), to: numberOf(toBlockFlag, flags) }
  const answer = cutTape(readTape(file), to, range)
  return printAnswer(context, answer, {
    quiet: () => to,
    human: () => sentence(recordLine(answer), context.out.style),
  })
}

/** A tape for people; in a pipe a line a member. */
function renderTape(answer: TapeAnswer, style: Style): string {
  if (!style.tty) return pipeLines(answer)
  const { blocks, bytes, first, last, missing, snapshots, pairs, dropped, network } = answer
  const place = { network, height: last.height }
  const height = (at: typeof first) => `${groupThousands(`${at.height}`)}, ${printable(at.time)}`
  return [
    ...titleLines(counted(blocks, 'recorded block'), place, style),
    ...field('File', [printable(answer.path), counted(bytes, 'byte')], style),
    ...field('First', [height(first)], style),
    ...field('Last', [height(last), counted(pairs, 'pair')], style),
    ...field('Kept', [`${snapshots} whole`, `${blocks - snapshots} as changes`], style),
    ...(missing > 0 ? field('Missing', [`${counted(missing, 'block')} in between`], style) : []),
    ...(dropped === null ? [] : field('Left out', [dropped], style)),
  ].join('\n')
}

const withDropped = (text: string, dropped: string | null): string =>
  dropped === null ? text : `${text}; ${dropped}`

const verifyLine = ({ path, blocks, dropped }: TapeVerifyAnswer): string =>
  withDropped(`${printable(path)}: ${counted(blocks, 'block')} as recorded`, dropped)

export const recordLine = ({ path, blocks, bytes, last, dropped }: TapeRecordAnswer): string =>
  withDropped(
    `${printable(path)}: ${counted(blocks, 'block')} written, ${last === null ? 'none' : `the last is ${last}`}, ${counted(bytes, 'byte')}`,
    dropped,
  )
