import { pairs } from '../../../operations/price/pairs.js'
import type { Context } from '../../command.js'
import { printAnswer } from '../../print-answer.js'
import { readerOf } from '../../quotes/route-request.js'
import { dayOf } from '../price/day-of.js'
import { tokenOf } from '../price/run.js'
import { pairsCsv, renderPairs } from './render.js'

/** Lists the pairs of the market, or those that trade a token. */
export async function runPairs(context: Context, [name]: readonly string[]): Promise<void> {
  const { app, out, config } = context
  const reader = await readerOf(context)
  const token =
    name === undefined ? undefined : tokenOf(reader, name, (a, b) => `swap book ${a}/${b}`)
  const answer = await pairs(app, { ...(token && { token }) }, dayOf(context))
  const naming = {
    tokens: reader.market.tokens,
    aliases: config.aliases,
    isSaved: config.values.snapshot !== undefined,
    token,
  }
  return printAnswer(context, answer, {
    quiet: () => answer.pairs.map(({ address }) => address).join('\n'),
    csv: () => pairsCsv(answer, naming),
    human: () => renderPairs(answer, naming, out.style),
  })
}
