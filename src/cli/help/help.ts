import { counted } from '../../engine/math/counted.js'
import { beside, networkName, row } from '../../render/layout.js'
import { glyphsOf, type Style } from '../../render/style.js'
import { displayWidth, wrap } from '../../render/width.js'
import {
  type CallRow,
  type Command,
  type CommandGroups,
  commandPath,
  examplesOf,
  type Flag,
  flagsOf,
  isChoice,
  shownCommands,
  usageOf,
} from '../command.js'
import { commonFlags } from '../common-flags.js'
import { unknownCommand, unknownSubcommand } from '../invalid-request.js'
import { type Topic, topicNames, topics } from './topics.js'

/** What `swap help` prints: every command, the topics, and the form of a call. */
export function renderIndex(groups: CommandGroups, style: Style): string {
  const help: Rows = [
    ['swap help <command>', 'examples, flags, exit statuses'],
    ['swap help <topic>', topicNames.join(', ')],
  ]
  return [
    'swap <command> [<amount> <token> <token>] [flags]',
    ...groups.map(([title, commands]) => {
      const names = commands.map(({ name, summary }) => [name, summary] as const)
      return block(title, rows(names, style, 14), style)
    }),
    block('HELP', rows(help, style, 24), style),
  ].join('\n\n')
}

const block = (title: string, lines: readonly string[], style: Style): string =>
  [style.bold(title), ...lines].join('\n')

/**
 * Help for a command, named with its groups, or for a topic. A choice of an argument, as in `order ladder buy`, may
 * come after it.
 *
 * @throws SwapError INVALID_REQUEST for unknown words
 */
export function renderHelp(
  words: readonly string[],
  commands: readonly Command[],
  style: Style,
  full = true,
): string {
  const path = words
    .map((_, i) => commandPath(words.slice(0, words.length - i), commands))
    .find((found) => found !== undefined)
  if (path !== undefined) {
    const inner = words[path.length]
    const values = path.at(-1)?.arguments?.flatMap((argument) => argument.values ?? []) ?? []
    if (inner !== undefined && !values.some((kind) => isChoice(inner, kind)))
      throw unknownSubcommand(inner, path)
    return commandHelp(onePage(path, commands), style, full)
  }
  const [word = ''] = words
  const topic = topics.find(({ name }) => name === word)
  if (topic === undefined) throw unknownCommand(word, commands, { topics: topicNames })
  return topicHelp(topic, style)
}

/** Merges commands that share a help page into one. */
function onePage(path: readonly Command[], commands: readonly Command[]): readonly Command[] {
  const [named] = path
  const first = commands.find(({ name }) => name === (named?.helpWith ?? named?.name))
  const others = commands.filter(({ helpWith }) => helpWith === first?.name)
  if (first === undefined || others.length === 0) return path
  const all = [first, ...others]
  return [
    {
      ...first,
      summary: all.map(({ summary }) => summary).join('. '),
      usage: Object.fromEntries(all.flatMap((command) => usageOf([command]))),
      examples: Object.fromEntries(all.flatMap(examplesOf)),
      flags: Object.assign({}, ...all.map(({ flags }) => flags), first.flags),
      exit: others.at(-1)?.exit ?? '0 ok',
    },
  ]
}

/** Without `full`, common flags are only named, and rare flags are left out. */
function commandHelp(path: readonly Command[], style: Style, full: boolean): string {
  const command = path.at(-1)!
  const name = path.map((each) => each.name).join(' ')
  const own = [
    ...opening(path, style),
    ...Object.entries(command.flags ?? {}).flatMap(([title, flags]) => {
      const shown = flags.filter(({ isRare }) => full || !isRare)
      return shown.length > 0 ? [flagBlock(title, shown, style)] : []
    }),
    ...innerHelp(command, name, style),
    ...Object.entries(command.listings ?? {}).map(([title, lines]) => {
      const indented = lines.map((line) => `  ${line}`)
      return block(title, indented, style)
    }),
  ]
  const end = closing(path, style)
  if (full) return [...own, flagBlock('COMMON', commonFlags, style), end].join('\n\n')
  const common = commonFlags.slice(0, 6).flatMap(({ flags }) => flags.match(/--[a-z]+/g) ?? [])
  const rare = flagsOf(command).filter(({ isRare }) => isRare).length
  const more = [
    ...labelledLines('COMMON', `${common.join(' ')} ...   (swap help flags)`, style),
    ...(rare > 0
      ? labelledLines('MORE', `${counted(rare, 'rarer flag')}: swap ${name} --help-all`, style)
      : []),
  ]
  return [...own, [...more, end].join('\n')].join('\n\n')
}

const opening = (path: readonly Command[], style: Style): readonly string[] => [
  wrap(`${path.at(-1)!.summary}.`, Math.min(style.width, 100)).join('\n'),
  block('USAGE', rows(usageOf(path), style), style),
  block(
    'EXAMPLES',
    examplesOf(path.at(-1)!).flatMap((example) => exampleLines(example, style)),
    style,
  ),
]

