import { book } from '../../app/chain/book.js'
import { stringify } from '../../app/json.js'
import { SwapError } from '../../errors.js'
import { bookCsv, renderBook } from '../../render/chain/book.js'
import { quote } from '../../render/width.js'
import { missing, refuseMore } from '../arguments.js'
import type { Context, FlagValues } from '../command.js'
import { pairNamed } from './pair-name.js'

/** Levels a side unless somebody says how many, and the most. */
const [USUAL, MOST] = [10, 1000]

/** Shows what rests in one pair. */
export async function runBook(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const { app, out, form, config } = context
  const [first, second, ...more] = args
  if (first === undefined) throw missing('the pair', 'swap book <pair>')
  refuseMore('book', more)
  const levels = levelsOf(flags)
  const { market } = await app.venue()
  const pair = pairNamed(context, market, second === undefined ? first : `${first}/${second}`)
  const answer = await book(app, { pair, levels })
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(answer.pair.mid_price ?? '')
  if (form.kind === 'json') return out.result(stringify(answer))
  const naming = { tokens: market.tokens, aliases: config.aliases, human: form.human }
  if (form.kind === 'csv') return out.result(bookCsv(answer, naming))
  return out.result(renderBook(answer, naming, out.style))
}

function levelsOf({ levels: text }: FlagValues): number {
  if (typeof text !== 'string') return USUAL
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= MOST) return count
  const why = `it is a whole number from 1 to ${MOST}`
  throw new SwapError('INVALID_REQUEST', `${quote(text)} cannot be used for --levels`, {
    why,
    hint: `write e.g. --levels ${USUAL}`,
    members: { errors: [{ pointer: '/levels', detail: why }] },
  })
}
