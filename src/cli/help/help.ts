import { networkName } from '../../render/layout.js'
import { glyphsOf, type Style, toAscii } from '../../render/style.js'
import { wrap } from '../../render/width.js'
import type { Command, CommandName, Flag } from '../command.js'
import { tourSteps } from '../commands/demo/tour/steps.js'
import { commonFlags, unknownCommand } from '../program.js'
import { topicNames, topicsOf } from './topics/index.js'
import type { Topic } from './topics/topic.js'

/** What `swap` alone prints: the network it is on, and what to try, in this order. */
export function renderOverview(
  commands: readonly Command[],
  {
    style,
    version,
    network,
  }: { readonly style: Style; readonly version: string; readonly network: string },
): string {
  const names = commands.map(({ name }) => name)
  const steps = tourSteps(names).flatMap(({ command, overview }) =>
    overview === undefined
      ? []
      : [[`  ${style.ascii ? toAscii(command) : command}`, overview] as const],
  )
  const tried =
    network === 'demo' ? steps : steps.filter(([call]) => !/ (execute|demo) /.test(call))
  const column = Math.max(...tried.map(([call]) => call.length)) + 3
  const { dot } = glyphsOf(style)
  const isDemo = network === 'demo'
  const place = isDemo
    ? `${style.cyan('demo')} market (no network, no key, made-up prices that move)`
    : networkName(network, style)
  return [
    ...wrap(`${style.bold(`swap ${version}`)} ${dot} ${place}`, style.width),
    '',
    'Try, in this order:',
    ...tried.flatMap(([call, what]) => row(call, what, style.width, column)),
    '',
    ...(isDemo
      ? wrap(
          'Step by step: swap demo tour.  Leave the demo: swap config set network mainnet',
          style.width,
        )
      : wrap('Back to the demo: swap config set network demo', style.width)),
    ...wrap('Commands: swap help.  First steps: swap help first-steps', style.width),
  ].join('\n')
}

/** The commands in their groups, as `swap help` lists them; what stands in no group comes last. */
const groups: readonly (readonly [string, readonly string[]])[] = [
  [
    'LOOK',
    [
      'tokens',
      'route',
      'sroute',
      'simulate',
      'arbs',
      'arbroute',
      'curve',
      'max',
      'book',
      'history',
    ],
  ],
  ['ACT', ['execute', 'resume', 'tx', 'balances', 'journal']],
  ['SET UP', ['keys', 'config', 'completion', 'doctor', 'demo', 'snapshot', 'schema', 'version']],
  ['RUN', ['serve']],
]

/** What `swap help` prints: every command, the topics, and how a call is built. */
export function renderIndex(commands: readonly Command[], style: Style): string {
  const grouped = groups.flatMap(([, names]) => names)
  const others = commands.filter(({ name }) => !grouped.includes(name)).map(({ name }) => name)
  const byName = new Map<string, Command>(commands.map((command) => [command.name, command]))
  const blocks = [...groups, ['MORE', others] as const].flatMap(([title, names]) => {
    const rows = names.flatMap((name) => {
      const command = byName.get(name)
      return command === undefined ? [] : row(`  ${name}`, command.summary, style.width, 14)
    })
    return rows.length === 0 ? [] : [[style.bold(title), ...rows].join('\n')]
  })
  return [
    'swap <command> [<amount> <token> <token>] [flags]',
    ...blocks,
    [
      style.bold('HELP'),
      ...row('  swap help <command>', 'examples, flags, exit statuses', style.width, 24),
      ...row('  swap help <topic>', topicNames.join(', '), style.width, 24),
    ].join('\n'),
  ].join('\n\n')
}

/** Help for a command or a topic. Throws for a word that is neither. */
export function renderHelp(
  word: string,
  commands: readonly Command[],
  style: Style,
  full = true,
): string {
  const command = commands.find(({ name }) => name === word)
  if (command !== undefined) return full ? commandHelp(command, style) : shortHelp(command, style)
  const topic = topicsOf(commands.map(({ name }) => name)).find(({ name }) => name === word)
  if (topic === undefined) throw unknownCommand(word, commands, topicNames)
  return topicHelp(topic, style)
}

