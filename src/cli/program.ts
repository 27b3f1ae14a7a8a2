import { Command as Commander, CommanderError } from 'commander'
import type { SwapError } from '../engine/errors.js'
import { moreWordsMeant, spellArrow, takesTo, withoutConnector } from './arguments/swap-words.js'
import { type Command, type FlagValues, flagsOf, shownCommands, usageOf } from './command.js'
import { commonFlags } from './common-flags.js'
import { addFlag, secretFlags, secretRefused } from './flags/add-flag.js'
import { checkValues } from './flags/checked-flag.js'
import { presentFlags } from './flags/command-flags.js'
import { formerFlagsOf, spellWatch } from './flags/quote-flags.js'
import {
  excess,
  missingArgument,
  nameOf,
  tooMany,
  unknownCommand,
  unknownSubcommand,
  watchedEvery,
} from './invalid-request.js'
import { columnsOf, type Display } from './output.js'
import { unknownFlag, withoutValue } from './unknown-flag.js'

/** The parsed call of a command line. */
export type Call =
  | {
      readonly kind: 'run'
      readonly command: Command
      readonly args: readonly string[]
      readonly flags: FlagValues
    }
  | { readonly kind: 'help'; readonly topic: readonly string[]; readonly full: boolean }
  | { readonly kind: 'version' }

/** A parsed command line: its display settings, and its call or error. */
export type CommandLine = {
  readonly display: Display
  /** Print errors as documents. */
  readonly json: boolean
  /** Whether a flag names the form of the output. */
  readonly hasForm: boolean
  /** Number of `-q`, alone or in a bundle such as `-qq`. */
  readonly quiet: number
  readonly call: Call | { readonly kind: 'error'; readonly error: unknown }
}

/**
 * Parses a command line with commander. Common flags are parsed first, so that errors about the rest are
 * printed in the requested form.
 */
export function parseCommandLine(
  argv: readonly string[],
  commands: readonly Command[],
): CommandLine {
  const parsing = new CommandParser(commands)
  const call = parsing.parse(argv)
  const flags = parsing.program.opts<FlagValues>()
  const { color, width, output } = flags
  const json = Boolean(flags['json'] || flags['ndjson'] || output === 'json' || output === 'ndjson')
  return {
    display: {
      color: color === 'always' || color === 'never' ? color : 'auto',
      width: typeof width === 'string' ? columnsOf(width) : undefined,
      ascii: flags['ascii'] === true ? true : undefined,
      ...(flags['pager'] !== false && isPaged(call) && { pager: true }),
    },
    json,
    hasForm: json || output !== undefined || flags['csv'] === true,
    quiet: parsing.quiet,
    call,
  }
}

/** Commands that run until they are stopped, and commands with prompts, are not paged. */
function isPaged(call: CommandLine['call']): boolean {
  if (call.kind !== 'run') return call.kind === 'help'
  const { command, flags } = call
  const goesOn = ['watch', 'follow', 'stdin'].some((name) => flags[name] !== undefined)
  return !goesOn && flagsOf(command).every((flag) => flag.flags !== '--no-input')
}

/** One pass of commander over a command line. */
class CommandParser {
  readonly program = withoutOutput(new Commander('swap'))
  quiet = 0
  #argv: readonly string[] = []
  #call: Call = { kind: 'help', topic: [], full: false }
  /** The command being parsed, after its groups. */
  #path: readonly Command[] = []
  #parsed: Commander = this.program

  constructor(readonly commands: readonly Command[]) {
    const { program } = this
    for (const flag of commonFlags) addFlag(program, flag)
    for (const flags of ['-V, --version', '-h, --help', '--help-all']) program.option(flags)
    program.on('option:quiet', () => {
      this.quiet += 1
    })
    for (const flag of secretFlags) {
      program.option(`${flag} [value]`)
      program.on(`option:${flag.slice(2)}`, () => {
        throw secretRefused(flag)
      })
    }
    program.argument('[words...]').action(() => {
      this.#call = this.#withoutCommand(program.args)
    })
    this.#add(program, commands, [])
    withoutOutput(program.command('help').argument('[topic...]')).action((words: string[]) => {
      const topic = words[0] === 'help' ? words.slice(1) : words
      this.#call = { kind: 'help', topic, full: topic.length === 0 || this.#wantsAll }
    })
  }

  parse(argv: readonly string[]): CommandLine['call'] {
    this.#argv = argv
    try {
      this.program.parse([...spellArrow(spellWatch(argv))], { from: 'user' })
      return this.#call
    } catch (error) {
      if (!(error instanceof CommanderError)) return { kind: 'error', error }
      const isHelp = this.#asksForHelp && error.code !== 'commander.unknownOption'
      return isHelp ? this.#help() : { kind: 'error', error: this.#misuse(error) }
    }
  }

