import { invalidRequest, SwapError } from '../engine/errors.js'
import { similarNames } from '../operations/suggest.js'
import { isPlainWord, shellWord } from '../platform/shell-word.js'
import { type Command, type Flag, isChoice, shownCommands } from './command.js'

export const invalidAmount = (
  message: string,
  pointer: string,
  facts: { readonly why: string; readonly hint: string },
): SwapError => new SwapError('INVALID_AMOUNT', message, { ...facts, members: { pointer } })

/** The error of mutually exclusive flags; the hint is to omit `other`. */
export const clashing = (flag: string, other: string, why: string, pointer: string): SwapError =>
  invalidRequest(`${flag} does not go with ${other}`, pointer, { why, hint: `leave ${other} out` })

/** Refuses the first of several flags, with their values and the reasons, that is given beside `flag`. */
export function refuseBeside(
  flag: string,
  pointer: string,
  others: readonly (readonly [other: string, value: unknown, why: string])[],
): void {
  const given = others.find(([, value]) => value !== undefined && value !== false)
  if (given !== undefined) throw clashing(flag, given[0], given[2], pointer)
}

/** Parses an amount of a flag, and names the flag in errors. */
export function inFlag<T>(flag: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof SwapError && error.code === 'INVALID_AMOUNT')
      error.message = `${flag}: ${error.message}`
    throw error
  }
}

export function refuseMore(command: string, more: readonly string[]): void {
  if (more.length > 0) throw excess(command, more)
}

/**
 * The error for excess arguments, with the form of the call if it is given. If one of the flags takes the word as
 * a value, the hint is that flag.
 *
 * @param command its name, perhaps with the flag that excludes arguments: `route --stdin`
 */
export function excess(
  command: string,
  more: readonly string[],
  flags: readonly Flag[] = [],
  call?: string,
): SwapError {
  const [word = ''] = more
  const taker = flags.find(
    ({ flags: form, value }) =>
      isChoice(word, value) || (form === '--price <price>' && isAmount(word)),
  )
  const [flag] = /--[a-z-]+/.exec(taker?.flags ?? '') ?? []
  const isIntent = /^x_[\da-f]{8}$/.test(word)
  const help = isIntent ? `tx show ${word}` : `help ${command.replace(/ --.*/, '')}`
  const see = strayUnit(word) ?? `see ${isIntent ? 'it' : 'what it takes'}: swap ${help}`
  return invalidRequest(`${command} does not take "${word}"`, '', {
    why:
      call === undefined
        ? `${more.length} argument${more.length > 1 ? 's are' : ' is'} left over`
        : `the call is ${call}`,
    hint: flag === undefined ? see : `write ${flag} ${word}; ${see}`,
  })
}

/** What to write in place of `--slippage 0.5 %`, of which the unit is an argument too many. */
export const strayUnit = (word: string): string | undefined =>
  word === '%' || word === 'bps' ? 'write a number and its unit without a space: 0.5%' : undefined

/** Arguments of a private command are counted but not repeated: they may be a mnemonic. */
export const tooMany = (count: number, call: string): SwapError =>
  invalidRequest(`there ${count > 1 ? 'are arguments' : 'is an argument'} too many`, '', {
    why: `${count} of them; the call is ${call}`,
    hint: 'if it was a secret: no argument takes one, and it is in the history of your shell now',
  })

/** The error of `--watch 10s`, where the time is an argument too many. */
export const watchedEvery = (time: string): SwapError =>
  invalidRequest(`--watch does not take "${time}" as a word of its own`, '/watch', {
    why: 'the word after it is an argument of the command',
    hint: `write --watch=${time}`,
  })

/** The error of a missing argument, with the form of the call, and what to write for a pair in place of two tokens. */
export function missingArgument(
  what: string,
  call: string,
  [word = '', ...more]: readonly string[] = [],
): SwapError {
  const pair = more.length > 0 ? null : /^([^\s/]{2,})[ /]([^\s/]+)$/.exec(word)
  const tokens = pair?.slice(1).map(shellWord).join(' ')
  const meant = call.replace(/<(in|base)> <(out|quote)>/, (form) => tokens ?? form)
  const name = /^swap ((?:[a-z][a-z-]*(?: |$))+)/.exec(call)?.[1]?.trim() ?? ''
  return invalidRequest(`${what} is missing`, '', {
    why: `the call is ${call}`,
    hint: meant === call ? `see examples: swap help ${name}`.trimEnd() : `write ${meant}`,
  })
}

