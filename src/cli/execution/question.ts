import { groupThousands } from '../../engine/math/counted.js'
import { dollars } from '../../execution/plan/limits.js'
import type { SigningView } from '../../execution/plan/signing-view.js'
import { printable } from '../../platform/printable.js'
import { paragraph } from '../../render/layout.js'
import type { Style } from '../../render/style.js'

/** What a typed line means: an empty one asks again, an unknown one declines. */
type AnswerKind = 'sign' | 'show' | 'decline' | 'again'

/** The question before a signature: its text, and what may be answered. */
export type Question = {
  readonly lines: readonly string[]
  kindOf(line: string): AnswerKind
  /** Whether the line is an answer without Enter, once no other key follows it. */
  isWhole(line: string): boolean
}

/**
 * The question under the confirmation screen.
 *
 * @param symbol what has to be typed; `undefined`: y
 */
export function questionOf(
  { worthMicroUsd }: Pick<SigningView, 'worthMicroUsd'>,
  symbol: string | undefined,
  style: Style,
): Question {
  const begins = (letter: string) => symbol?.toLowerCase().startsWith(letter) === true
  // A letter that the symbol begins with is the beginning of the symbol.
  const show = begins('s') ? ['?'] : ['s', 'show', 'show all', '?']
  const decline = begins('n') ? [] : ['n', 'no']
  const sign = symbol === undefined ? ['y', 'yes'] : [symbol.toLowerCase()]
  const worth =
    worthMicroUsd === undefined ? 'Worth not known.' : `Worth about ${money(worthMicroUsd)}.`
  const options = [
    symbol === undefined ? 'Sign and send? [y]es' : `Type ${printable(symbol)} to sign and send`,
    begins('s') ? '[?] show all' : '[s]how all',
    begins('n') ? 'anything else cancels' : '[N]o',
  ]
  const words = [...show, ...decline, ...(symbol === undefined ? sign : [])]
  return {
    lines: paragraph(`${worth} ${options.join(' / ')}`, style),
    kindOf(line) {
      const word = line.trim().toLowerCase()
      if (word === '') return 'again'
      if (sign.includes(word)) return 'sign'
      return show.includes(word) ? 'show' : 'decline'
    },
    isWhole: (line) => words.includes(line.toLowerCase()),
  }
}

/** Dollars, grouped and rounded up to cents. */
export function money(micro: bigint): string {
  const [whole = '', cents] = dollars(micro).slice(1).split('.')
  return `$${groupThousands(whole)}${cents === undefined ? '' : `.${cents}`}`
}