  /** Adds commands by name; flags and arguments are added when a command is called. */
  #add(parent: Commander, commands: readonly Command[], path: readonly Command[]): void {
    const byParsed = new Map(
      commands.map((command) => [withoutOutput(parent.command(command.name)), command]),
    )
    parent.hook('preSubcommand', (_, next) => {
      const command = byParsed.get(next)
      if (command !== undefined) this.#enter(next, [...path, command])
    })
  }

  #enter(parsed: Commander, path: readonly Command[]): void {
    const command = path.at(-1)!
    this.#refuseFlagsOfGroup()
    this.#path = path
    this.#parsed = parsed
    for (const flag of [...flagsOf(command), ...formerFlagsOf(command)]) addFlag(parsed, flag)
    for (const { form } of command.arguments ?? []) parsed.argument(form)
    parsed.allowExcessArguments(takesTo(command))
    if (command.commands !== undefined) {
      parsed.argument('[words...]')
      this.#add(parsed, command.commands, path)
    }
    parsed.action(() => {
      this.#call = this.#callOf(command, parsed)
    })
  }

  /** Commander parses a group's flags also after the name of a sub-command. */
  #refuseFlagsOfGroup(): void {
    if (this.#path.length === 0) return
    for (const option of this.#parsed.options)
      if (this.#parsed.getOptionValueSource(option.attributeName()) === 'cli')
        throw new CommanderError(
          1,
          'commander.unknownOption',
          `error: unknown option '${option.long}'`,
        )
  }

  #callOf(command: Command, parsed: Commander): Call {
    if (this.#asksForHelp) return this.#help()
    const [word] = parsed.args
    if (word !== undefined && shownCommands(command).length > 0)
      throw unknownSubcommand(word, this.#path)
    if (command.load === undefined) return this.#help()
    const needed = command.arguments?.length ?? 0
    const args = withoutConnector(command, parsed.args)
    if ((takesTo(command) || command.commands) && args.length > needed)
      throw this.#excess(command, args)
    const unnamed = command.arguments?.find(
      ({ values }, i) => values?.includes('file') && args[i] === '',
    )
    if (unnamed) throw missingArgument(unnamed.meaning, this.#usage)
    const flags = presentFlags(parsed.optsWithGlobals(), formerFlagsOf(command))
    checkValues(flagsOf(command), flags)
    return { kind: 'run', command, args, flags }
  }

  /** The form of the call. */
  get #usage(): string {
    return usageOf(this.#path)[0]?.[0] ?? ''
  }

  get #wantsAll(): boolean {
    return this.program.opts<FlagValues>()['helpAll'] === true
  }

  get #asksForHelp(): boolean {
    return this.program.opts<FlagValues>()['help'] === true || this.#wantsAll
  }

  #help(): Call & { readonly kind: 'help' } {
    const topic = this.#path.map(({ name }) => name)
    return {
      kind: 'help',
      topic,
      full: this.#wantsAll || (topic.length === 0 && this.#asksForHelp),
    }
  }

  #withoutCommand([word, ...more]: readonly string[]): Call {
    if (this.program.opts<FlagValues>()['version'] === true) return { kind: 'version' }
    if (word === undefined) return this.#help()
    throw unknownCommand(word, this.commands, { more })
  }

  /** Translates an error of commander. */
  #misuse(error: CommanderError): SwapError {
    const command = this.#path.at(-1)
    if (command !== undefined && error.code === 'commander.missingArgument') {
      const missing = command.arguments?.[this.#parsed.args.length]
      return missingArgument(missing?.meaning ?? 'an argument', this.#usage, this.#parsed.args)
    }
    if (command !== undefined && error.code === 'commander.excessArguments')
      return this.#excess(command)
    const [word, ...more] = error.code === 'commander.unknownOption' ? this.#unknownWords() : []
    if (word !== undefined)
      return command
        ? unknownSubcommand(word, this.#path)
        : unknownCommand(word, this.commands, { more })
    const [flag = ''] = /(?<=')-.*(?=')/.exec(error.message) ?? []
    return error.code === 'commander.optionMissingArgument'
      ? withoutValue(flag, this.#path)
      : unknownFlag(flag, this.#path, this.#argv)
  }

  /** The unknown word in place of a command, and the words up to a flag: its flags are then unknown as well. */
  #unknownWords(): readonly string[] {
    const at = this.#path.reduce((from, { name }) => this.#argv.indexOf(name, from) + 1, 0)
    const word = this.#argv[at]
    const known = this.#path.length === 0 ? this.commands : this.#path.at(-1)!.commands
    if (!known || !word || /^(-|help$)/.test(word) || known.some(({ name }) => name === word))
      return []
    const flag = this.#argv.findIndex((each, i) => i > at && each.startsWith('-'))
    return this.#argv.slice(at, flag === -1 ? undefined : flag)
  }

  #excess(command: Command, args: readonly string[] = this.#parsed.args): SwapError {
    const [watch, time = ''] = this.#argv.slice(this.#argv.indexOf('--watch'))
    if (watch === '--watch' && /^\d+(\.\d+)?(ms|s|m|h)$/.test(time) && args.includes(time))
      return watchedEvery(time)
    const more = args.slice(command.arguments?.length ?? 0)
    const name = nameOf(this.#path)
    if (this.#path.some(({ isPrivate }) => isPrivate)) return tooMany(more.length, this.#usage)
    const isSwap = takesTo(command) && command.arguments?.length === 3
    const meant = isSwap ? moreWordsMeant(args, name) : undefined
    return meant ?? excess(name, more, flagsOf(command), this.#usage)
  }
}

const withoutOutput = (program: Commander): Commander =>
  program
    .helpOption(false)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {}, outputError: () => {} })
