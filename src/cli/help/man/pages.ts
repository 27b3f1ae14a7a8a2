import { type Command, examplesOf, namedCommands, shownCommands, usageOf } from '../../command.js'
import { commands } from '../../commands/index.js'
import { commonFlags } from '../../common-flags.js'
import { callLines, topicsOf } from '../help.js'
import { type Topic, topics } from '../topics.js'

/** Escapes a text for roff: no requests, no escapes, and hyphens that can be copied. */
export const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replaceAll('→', '\\(->')
    .replaceAll('…', '...')
    .replaceAll('·', '\\(bu')

/**
 * The header of a page, and its name and summary with the separator that `apropos` expects. It has no date, so that
 * builds are reproducible.
 */
const opening = (
  name: string,
  section: 1 | 7,
  version: string,
  summary: string,
): readonly string[] => [
  `.TH ${name.toUpperCase()} ${section} "" "swap ${version}" "swap"`,
  '.nh',
  '.ad l',
  heading('NAME'),
  `${roff(name)} \\- ${roff(summary)}`,
]

const heading = (text: string): string => `.SH ${text}`

/** A heading below another one. */
const subheading = (text: string): string => `.SS ${text}`

/** Terms with their meanings, indented below or beside them. */
const entries = (rows: readonly (readonly [string, string])[]): readonly string[] =>
  rows.flatMap(([term, meaning]) => ['.TP', `.B ${roff(term)}`, roff(meaning)])

const verbatim = (lines: readonly string[]): readonly string[] => ['.nf', ...lines.map(roff), '.fi']

/** Every manual page by the name of its file, written from the same data as the help. */
export function manPages(version: string): ReadonlyMap<string, string> {
  return new Map([
    ['swap.1', page(overview(version))],
    ...commands.map(
      (command) => [`swap-${command.name}.1`, page(commandPage(command, version))] as const,
    ),
    ...topics.map((topic) => [`swap-${topic.name}.7`, page(topicPage(topic, version))] as const),
  ])
}

const page = (lines: readonly string[]): string => `${lines.join('\n')}\n`

function overview(version: string): readonly string[] {
  const summary = 'the best way to swap one token for another over on-chain order books'
  return [
    ...opening('swap', 1, version, summary),
    heading('SYNOPSIS'),
    roff('swap <command> [<amount> <token> <token>] [flags]'),
    heading('DESCRIPTION'),
    roff(
      'Quotes are exact to the last atomic. Without a configuration they are those of the demo chain inside the program: no network, no key, made-up prices.',
    ),
    heading('COMMANDS'),
    ...entries(commands.map(({ name, summary: what }) => [`swap ${name}`, `${what}.`] as const)),
    heading('FLAGS'),
    ...entries(commonFlags.map(({ flags, meaning }) => [flags, meaning] as const)),
    heading('SEE ALSO'),
    seeAlso([
      ...commands.map(({ name }) => `swap-${name}(1)`),
      ...topics.map(({ name }) => `swap-${name}(7)`),
    ]),
  ]
}

/** Columns of a terminal that a page is written for, without the indentation of its text. */
const WIDTH = 80 - 7

/** A group without examples of its own has those in the sections of its commands. */
function commandPage(command: Command, version: string): readonly string[] {
  const { name, summary, exit = '0 ok' } = command
  const inner = namedCommands(shownCommands(command), `${name} `)
  return [
    ...opening(`swap-${name}`, 1, version, summary),
    heading('SYNOPSIS'),
    ...entries(usageOf([command])),
    ...flagEntries(command, heading),
    ...inner.flatMap(([call, each]) => [
      heading(`swap ${call}`.toUpperCase()),
      roff(`${each.summary}.`),
      ...flagEntries(each, subheading),
      ...exampleEntries(each, subheading),
      ...(each.exit === undefined ? [] : [subheading('EXIT STATUS'), roff(each.exit)]),
    ]),
    ...Object.entries(command.listings ?? {}).flatMap(([title, lines]) => [
      heading(title),
      ...verbatim(lines),
    ]),
    heading('COMMON FLAGS'),
    roff('The flags of every command are in swap(1).'),
    ...(inner.length === 0 || command.examples !== undefined
      ? exampleEntries(command, heading)
      : []),
    heading('EXIT STATUS'),
    roff(exit),
    heading('SEE ALSO'),
    seeAlso(['swap(1)', ...topicsOf([command]).map((topic) => `swap-${topic}(7)`), 'swap-exit(7)']),
  ]
}

const flagEntries = ({ flags }: Command, titled: (title: string) => string): readonly string[] =>
  Object.entries(flags ?? {}).flatMap(([title, group]) => [
    titled(title),
    ...entries(group.map((each) => [each.flags, each.meaning])),
  ])

const exampleEntries = (command: Command, titled: (title: string) => string): readonly string[] => [
  titled('EXAMPLES'),
  ...examplesOf(command).flatMap(example),
]

const example = ([call, what]: readonly [string, string]): readonly string[] => [
  '.PP',
  roff(what),
  ...verbatim(callLines(call, WIDTH)),
]

const topicPage = ({ name, summary, parts }: Topic, version: string): readonly string[] => [
  ...opening(`swap-${name}`, 7, version, summary),
  heading('DESCRIPTION'),
  ...parts.flatMap((part) => (typeof part === 'string' ? ['.PP', roff(part)] : entries(part))),
  heading('SEE ALSO'),
  seeAlso(['swap(1)']),
]

const seeAlso = (names: readonly string[]): string => names.map(roff).join(', ')
