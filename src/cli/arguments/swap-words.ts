import { invalidRequest, type SwapError } from '../../engine/errors.js'
import { shellWord } from '../../platform/shell-word.js'
import type { Command } from '../command.js'
import { strayUnit } from '../invalid-request.js'

/** Words between the tokens: `1.5 btc to rune`. A shell treats a bare `>` as a redirection. */
const CONNECTORS = new Set(['to', 'for', '->', '→'])

/** Respells `->`, which commander would parse as a flag. */
export const spellArrow = (argv: readonly string[]): readonly string[] => {
  const end = argv.indexOf('--')
  return argv.map((word, i) => (word === '->' && (end < 0 || i < end) ? 'to' : word))
}

/** Whether a command may have a `to`, `for` or `->` between two arguments: where the last one is the token received. */
export const takesTo = ({ arguments: words }: Command): boolean =>
  words?.at(-1)?.form.slice(1, -1) === 'out'

/** Removes a connector between two arguments, unless too few would be left: a token may have such a symbol. */
export function withoutConnector(command: Command, args: readonly string[]): readonly string[] {
  if (!takesTo(command)) return args
  const needed = command.arguments?.length ?? 0
  const isGlued = (word: string) => /^\$?[\d.][\d._,]*[a-z]/i.test(word)
  if (args.length + args.filter(isGlued).length <= needed) return args
  const at = args.findIndex(
    (word, i) => i > 0 && i < args.length - 1 && CONNECTORS.has(word.toLowerCase()),
  )
  return at < 0 ? args : args.filter((_, i) => i !== at)
}

/** Whether a word is a share of a balance. */
const isShareLike = (text: string): boolean => /^max$|%$/i.test(text)

/** Whether a word can only be an amount. */
export const isAmountLike = (text: string): boolean => /^[\d.+\-$]/.test(text) || isShareLike(text)

/**
 * The error of more words than a call takes, with what was meant by `500 usd btc rune` and by `1 btc 5000 rune`;
 * `undefined` for other words.
 */
export function moreWordsMeant(words: readonly string[], command: string): SwapError | undefined {
  const [amount = '', from = '', other = '', to = '', ...more] = words
  const form = `swap ${command} <amount> <in> <out>`
  if (words.length > 3 && /^[\d.][\d._]*$/.test(amount) && /^usd$/i.test(from)) {
    const hint = `write ${callOf(command, `$${amount}`, other, to)} for what is worth $${amount}`
    return misplacedWord(`${command} does not take "${to}"`, form, hint)
  }
  const isForm = isAmountLike(amount) && !isAmountLike(from) && isAmountLike(other)
  if (more.length > 0 || !isForm || isAmountLike(to)) return undefined
  const sells = callOf(command, amount, from, to)
  const hint = takesOutput(command)
    ? `write ${sells} to sell ${amount}, or ${callOf(command, from, other, to)} to receive ${other}`
    : `write ${sells}`
  return misplacedWord('there are two amounts', form, hint)
}

/** Whether the amount may be what is received: a plan divides what is sold, and so does a share. */
const takesOutput = (command: string, amount = ''): boolean =>
  command !== 'plan twap' && !isShareLike(amount)

/**
 * Reads `<amount> <in> <out>` and `<in> <amount> <out>`.
 *
 * @throws SwapError INVALID_REQUEST for any other order or count, with the call that fits the words
 */
export function swapWords(words: readonly string[], command: string) {
  const [first, second, third, ...more] = words
  const form = `swap ${command} <amount> <in> <out>`
  if (more.length > 0)
    throw (
      moreWordsMeant(words, command) ??
      misplacedWord(
        `${command} does not take "${more[0]}"`,
        form,
        strayUnit(more[0]!) ?? `see: swap help ${command}`,
      )
    )
  if (words.at(-1) === '-')
    throw misplacedWord(
      'a token is missing',
      `swap ${command} <amount> <in> <out>; the shell has written to a file after ->`,
      `write ${callOf(command, ...words.slice(0, -1), 'to', '<out>')}`,
    )
  const amount = words.find(isAmountLike)
  const others = words.filter((word) => word !== amount)
  const names = others.length === 1 ? halvesOf(others[0]!) : others
  const call = callOf(command, amount ?? '1', names[0] || '<in>', names[1] || '<out>')
  if (first === undefined || (amount === undefined && third === undefined))
    throw misplacedWord('the amount is missing', form, `write e.g. ${call}`)
  if (second === undefined || third === undefined)
    throw misplacedWord('a token is missing', form, `write ${call}`)
  if (third === amount && !isAmountLike(second)) {
    // Other commands refuse a share, with the call that takes it.
    if (isShareLike(third) && command !== 'execute')
      return { amount: third, from: first, to: second, exactOut: false }
    const exactOut = `; or, to receive ${third}: ${callOf(command, first, third, second)}`
    const hint = `write ${call}${takesOutput(command, third) ? exactOut : ''}`
    throw misplacedWord('the amount is in the wrong place', form, hint)
  }
  return !isAmountLike(first) && isAmountLike(second)
    ? { amount: second, from: first, to: third, exactOut: true }
    : { amount: first, from: second, to: third, exactOut: false }
}

/** Two tokens are often written as a pair, or in one argument; the denom `x/ruji` is one. */
const halvesOf = (text: string): readonly string[] => text.split(/ +|(?<=[^/]{2})\//)

/**
 * Reads the `<capital> <token>` of `swap arbroute`.
 *
 * @throws SwapError INVALID_REQUEST for any other order or count, with the call that fits the words
 */
export function capitalWords(words: readonly string[]): {
  readonly amount: string
  readonly token: string
} {
  const command = 'arbroute'
  const [first, second, ...more] = words
  const form = `swap ${command} <capital> <token>`
  if (more.length > 0)
    throw misplacedWord(`${command} does not take "${more[0]}"`, form, `see: swap help ${command}`)
  const isName = first !== undefined && !isAmountLike(first)
  if (first === undefined || (isName && second === undefined))
    throw misplacedWord(
      'the capital is missing',
      form,
      `write ${callOf(command, '5000', halvesOf(first ?? '<token>')[0]!)}`,
    )
  if (second === undefined)
    throw misplacedWord('the token is missing', form, `write ${callOf(command, first, '<token>')}`)
  if (isName && isAmountLike(second))
    throw misplacedWord(
      'the capital comes first',
      form,
      `write ${callOf(command, second, halvesOf(first)[0]!)}`,
    )
  return { amount: first, token: second }
}

/** A command line that can be pasted, with shell quoting. */
export const callOf = (command: string, ...words: readonly string[]): string =>
  ['swap', command, ...words.map(shellWord)].join(' ')

const misplacedWord = (message: string, form: string, hint: string): SwapError =>
  invalidRequest(message, '', { why: `the call is ${form}`, hint })
