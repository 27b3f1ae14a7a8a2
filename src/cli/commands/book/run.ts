import { invalidRequest } from '../../../engine/errors.js'
import { book, walk } from '../../../operations/book/book.js'
import type { BookAnswer, SideDocument } from '../../../operations/book/book-documents.js'
import { namesOf } from '../../../render/names.js'
import { quote } from '../../../render/width.js'
import { pairNamed } from '../../arguments/pair-name.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { levelsFlag } from '../../flags/command-flags.js'
import { inFlag } from '../../invalid-request.js'
import { marketNaming, printAnswer } from '../../print-answer.js'
import { readAmount, readerOf, splitGlued } from '../../quotes/route-request.js'
import { isWatched } from '../../watch/watch-options.js'
import { bookCsv, renderBook, unsoldText } from './render.js'

/** Shows the orders of a pair. */
export const runBook: Run = async (context, [one = '', second], flags) => {
  const { app, out, config } = context
  const levels = levelsFlag.read(flags)
  const asked = second === undefined ? one : `${one}/${second}`
  if (isWatched(flags)) {
    const { watchBook } = await import('./watch-book.js')
    return watchBook(context, flags, { pair: asked, levels })
  }
  const { market } = await app.openMarket()
  const pair = pairNamed(context, market, asked)
  const full = await book(app, { pair, levels: levelsFlag.schema.maximum! })
  const naming = marketNaming(market, config)
  const amount = await amountOf(context, flags)
  const walked = amount && (await walk(app, full, amount))
  if (walked && walked.unsold !== '0' && !out.style.tty)
    out.note(unsoldText(walked, namesOf(naming, out.noteStyle)))
  const answer: BookAnswer = {
    ...full,
    asks: first(full.asks, levels),
    bids: first(full.bids, levels),
    ...(walked && { walk: walked }),
  }
  return printAnswer(context, answer, {
    quiet: () => answer.pair.mid_price ?? '',
    csv: () => bookCsv(answer, naming),
    human: () => renderBook(answer, { ...naming, full, walk: walked }, out.style),
  })
}

const first = ({ levels, more }: SideDocument, count: number): SideDocument => ({
  levels: levels.slice(0, count),
  more: more || levels.length > count,
})

/** `--amount 25000usdc`. */
async function amountOf(context: Context, { amount: text }: FlagValues) {
  if (typeof text !== 'string') return undefined
  const reader = await readerOf(context)
  const [amount = '', name] = splitGlued(text.replace(/\s+/, ''), reader.atomic)
  if (name === undefined)
    throw invalidRequest(`--amount ${quote(text)} names no token`, '/amount', {
      why: 'an amount of either side can be meant',
      hint: 'write e.g. --amount 25000usdc',
    })
  const token = reader.token(name, '/amount')
  return {
    denom: token.denom,
    amount: inFlag('--amount', () => readAmount(reader, amount, token, '/amount')),
  }
}