/** Names of commands in other programs, after the name of a group if they belong to one. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['split', 'sroute'],
  ['quote', 'route'],
  ['swap', 'execute'],
  ['trade', 'execute'],
  ['wallet', 'keys'],
  ['markets', 'pairs'],
  ['pools', 'pairs'],
  ['orderbook', 'book'],
  ['buy', 'order buy'],
  ['sell', 'order sell'],
  ['cancel', 'order cancel'],
  ['claim', 'order claim'],
  ['twap', 'plan twap'],
  ['dca', 'plan twap'],
  ['orders', 'order list'],
  ['sign', 'tx sign'],
  ['broadcast', 'tx broadcast'],
  ['faucet', 'demo faucet'],
  ['alias', 'config set'],
  ['order place', 'buy, sell'],
  ['order new', 'buy, sell'],
  ['order create', 'buy, sell'],
  ['keys add', 'new, import'],
  ['keys create', 'new'],
  ['keys generate', 'new'],
  ['keys recover', 'import'],
  ['keys remove', 'delete'],
  ['keys rm', 'delete'],
  ['config ls', 'list'],
  ['config show', 'list'],
  ['demo up', 'start'],
  ['demo down', 'stop'],
  ['plan dca', 'twap'],
  ['tx get', 'show'],
  ['tx send', 'broadcast'],
])

/** A command's full name with its groups. */
export const nameOf = (path: readonly Command[]): string => path.map(({ name }) => name).join(' ')

/**
 * The error for an unknown command, with suggestions.
 *
 * @param more the words after it: after an amount they are suggested as a quote
 */
export function unknownCommand(
  word: string,
  commands: readonly Command[],
  { topics = [], more = [] }: { topics?: readonly string[]; more?: readonly string[] } = {},
): SwapError {
  const shown = commands.filter(({ isHidden }) => !isHidden)
  const names = [...shown.map(({ name }) => name), 'help', ...topics]
  return new SwapError('INVALID_REQUEST', `no command "${word.slice(0, 40)}"`, {
    hint: quoteHint([word, ...more]) ?? nearestOrAll(word, names),
    members: { errors: [{ pointer: '', detail: 'not a command' }] },
  })
}

/** The quote that the words would be, where they are no more and no longer than those of one. */
function quoteHint(words: readonly string[]): string | undefined {
  const text = words.join(' ')
  const isQuote = /^\.?\d\S{0,60}( \S{1,60}){1,4}$/.test(text) && text.split(' ').every(isPlainWord)
  return isQuote ? `did you mean swap route ${text}?` : undefined
}

/** Similar commands and the call that lists all, or all of them if none is similar. */
function nearestOrAll(word: string, names: readonly string[], group = ''): string {
  const other = otherNames.get(`${group} ${word.toLowerCase()}`.trimStart())
  const isKnown = other !== undefined && names.includes(/^[^ ,]+/.exec(other)![0])
  const near = isKnown ? [other] : similarNames(word, names)
  return near.length === 0
    ? `the commands are ${names.join(', ')}`
    : `did you mean ${near.join(', ')}? list them: ${`swap help ${group}`.trimEnd()}`
}

export function unknownSubcommand(word: string, path: readonly Command[]): SwapError {
  const names = shownCommands(path.at(-1)).map(({ name }) => name)
  const name = nameOf(path)
  const isPrivate = path.some((command) => command.isPrivate)
  const named = isPrivate ? 'of this name' : `"${word.slice(0, 40)}"`
  return new SwapError('INVALID_REQUEST', `${name} has no command ${named}`, {
    hint:
      names.length === 0 ? `see its arguments: swap help ${name}` : nearestOrAll(word, names, name),
    members: { errors: [{ pointer: '', detail: `not a command of ${name}` }] },
  })
}

/** Whether a text may be the name of a key. */
export const isName = (text: string): boolean => /^\w+$/.test(text)

/** Whether a text is a number above zero. */
export const isAmount = (text: string): boolean =>
  /^(\d+(\.\d+)?|\.\d+)$/.test(text) && /[1-9]/.test(text)