function exampleLines([call, purpose]: CallRow, { width }: Style) {
  const lines = callLines(call, width)
  const last = lines.at(-1) ?? ''
  return [...lines.slice(0, -1), ...row(last, purpose, width, COLUMN)]
}

/** A call of an example, indented; if wider than `width` it is broken before flags, with backslashes. */
export function callLines(call: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const part of `  $ ${call}`.split(/ (?=--|[|>])/)) {
    const longer = `${lines.at(-1)} ${part}`
    if (lines.length > 0 && displayWidth(longer) <= width - 2) lines[lines.length - 1] = longer
    else lines.push(lines.length === 0 ? part : `        ${part}`)
  }
  return lines.map((line, i) => (i < lines.length - 1 ? `${line} \\` : line))
}

/** Refers to the help of a group's commands. */
function innerHelp(command: Command, name: string, style: Style): readonly string[] {
  if (shownCommands(command).length === 0) return []
  const inner = [[`swap help ${name} <command>`, 'arguments and flags of one of them']] as const
  return [block('HELP', rows(inner, style), style)]
}

function flagBlock(title: string, flags: readonly Flag[], style: Style): string {
  const meanings = flags.map((flag) => [flag.flags, flag.meaning] as const)
  return block(title, rows(meanings, style), style)
}

/** A command without own exit statuses or topics inherits its group's. */
function closing(path: readonly Command[], style: Style): string {
  const exit = path.findLast((each) => each.exit !== undefined)?.exit ?? '0 ok'
  const read = topicsOf(path)
  const links = [...read.map((topic) => `swap help ${topic}`), `man swap-${path[0]!.name}`]
  return [
    ...labelledLines('EXIT', `${exit}   (swap help exit)`, style),
    ...labelledLines('LEARN', links.join(` ${glyphsOf(style).dot} `), style),
  ].join('\n')
}

/** The topics that a command refers to, or its group. */
export const topicsOf = (path: readonly Command[]): readonly string[] =>
  path.findLast((each) => each.topics !== undefined)?.topics ?? ['scripts']

const labelledLines = (label: string, text: string, style: Style): readonly string[] =>
  beside(style.bold(label), wrap(text, Math.max(24, Math.min(style.width, 100) - 8)), 8)

function topicHelp({ summary, parts }: Topic, style: Style): string {
  const width = Math.min(style.width, 100)
  const blocks = parts.map((part) => {
    if (typeof part === 'string') return wrap(part, width).join('\n')
    const column = Math.min(COLUMN, Math.max(...part.map(([left]) => displayWidth(left))) + 4)
    return rows(part, style, column).join('\n')
  })
  const title = wrap(`${summary}.`, width).map((line) => style.bold(line))
  return [title.join('\n'), ...blocks].join('\n\n')
}

/** Column in which the second half of a help row begins. */
const COLUMN = 34

const rows = (pairs: Rows, style: Style, column = COLUMN): readonly string[] =>
  pairs.flatMap(([left, right]) => row(`  ${left}`, right, style.width, column))

type Rows = readonly CallRow[]

const quotes: Rows = [
  ['swap tokens', 'what can be traded'],
  ['swap price btc', 'mid, bid, ask and depth'],
  ['swap route 1.5 btc rune', 'the best single path'],
  ['swap sroute 1.5 btc rune', 'the amount divided over several paths'],
  ['swap sroute 1.5 btc rune --json', 'what a script reads'],
  ['swap sroute 1.5 btc rune --watch', 'the quote at every block'],
]

const onDemo: Rows = [
  ...quotes,
  ['swap execute 1 rune usdc --from demo', 'sign and send, inside the demo'],
]

const accounts = (isDemo: boolean): Rows => [
  ['swap keys new main', 'a key of your own, in an encrypted file'],
  [`swap balances ${isDemo ? 'demo' : 'main'}`, 'what an account holds'],
  ['swap history', 'swaps that were executed on chain'],
  ['swap serve', 'the same answers over HTTP'],
]

/** What `swap` alone prints: what the program is, its network, example calls, and where to read on. */
export function renderOverview(of: {
  readonly style: Style
  readonly version: string
  readonly network: string
}): string {
  const { style, version, network } = of
  const isDemo = network === 'demo'
  const place = isDemo
    ? `Network: ${style.accent('demo')} (inside the program: no key, made-up prices that move)`
    : `Network: ${networkName(network, style)}`
  const tried = isDemo ? onDemo : quotes
  const kept = accounts(isDemo)
  const column = Math.max(...[...tried, ...kept].map(([call]) => displayWidth(call))) + 5
  const lines = [
    `${style.bold(`swap ${version}`)}: the best way to swap tokens across on-chain order books`,
    place,
  ]
  const other = isDemo
    ? 'Step by step: swap demo tour.  The real market: swap config set network mainnet'
    : 'Back to the demo: swap config set network demo'
  return [
    ...lines.flatMap((line) => wrap(line, style.width)),
    '',
    'Try:',
    ...rows(tried, style, column),
    '',
    'Keys, balances, history, service:',
    ...rows(kept, style, column),
    '',
    ...wrap(other, style.width),
    ...wrap('All commands: swap help.  First steps: swap help first-steps', style.width),
  ].join('\n')
}
