import { SwapError } from '../../../engine/errors.js'
import { type DayOf, price } from '../../../operations/price/price.js'
import { quote as quoted } from '../../../render/width.js'
import type { Context, Run } from '../../command.js'
import { excess, invalidRequest } from '../../invalid-request.js'
import { printAnswer } from '../../print-answer.js'
import { type Reader, readerOf } from '../../quotes/route-request.js'
import { priceCsv, renderPrice } from './render.js'

/**
 * The denom of a name.
 *
 * @param pointer the member of the request, for errors
 * @param callOf the call for the two tokens of a pair
 * @throws SwapError UNKNOWN_TOKEN, AMBIGUOUS_TOKEN, INVALID_REQUEST for the name of a pair
 */
export function tokenOf(
  { token }: Reader,
  name: string,
  pointer: string,
  callOf: (first: string, second: string) => string,
): string {
  try {
    return token(name, pointer).denom
  } catch (error) {
    const [, first, second] = /^([^/]+)\/([^/]+)$/.exec(name) ?? []
    if (first === undefined || second === undefined || !areTokens(token, first, second)) throw error
    throw invalidRequest(`${quoted(name)} is a pair, and a token is asked for`, pointer, {
      why: `it names two tokens, ${first} and ${second}`,
      hint: `write ${callOf(first, second)}`,
      detail: 'a pair',
    })
  }
}

function areTokens(token: Reader['token'], ...names: readonly string[]): boolean {
  try {
    for (const name of names) token(name, '')
    return true
  } catch {
    return false
  }
}

/** Prints the price of a token in dollars or in another token. */
export const runPrice: Run = async (context, [name = '', second], flags) => {
  const { app, out, config } = context
  const reader = await readerOf(context)
  const base = tokenOf(reader, name, '/base', (a, b) => `swap price ${a} --in ${b}`)
  if (flags['in'] !== undefined && second !== undefined) throw excess('price', [second])
  const other = flags['in'] ?? second
  const quote = typeof other === 'string' ? reader.token(other, '/quote').denom : undefined
  const answer = await price(app, { base, ...(quote && { quote }) }, dayOf(context))
  const naming = {
    tokens: reader.market.tokens,
    aliases: config.aliases,
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
