import { SwapError } from '../../../engine/errors.js'
import { type DayOf, price } from '../../../operations/price/price.js'
import { denomNamed } from '../../arguments/pair-name.js'
import type { Context, Run } from '../../command.js'
import { excess } from '../../invalid-request.js'
import { marketNaming, printAnswer } from '../../print-answer.js'
import { readerOf } from '../../quotes/route-request.js'
import { priceCsv, renderPrice } from './render.js'

/** Prints the price of a token in dollars or in another token. */
export const runPrice: Run = async (context, [name = '', second], flags) => {
  const { app, out, config } = context
  const reader = await readerOf(context)
  const base = denomNamed(reader, name, '/base', (a, b) => `swap price ${a} --in ${b}`)
  if (flags['in'] !== undefined && second !== undefined) throw excess('price', [second])
  const other = flags['in'] ?? second
  const quote = typeof other === 'string' ? reader.token(other, '/quote').denom : undefined
  const answer = await price(app, { base, ...(quote && { quote }) }, dayOf(context))
  const naming = {
    ...marketNaming(reader.market, config),
    isSaved: config.values.snapshot !== undefined,
  }
  return printAnswer(context, answer, {
    quiet: () => answer.mid_price ?? '',
    csv: () => priceCsv(answer, naming),
    human: () => renderPrice(answer, naming, out.style),
  })
}

/** The last 24 hours of the local history index. A saved market has none; a failure of the index is a note. */
export function dayOf({ config, history, out, form }: Context): DayOf {
  return async (time) => {
    if (config.values.snapshot !== undefined) return undefined
    try {
      const access = await history()
      return await access.day(time).finally(() => access.close())
    } catch (error) {
      if (!(error instanceof SwapError)) throw error
      if (form.quiet === 0) out.note(`without the last 24 hours: ${error.message}`)
      return undefined
    }
  }
}
