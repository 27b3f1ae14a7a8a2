import { Command as Commander, CommanderError, Option } from 'commander'
import { didYouMean } from '../config/suggest.js'
import { SwapError } from '../engine/errors.js'
import type { Command, Flag, FlagValues } from './command.js'
import { spellWatch } from './flags/watch-flags.js'
import { refuseSecrets } from './secret-flags.js'

/** Flags that every command takes, before or after its name. */
export const commonFlags: readonly Flag[] = [
  { flags: '--json', meaning: 'the document of the service, on one line' },
  { flags: '--ndjson', meaning: 'the same; with --watch an event a line' },
  { flags: '--csv', meaning: 'rows for a spreadsheet' },
  { flags: '-o, --output <form>', meaning: 'human, json, ndjson or csv' },
  { flags: '-q, --quiet', meaning: 'one value; -qq nothing' },
  { flags: '-n, --network <name>', meaning: 'demo, mainnet, or one of your own' },
  { flags: '--rpc <url>', meaning: 'a node of it; again for more, tried in order', many: true },
  { flags: '--rest <url>', meaning: 'a REST door of it; again for more', many: true },
  { flags: '--router-address <address>', meaning: 'another router contract' },
  { flags: '--router-dialect <name>', meaning: 'auto, forward or stack' },
  { flags: '--timeout <20s>', meaning: 'how long to wait for nodes in all' },
  { flags: '--max-age <10s>', meaning: 'oldest market to quote from' },
  { flags: '--snapshot <file>', meaning: 'quote from a saved market; - reads standard input' },
  { flags: '--color <when>', meaning: 'auto, always or never' },
  { flags: '--width <columns>', meaning: 'width of the output' },
  { flags: '--ascii', meaning: 'only ASCII characters' },
  { flags: '--config <file>', meaning: 'this file instead of .swaprc' },
]

/** A call taken apart, before anything is read or computed. */
export type Call =
  | {
      readonly kind: 'run'
      readonly command: Command
      readonly args: readonly string[]
      readonly flags: FlagValues
    }
  | { readonly kind: 'help'; readonly topic: string | undefined; readonly full: boolean }
  | { readonly kind: 'version' }

/**
 * Takes a command line apart. Commander does the reading; its complaints become errors of ours, with
 * the closest name.
 */
export function parseCall(argv: readonly string[], commands: readonly Command[]): Call {
  refuseSecrets(argv)
  let call: Call = { kind: 'help', topic: undefined, full: false }
  const program = newCommander('swap')
  program.option('-V, --version').option('-h, --help').argument('[words...]')
  program.action((words: string[], flags: FlagValues) => {
    call = withoutCommand(words, flags, commands)
  })
  for (const command of commands)
    addCommand(program, command, (args, flags) => {
      call = flags['help']
        ? { kind: 'help', topic: command.name, full: argv.includes('--help') }
        : { kind: 'run', command, args, flags }
    })
  const help = program.command('help').argument('[topic]')
  silence(help)
  help.action((topic?: string) => {
    call = { kind: 'help', topic, full: true }
  })
  try {
    program.parse([...spellWatch(argv)], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) throw misuse(error, argv, commands)
    throw error
  }
  return call
}

function newCommander(name: string): Commander {
  const program = silence(new Commander(name))
  for (const flag of commonFlags) addFlag(program, flag)
  return program
}

const silence = (program: Commander): Commander =>
  program
    .helpOption(false)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {}, outputError: () => {} })

function addFlag(program: Commander, { flags, many }: Flag): void {
  const option = new Option(flags)
  if (many) option.argParser((text: string, before: readonly string[] = []) => [...before, text])
  program.addOption(option)
}

function addCommand(
  program: Commander,
  command: Command,
  run: (args: readonly string[], flags: FlagValues) => void,
): void {
  const sub = silence(program.command(command.name).argument('[words...]').option('-h, --help'))
  for (const group of command.groups) for (const flag of group.flags) addFlag(sub, flag)
  sub.action((words: string[]) => run(words, sub.optsWithGlobals()))
}

function withoutCommand(
  words: readonly string[],
  flags: FlagValues,
  commands: readonly Command[],
): Call {
  if (flags['version']) return { kind: 'version' }
  const [word] = words
  if (word === undefined) return { kind: 'help', topic: undefined, full: flags['help'] === true }
  throw unknownCommand(word, commands)
}

/** A word that is no command, with the closest ones. */
export function unknownCommand(
  word: string,
  commands: readonly Command[],
  topics: readonly string[] = [],
): SwapError {
  const names = [...commands.map(({ name }) => name), 'help', ...topics]
  return new SwapError('INVALID_REQUEST', `no command "${word.slice(0, 40)}"`, {
    why: `there are ${names.join(', ')}`,
    hint: didYouMean(word, names) ?? 'see: swap help',
    members: { errors: [{ pointer: '', detail: 'not a command' }] },
  })
}

/** Commander's complaint in the words of this program. */
function misuse(
  error: CommanderError,
  argv: readonly string[],
  commands: readonly Command[],
): SwapError {
  // What follows an equals sign may be a secret under a misspelt flag.
  const message = error.message.replace(/^error: /, '').replace(/'(-[^'=]*)=[^']*'/, "'$1'")
  const flag = /'(-[^' ]*)[^']*'/.exec(message)?.[1]
  const command = commands.find(({ name }) => argv.includes(name))
  const known = [...commonFlags, ...(command?.groups ?? []).flatMap((group) => group.flags)]
    .flatMap(({ flags }) => flags.match(/--[a-z-]+/g) ?? [])
    .concat('--help', '--version')
  const unknown = error.code === 'commander.unknownOption' && flag !== undefined
  return new SwapError('INVALID_REQUEST', unknown ? `no flag "${flag}"` : message, {
    why:
      command === undefined
        ? 'see the flags that every command takes'
        : `${command.name} does not take it so`,
    hint: (unknown && didYouMean(flag, known)) || `see: swap help ${command?.name ?? ''}`.trimEnd(),
    members: { errors: [{ pointer: '', detail: message }] },
  })
}

/** How often `-q` was given, alone or in a bundle such as `-qq`. */
export const quietnessOf = (argv: readonly string[]): number =>
  argv.reduce((sum, word) => {
    if (word === '--quiet') return sum + 1
    const bundle = /^-(q+)$/.exec(word)?.[1]
    return sum + (bundle?.length ?? 0)
  }, 0)
