import type { Command, FlagValues, Form, Surroundings } from '../cli/command.js'
import { commandGroups, commands, everyCommand, networkCommands } from '../cli/commands/index.js'
import { settingFlags } from '../cli/common-flags.js'
import { fileFault } from '../cli/exit.js'
import { textOf } from '../cli/flags/checked-flag.js'
import { marketCommands } from '../cli/flags/quote-flags.js'
import { createOutput, type Display, type Output, type Streams } from '../cli/output.js'
import { type Call, type CommandLine, parseCommandLine } from '../cli/program.js'
import { listingOrders, onNetwork, repeating } from '../config/configured.js'
import { type Config, loadConfig } from '../config/load.js'
import { SwapError } from '../engine/errors.js'
import { exitStatusOf } from '../operations/problem.js'
import { attempt } from '../platform/attempt.js'
import { buildVersion } from '../platform/version.js'
import type { RealNetwork } from '../render/style.js'

/** The parts of the process that the program uses; tests pass their own. */
export type Host = Surroundings & {
  readonly streams: Streams
  /** The command line that starts this program again: Node, its flags and the file. */
  readonly self: readonly string[]
  /** Calls the listener with an uncaught exception; the process ends afterwards. */
  onCrash?(listener: (error: unknown) => Promise<void>): void
}

/**
 * Runs a command line. Never throws: errors are printed and become an exit status.
 *
 * @returns the exit status, which is also passed to `streams.setExit`
 */
export async function runCli(argv: readonly string[], host: Host): Promise<number> {
  let status = 0
  const { stdout, stderr, setExit } = host.streams
  const streams: Streams = {
    stdout,
    stderr,
    setExit(value) {
      status = value
      setExit(value)
    },
  }
  // Created once: from the configuration if it could be read, otherwise from the flags.
  let created: Output | undefined
  const output = (display: Display) => (created ??= createOutput(streams, host.env, display))
  if (argv[0] === '__complete') {
    await answerCompletion(argv.slice(1), host, output(plainDisplay))
    return status
  }
  const line = parseCommandLine(argv, everyCommand)
  let json = line.hasForm ? line.json : undefined
  let isIndented = false
  let height: number | undefined
  const report = async (error: unknown): Promise<void> => {
    let out = created
    if (out === undefined || json === undefined) {
      const { config, display } = await configuredDisplay(line.display, host)
      out = output(display)
      json ??= (config?.values.output ?? host.env['SWAP_OUTPUT']) === 'json'
    }
    await out.problem(error, { json, height, isIndented })
    if (host.env['SWAP_TRACE'] && error instanceof Error) out.note(error.stack ?? '')
  }
  host.onCrash?.(report)
  try {
    if (line.call.kind === 'error') throw line.call.error
    if (line.call.kind !== 'run') await printInformation(line.call, line.display, host, output)
    else {
      // Read while the configuration is loaded.
      loadCommand(line.call.command).catch(() => {})
      const { config, fault } = await configOf(line.call, host)
      json = config.values.output === 'json'
      isIndented = json && stdout.isTTY === true && isOneDocument(line.call)
      const isForPeople = line.call.flags['output'] === 'human'
      const { pager } = line.display
      const onMarket = onSavedMarket(line.call.flags)
      const onItsNetwork = onNetwork(config, networkCommands)
      const ofAccount = listingOrders(textOf(line.call.flags, 'from'))
      const suggest = (text: string) => onMarket(onItsNetwork(ofAccount(text)))
      const real = titleOf(config)
      const out = output({ ...config.values, real, suggest, isForPeople, pager })
      const reportHeight = (at: number) => {
        height = at
      }
      await startCommand(line.call, line, host, {
        config,
        out,
        opened: reportHeight,
        isIndented,
        ...(fault && { fault }),
      })
    }
  } catch (error) {
    await report(fileFault(error))
  }
  return status
}

/** Repeats the saved market or the recorded block of a call in the suggested commands that answer from one. */
function onSavedMarket(flags: FlagValues): (text: string) => string {
  const [snapshot, tape, at] = ['snapshot', 'tape', 'at'].map((name) => textOf(flags, name))
  const answering = marketCommands(commands)
  return tape !== undefined && at !== undefined
    ? repeating(['--tape', tape, '--at', at], answering, true)
    : repeating(snapshot === undefined ? [] : ['--snapshot', snapshot], [...answering, 'serve'])
}

/** The exit status of an uncaught exception. */
export const crashStatus = exitStatusOf('INTERNAL')

const plainDisplay: Display = { color: 'never', width: undefined, ascii: undefined }

/** The network's name in titles, if real money is at stake; a saved market has none. */
function titleOf({ network, values }: Config): RealNetwork | undefined {
  if (!network.real || values.snapshot !== undefined) return undefined
  const names = [network.name, ...network.aliases]
  const shortest = names.reduce((a, b) => (b.length < a.length ? b : a))
  return { network: network.name, title: shortest.toUpperCase() }
}