function commandHelp(command: Command, style: Style): string {
  const blocks = [
    ...opening(command, style),
    ...command.groups.map((group) => flagBlock(group, style)),
    flagBlock({ title: 'COMMON', flags: commonFlags }, style),
    ...closing(command, style),
  ]
  return blocks.join('\n\n')
}

/** What `-h` prints: the calls, the examples and the flags of its own. */
function shortHelp(command: Command, style: Style): string {
  const common = commonFlags.slice(0, 6).flatMap(({ flags }) => flags.match(/--[a-z]+/g) ?? [])
  const rest = `${style.bold('COMMON')}  ${common.join(' ')} ...   (swap help flags)`
  return [
    ...opening(command, style),
    ...command.groups.map((group) => flagBlock(group, style)),
    [rest, ...closing(command, style)].join('\n'),
  ].join('\n\n')
}

const opening = (command: Command, style: Style): readonly string[] => [
  wrap(`${command.summary}.`, Math.min(style.width, 100)).join('\n'),
  [style.bold('USAGE'), ...rows(command.usage, style)].join('\n'),
  [style.bold('EXAMPLES'), ...rows(command.examples, style, '  $ ')].join('\n'),
]

const flagBlock = ({ title, flags }: Command['groups'][number], style: Style): string =>
  [style.bold(title), ...rows(flags.map(flagRow), style)].join('\n')

const closing = ({ name, exit }: Command, style: Style): readonly string[] => {
  const topics = (learnt[name] ?? ['scripts']).map((topic) => `swap help ${topic}`)
  const dot = ` ${glyphsOf(style).dot} `
  const told = [
    ...labelled('EXIT', `${exit}   (swap help exit)`, style),
    ...labelled('LEARN', [...topics, `man swap-${name}`].join(dot), style),
  ]
  return [told.join('\n')]
}

/** A heading with a text beside it. */
const labelled = (label: string, text: string, style: Style): readonly string[] =>
  wrap(text, Math.max(24, Math.min(style.width, 100) - 8)).map(
    (line, i) =>
      (i === 0 ? style.bold(label) + ' '.repeat(8 - label.length) : ' '.repeat(8)) + line,
  )

/** The topics that go with a command. */
const learnt: { readonly [Name in CommandName]?: readonly string[] } = {
  route: ['amounts', 'watching'],
  sroute: ['splitting', 'watching'],
  arbs: ['watching'],
  book: ['watching'],
  config: ['environment'],
  demo: ['first-steps'],
}

function topicHelp({ summary, parts }: Topic, style: Style): string {
  const width = Math.min(style.width, 100)
  const blocks = parts.map((part) => {
    if (typeof part === 'string') return wrap(part, width).join('\n')
    const column = Math.min(COLUMN, Math.max(...part.map(([left]) => left.length)) + 4)
    return part.flatMap(([left, right]) => row(`  ${left}`, right, style.width, column)).join('\n')
  })
  return [style.bold(`${summary}.`), ...blocks].join('\n\n')
}

const flagRow = ({ flags, meaning }: Flag) => [flags, meaning] as const

/** Column in which the second half of a help row begins. */
const COLUMN = 34

const rows = (
  pairs: readonly (readonly [string, string])[],
  style: Style,
  lead = '  ',
): readonly string[] =>
  pairs.flatMap(([left, right]) => row(`${lead}${left}`, right, style.width, COLUMN))

/** The least columns that the second half needs beside the first; else it stands below. */
const BESIDE = 24

function row(left: string, right: string, width: number, column: number): readonly string[] {
  if (width < column + BESIDE)
    return [left, ...wrap(right, Math.max(BESIDE, width - 6)).map((line) => `      ${line}`)]
  const lines = wrap(right, Math.max(BESIDE, Math.min(width, 100) - column))
  const indent = ' '.repeat(column)
  if (left.length > column - 2) return [left, ...lines.map((line) => indent + line)]
  return lines.map((line, i) => (i === 0 ? left.padEnd(column) : indent) + line)
}
