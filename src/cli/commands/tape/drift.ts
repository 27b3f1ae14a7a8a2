import type { Market } from '../../../engine/market/market.js'
import { type DriftPair, drift } from '../../../operations/tape/drift.js'
import { marketAt, marketsOf, readTape } from '../../../tape/tape.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { flagRefused } from '../../flags/checked-flag.js'
import { marketNaming, printAnswer } from '../../print-answer.js'
import { listOf, readerOf } from '../../quotes/route-request.js'
import { driftCsv, renderDrift } from './render-drift.js'

/** How far executions fall from their quotes on the recorded books. */
export const runDrift: Run = async (context, [file = ''], flags) => {
  const tape = readTape(file)
  const market = marketAt(tape)
  const pairs = await pairsOf(context, market, listOf(flags, 'pairs'))
  const sizes = textsOf(flags, 'size', '1000usd').map(dollarsOf)
  const later = textsOf(flags, 'blocks', '1,2,3').map(blocksOf)
  const request = { pairs, sizes, later: [...new Set(later)].sort((a, b) => a - b) }
  const answer = await context.out.whileWaiting(
    (seconds) => `replaying ${tape.frames.length} blocks: ${seconds} s`,
    async () => drift(marketsOf(tape), request),
  )
  const naming = marketNaming(market, context.config)
  return printAnswer(context, answer, {
    quiet: () => `${answer.all.at(-1)?.p99_bps ?? ''}`,
    csv: () => driftCsv(answer, naming),
    human: () => renderDrift(answer, naming, context.out.style),
  })
}

/** Named pairs both ways; without names every token against the dollar token, both ways. */
async function pairsOf(
  context: Context,
  market: Market,
  names: readonly string[],
): Promise<readonly DriftPair[]> {
  const view = { market, graph: (await import('../../../engine/routing/graph.js')).graphOf(market) }
  const reader = await readerOf({ ...context, app: { openMarket: async () => view } })
  const both = (input: string, output: string): readonly DriftPair[] => [
    { input, output },
    { input: output, output: input },
  ]
  if (names.length === 0) {
    const { usd } = market
    const tokens = [...market.tokens.keys()].filter(
      (denom) => denom !== usd && view.graph.indexOf.has(denom),
    )
    return usd === undefined ? [] : tokens.flatMap((denom) => both(denom, usd))
  }
  return names.flatMap((name) => {
    const [left = '', right = '', ...more] = name.split('/')
    if (left === '' || right === '' || more.length > 0)
      throw flagRefused(name, '--pairs', 'it is two tokens with a slash', 'btc/usdc,rune/btc')
    return both(reader.token(left).denom, reader.token(right).denom)
  })
}

function textsOf(flags: FlagValues, name: string, usual: string): readonly string[] {
  const given = listOf(flags, name)
  return given.length === 0 ? usual.split(',') : given
}

function dollarsOf(text: string): string {
  const [, dollars] = /^\$?(\d{1,12}(?:\.\d{1,6})?)(?:usd)?$/.exec(text) ?? []
  if (dollars !== undefined && Number(dollars) > 0) return dollars
  throw flagRefused(text, '--size', 'it is dollars', '1000usd')
}

function blocksOf(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw flagRefused(text, '--blocks', 'it is numbers of blocks, 0 to 999', '1,2,3')
}