type Outputs = (display: Display) => Output

/** Display settings of a call that runs no command: flags, then the configuration where it can be used. */
async function configuredDisplay(display: Display, host: Host) {
  const config = await loadConfig({ ...sourcesOf(host), flags: {} }).catch(() => undefined)
  const { color = 'auto', width, ascii } = config?.values ?? {}
  return {
    config,
    display: {
      ...display,
      color: display.color === 'auto' ? color : display.color,
      width: display.width ?? width,
      ascii: display.ascii ?? ascii,
      real: config && titleOf(config),
    },
  }
}

/** Prints the version or help. */
async function printInformation(
  call: Exclude<CommandLine['call'], { kind: 'run' | 'error' }>,
  display: Display,
  host: Host,
  output: Outputs,
): Promise<void> {
  if (call.kind === 'version') return output(display).result(buildVersion)
  const { renderHelp, renderIndex, renderOverview } = await import('../cli/help/help.js')
  const { config, display: configured } = await configuredDisplay(display, host)
  const out = output(configured)
  const { style } = out
  if (call.topic.length > 0)
    return out.result(renderHelp(call.topic, everyCommand, style, call.full))
  if (call.full) return out.result(renderIndex(commandGroups, style))
  // `swap` without arguments: the network, and commands to try.
  if (config === undefined) out.note('the configuration cannot be used: swap config check')
  const network = config?.network.name ?? 'demo'
  return out.result(renderOverview({ style, version: buildVersion, network }))
}

/** Answers a shell's completion request; on errors prints nothing. */
async function answerCompletion(argv: readonly string[], host: Host, out: Output): Promise<void> {
  const { answerShell } = await import('../cli/completion/candidates.js')
  const load = {
    faults: async () => (await import('../demo-chain/index.js')).demoFaults(),
    schemas: async () => {
      const { documentSchemas } = await import('../cli/commands/schema/run.js')
      return [...(await documentSchemas(commands)).keys()]
    },
  }
  await answerShell(argv, host, commands, load, out).catch(() => {})
}

type Run = Extract<Call, { kind: 'run' }>

/** Standard input is opened only by commands that read it. */
const sourcesOf = ({ env, cwd, home }: Surroundings) => ({ env, cwd, home })

/** The configuration; the built-in one for commands that repair an unreadable file. */
async function configOf(
  call: Run,
  host: Host,
): Promise<{ readonly config: Config; readonly fault?: SwapError }> {
  const flags = settingFlags(call.command, call.flags)
  const sources = sourcesOf(host)
  const { config: file } = call.flags
  try {
    const configFile = typeof file === 'string' ? file : undefined
    return { config: await loadConfig({ ...sources, configFile, flags }) }
  } catch (fault) {
    if (!(fault instanceof SwapError) || call.command.repairsConfig !== true) throw fault
    return { config: await loadConfig({ ...sources, env: {}, configFile: null, flags }), fault }
  }
}

/** What a command starts with. */
type StartState = {
  readonly config: Config
  readonly out: Output
  readonly isIndented: boolean
  readonly fault?: SwapError
  /** Called with the height of the answering market. */
  opened(height: number): void
}

async function startCommand(
  { command, args, flags }: Run,
  { quiet }: CommandLine,
  host: Host,
  { opened, isIndented, ...given }: StartState,
): Promise<void> {
  const { config, out } = given
  for (const note of config.notes) out.note(note)
  const form: Form = {
    kind: config.values.output,
    quiet,
    verbose: flags['verbose'] === true,
    atomic: flags['atomic'] === true,
  }
  const [run, { runCommand }] = await Promise.all([
    loadCommand(command),
    import('./run-command.js'),
  ])
  const withOutput = { ...given, out: isIndented ? indented(out) : out }
  const context = { ...withOutput, form, surroundings: host, commands, self: host.self }
  await runCommand(run, { ...context, opened }, args, flags)
}

/** Whether a command prints one document rather than one a line. */
const isOneDocument = ({ command, flags }: Run): boolean =>
  !command.isStream &&
  flags['output'] !== 'ndjson' &&
  ['ndjson', 'watch', 'stdin'].every((name) => !flags[name])

/** The same output with a document on several lines, for a terminal; several documents are one a line. */
const indented = (out: Output): Output => ({
  ...out,
  result: (text) =>
    out.result(
      (/^[[{]/.test(text) && attempt(() => JSON.stringify(JSON.parse(text), null, 2))) || text,
    ),
})

function loadCommand({ name, load }: Command) {
  if (load === undefined) throw new Error(`nothing runs ${name}`)
  return load()
}
