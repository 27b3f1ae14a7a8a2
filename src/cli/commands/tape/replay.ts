import { SwapError } from '../../../engine/errors.js'
import { openOnce } from '../../../operations/context.js'
import { problemOf } from '../../../operations/problem.js'
import { lastMarkets, marketsOf, readTape } from '../../../tape/tape.js'
import type { Run } from '../../command.js'
import { numberOf } from '../../flags/checked-flag.js'
import { fromBlockFlag, toBlockFlag } from '../../flags/command-flags.js'
import { invalidRequest, missing } from '../../invalid-request.js'
import { parseCommandLine } from '../../program.js'

/** Commands that answer from a market alone. */
const ANSWERING: ReadonlySet<string> = new Set([
  ...['tokens', 'price', 'pairs', 'route', 'sroute', 'arbs', 'arbroute', 'curve', 'max', 'book'],
])

/** Runs a command on each recorded block: one document a line; a problem is one, too. */
export const replay: Run = async (context, [file = '', ...words], flags) => {
  const { out, config, surroundings } = context
  if (words.length === 0)
    throw missing('the command', 'swap tape replay <file> -- route 1 btc rune')
  const { call } = parseCommandLine(words, context.commands)
  if (call.kind === 'error') throw call.error
  if (call.kind !== 'run' || !ANSWERING.has(call.command.name)) throw notAnswering()
  const clash = ['watch', 'stdin', 'height', 'tape', 'at'].find((name) => call.flags[name])
  if (clash !== undefined) throw notAnswering(`--${clash} goes beyond one block`)
  const run = await call.command.load!()
  const tape = readTape(file)
  const { autoSlippageBlocks, autoSlippageQuantile: quantileBps } = config.values
  const range = { from: numberOf(fromBlockFlag, flags), to: numberOf(toBlockFlag, flags) }
  // A recorded block is a saved market: it has no history.
  const saved = { ...config, values: { ...config.values, snapshot: file } }
  // Quotes of a replay are not kept.
  const place = { ...surroundings, env: { ...surroundings.env, SWAP_HOME: '' }, home: undefined }
  const isAuto = call.flags['slippage'] === 'auto'
  const recent =
    isAuto && range.from !== undefined
      ? [...lastMarkets(tape, range.from - 1, autoSlippageBlocks)]
      : []
  const evidence = async () => ({ markets: recent, quantileBps })
  for (const market of marketsOf(tape, range)) {
    if (out.closed.aborted) return
    if (isAuto && recent.push(market) > autoSlippageBlocks) recent.shift()
    const app = { ...openOnce(async () => market), evidence }
    const form = { ...context.form, kind: 'json', quiet: 0 } as const
    const quiet = { ...out, note: () => {} }
    try {
      const replayed = { ...context, config: saved, app, form, out: quiet, surroundings: place }
      await run(replayed, call.args, call.flags)
    } catch (error) {
      if (!(error instanceof SwapError)) throw error
      await out.result(JSON.stringify(problemOf(error, market.height)))
    }
  }
}

const notAnswering = (why = 'only a command that answers from a market can'): SwapError =>
  invalidRequest('this command cannot be replayed', '', {
    why,
    hint: 'write e.g. swap tape replay FILE -- route 1 btc rune',
  })
