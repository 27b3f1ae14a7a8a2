import type { Style } from '../render/style.js'
import { wrap } from '../render/width.js'
import type { Command, Flag } from './command.js'
import { commonFlags, unknownCommand } from './program.js'

/** What `swap` alone prints: the program in ten lines. */
export function renderOverview(
  commands: readonly Command[],
  style: Style,
  version: string,
): string {
  const names = commands.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`)
  return [
    `${style.bold(`swap ${version}`)} · ${style.cyan('demo')} market (no network, no key, made-up prices)`,
    '',
    'Try, in this order:',
    '  swap tokens                        what can be traded',
    '  swap route 1.5 btc rune            the best single path',
    '  swap route 1.5 btc rune --explain  every level of it, and why others lost',
    '  swap sroute 1.5 btc rune           the same, divided over several paths',
    '  swap route 1.5 btc rune --json     what a script sees',
    '  swap arbs                          circles that pay',
    '',
    'Commands:',
    ...names,
    '',
    'Help on one: swap help route      on a topic: swap help exit, flags, amounts',
  ].join('\n')
}

/** Help for a command or a topic. Throws for a word that is neither. */
export function renderHelp(topic: string, commands: readonly Command[], style: Style): string {
  const command = commands.find(({ name }) => name === topic)
  if (command !== undefined) return commandHelp(command, style)
  const text = topics.get(topic)
  if (text === undefined) throw unknownCommand(topic, commands)
  return text
}

function commandHelp(command: Command, style: Style): string {
  const heading = (title: string) => style.bold(title)
  const rows = (pairs: readonly (readonly [string, string])[], lead = '  ') =>
    pairs.flatMap(([left, right]) => row(`${lead}${left}`, right, style.width))
  const blocks = [
    `${command.summary}.`,
    [heading('USAGE'), ...rows(command.usage)].join('\n'),
    [heading('EXAMPLES'), ...rows(command.examples, '  $ ')].join('\n'),
    ...command.groups.map(({ title, flags }) =>
      [heading(title), ...rows(flags.map(flagRow))].join('\n'),
    ),
    [heading('COMMON'), ...rows(commonFlags.map(flagRow))].join('\n'),
    `${heading('EXIT')}  ${command.exit}   (swap help exit)`,
  ]
  return blocks.join('\n\n')
}

const flagRow = ({ flags, meaning }: Flag) => [flags, meaning] as const

/** Column in which the second half of a help row begins. */
const COLUMN = 34

function row(left: string, right: string, width: number): readonly string[] {
  const lines = wrap(right, Math.max(24, Math.min(width, 100) - COLUMN))
  const indent = ' '.repeat(COLUMN)
  if (left.length >= COLUMN) return [left, ...lines.map((line) => indent + line)]
  return lines.map((line, i) => (i === 0 ? left.padEnd(COLUMN) : indent) + line)
}

const topics: ReadonlyMap<string, string> = new Map([
  [
    'exit',
    [
      'Exit codes say what to do next.',
      '',
      '   0  ok: the command did what it says',
      '   2  fix the call: amount, token, flag or document cannot be used',
      '   3  no route, or not for this amount',
      '   4  no answer from the chain: try again later',
      '   5  a guard of yours refused: --min-out, --max-impact',
      '  11  the market is halted',
      '  13  another process holds the chain or the port',
      '  70  a bug in this program',
      ' 141  whoever read the output stopped reading',
    ].join('\n'),
  ],
  [
    'amounts',
    [
      'Amounts are exact. What could be read in two ways is refused.',
      '',
      '  1.5 btc   1.5btc      1.5 BTC',
      '  25_000 usdc           25,000; the underscore is the only separator',
      '  usdc 40000 rune       the amount you want to receive: 40,000 RUNE',
      '  $500 usdc             worth 500 dollars at the mid price',
      '  --atomic 150000000    base units',
      '',
      'Refused: 0, -1, 1,5 (1.5 or 1500?), 1e6, 0x10, more digits than the token has.',
    ].join('\n'),
  ],
  [
    'flags',
    ['Flags that every command takes, before or after its name:', '']
      .concat(commonFlags.map(({ flags, meaning }) => `  ${flags.padEnd(28)} ${meaning}`))
      .join('\n'),
  ],
])
