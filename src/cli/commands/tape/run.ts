import { loadConfig } from '../../../config/load.js'
import { invalidRequest, SwapError } from '../../../engine/errors.js'
import { counted, groupThousands } from '../../../engine/math/counted.js'
import { openOnce } from '../../../operations/context.js'
import { problemOf } from '../../../operations/problem.js'
import type {
  TapeAnswer,
  TapeRecordAnswer,
  TapeVerifyAnswer,
} from '../../../operations/tape/tape-documents.js'
import { printable } from '../../../platform/printable.js'
import { fields, formatTime, sentence, titleLines } from '../../../render/layout.js'
import type { Style } from '../../../render/style.js'
import { cutTape, emptyRange } from '../../../tape/recorder.js'
import {
  lastMarkets,
  marketsOf,
  readTape,
  summarize,
  verify as verifyTape,
} from '../../../tape/tape.js'
import type { Context, Run } from '../../command.js'
import { formFlag, settingFlags } from '../../common-flags.js'
import { exitOfError } from '../../exit.js'
import { fromBlockFlag, toBlockFlag } from '../../flags/command-flags.js'
import { marketCommands } from '../../flags/quote-flags.js'
import { missingArgument } from '../../invalid-request.js'
import { pipeLines, printAnswer } from '../../print-answer.js'
import { renderProblemLine } from '../../problem.js'
import { parseCommandLine } from '../../program.js'
import { sourcesOf } from '../config/look.js'

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
  const range = { from: fromBlockFlag.read(flags), to: toBlockFlag.read(flags) }
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
  const height = (at: typeof first) => `${groupThousands(`${at.height}`)}, ${formatTime(at.time)}`
  return [
    ...titleLines(counted(blocks, 'recorded block'), place, style),
    ...fields(style, [
      ['File', [printable(answer.path), counted(bytes, 'byte')]],
      ['First', [height(first)]],
      ['Last', [height(last), counted(pairs, 'pair')]],
      ['Kept', [`${snapshots} whole`, `${blocks - snapshots} as changes`]],
      missing > 0 && ['Missing', [`${counted(missing, 'block')} in between`]],
      dropped !== null && ['Left out', [dropped]],
    ]),
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

/** Usage of `swap tape replay`, for error hints. */
const CALL = 'swap tape replay <file> -- route 1 btc rune'

/** Flags that select a market other than the recorded block. */
const BEYOND = ['watch', 'stdin', 'height', 'tape', 'at', 'snapshot', 'rpc', 'rest']

/**
 * Runs a command on each recorded block and prints one document a line, including problem documents. With
 * `-q` a value a line, empty for a problem. The exit status is the largest of any block.
 */
export const replay: Run = async (context, [file = '', ...words], flags) => {
  const { out, surroundings } = context
  const { call, quiet } = replayedCall(context, file, words)
  const all = { ...flags, ...call.flags }
  const beyond = BEYOND.find((name) => all[name])
  if (beyond !== undefined) throw notAnswering(`--${beyond} goes beyond one recorded block`)
  if (all['id'] === true)
    throw notAnswering('a replay stores no quote, and --id prints the id of one')
  const [, output] = formFlag(all) ?? []
  if (output !== undefined && output !== 'json')
    throw notAnswering(`a replay writes JSON, a line a block, or values with -q; not ${output}`)
  // The flags before and after `--`.
  const given = settingFlags(call.command, all)
  const config = await loadConfig({ ...sourcesOf(context, all), flags: given })
  const form = {
    kind: quiet > 0 ? 'human' : 'json',
    quiet,
    verbose: all['verbose'] === true,
    atomic: all['atomic'] === true,
  } as const
  const run = await call.command.load!()
  const tape = readTape(file, out.note)
  const { autoSlippageBlocks, autoSlippageQuantile: quantileBps } = config.values
  const range = { from: fromBlockFlag.read(flags), to: toBlockFlag.read(flags) }
  // A recorded block is a saved market, which has no history.
  const saved = { ...config, values: { ...config.values, snapshot: file } }
  // Without a folder of its own: quotes of a replay are not stored.
  const place = { ...surroundings, env: {}, home: undefined }
  const isAuto = call.flags['slippage'] === 'auto'
  const recent =
    isAuto && range.from !== undefined
      ? [...lastMarkets(tape, range.from - 1, autoSlippageBlocks)]
      : []
  const evidence = async () => ({ markets: recent, quantileBps })
  let worst: number | undefined
  const end = (status: number) => {
    worst = Math.max(worst ?? 0, status)
  }
  for (const market of marketsOf(tape, range)) {
    if (out.closed.aborted) return
    end(0)
    if (isAuto && recent.push(market) > autoSlippageBlocks) recent.shift()
    const app = { ...openOnce(async () => market), evidence }
    const silent = { ...out, note: () => {}, warning: () => {}, exit: end }
    try {
      const replayed = { ...context, config: saved, app, form, out: silent, surroundings: place }
      await run(replayed, call.args, call.flags)
    } catch (error) {
      if (!(error instanceof SwapError)) throw error
      end(exitOfError(error))
      if (quiet > 0) out.say(`block ${market.height}: ${renderProblemLine(error, out.noteStyle)}`)
      if (quiet < 2)
        await out.result(quiet === 1 ? '\n' : JSON.stringify(problemOf(error, market.height)))
    }
  }
  if (worst === undefined) throw emptyRange(tape)
  out.exit(worst)
}

/** The command to replay, and the count of `-q` before and after `--`. */
function replayedCall({ commands, form }: Context, file: string, words: readonly string[]) {
  if (words.length === 0) throw missingArgument('the command', CALL)
  const { call, quiet } = parseCommandLine(words, commands)
  const answering = marketCommands(commands)
  if (call.kind === 'error')
    throw answering.includes(file) ? missingArgument('the tape', CALL) : call.error
  if (call.kind !== 'run' || !answering.includes(call.command.name)) throw notAnswering()
  return { call, quiet: Math.max(quiet, form.quiet) }
}

const notAnswering = (why = 'only a command that answers from a market can'): SwapError =>
  invalidRequest('this command cannot be replayed', '', {
    why,
    hint: `write e.g. ${CALL}`,
  })
