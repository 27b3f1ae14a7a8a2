import { homedir } from 'node:os'
import type { Form, Surroundings } from '../cli/command.js'
import { commands } from '../cli/commands/index.js'
import { exitOf } from '../cli/exit.js'
import { renderHelp, renderIndex, renderOverview } from '../cli/help/help.js'
import {
  createOutput,
  type Display,
  type Output,
  processStreams,
  readDisplayFlags,
} from '../cli/output.js'
import { type Call, parseCall, quietnessOf } from '../cli/program.js'
import { type Config, loadConfig } from '../config/load.js'
import { settingNames } from '../config/schema.js'
import { SwapError } from '../engine/errors.js'
import { buildVersion } from '../platform/version.js'
import type { RealNetwork } from '../render/style.js'

/** Runs the command line of this process. Never throws: what goes wrong ends in an exit status. */
export async function start(argv: readonly string[]): Promise<void> {
  let open: Output | undefined
  let json = asksForJson(argv)
  // The streams are taken over once: as the configuration says, or before it, as the flags do.
  const output = (display = readDisplayFlags(argv)) =>
    (open ??= createOutput(processStreams(), process.env, display))
  const tell = async (error: unknown): Promise<void> => {
    await output().problem(error, { json })
    if (process.env['SWAP_TRACE'] && error instanceof Error) output().note(error.stack ?? '')
  }
  // What nobody waits for is a bug as well: it is told like one, and nothing goes on after it.
  process.once(
    'uncaughtException',
    (error) => void tell(error).finally(() => process.exit(exitOf.INTERNAL)),
  )
  try {
    if (argv[0] === '__complete') return await complete(argv.slice(1), output())
    const call = parseCall(argv, commands)
    if (call.kind !== 'run') return await inform(call, argv, output)
    const surroundings = environmentOf()
    const { config, fault } = await configOf(call, surroundings)
    json = config.values.output === 'json'
    await begin(call, {
      config,
      ...(fault && { fault }),
      surroundings,
      out: output({ ...config.values, real: titleOf(config) }),
      quiet: quietnessOf(argv),
    })
  } catch (error) {
    await tell(error)
  }
}

/** How titles call the network where money is at stake. A saved market moves none. */
function titleOf({ network, values }: Config): RealNetwork | undefined {
  if (!network.real || values.snapshot !== undefined) return undefined
  const names = [network.name, ...network.aliases]
  const shortest = names.reduce((a, b) => (b.length < a.length ? b : a))
  return { network: network.name, title: shortest.toUpperCase() }
}

/** Before configuration is read, only the call itself can say so. */
const asksForJson = (argv: readonly string[]): boolean =>
  argv.some(
    (word, i) =>
      /^--(nd)?json$|^--output=(nd)?json$/.test(word) ||
      (/^(nd)?json$/.test(word) && ['-o', '--output'].includes(argv[i - 1] ?? '')),
  )

async function inform(
  call: Exclude<Call, { kind: 'run' }>,
  argv: readonly string[],
  output: (display?: Display) => Output,
): Promise<void> {
  if (call.kind === 'version') return output().result(buildVersion)
  if (call.topic === undefined && !call.full) return welcome(argv, output)
  const out = output()
  return out.result(
    call.topic === undefined
      ? renderIndex(commands, out.style)
      : renderHelp(call.topic, commands, out.style, call.full),
  )
}

/** What `swap` alone prints: on which network it is, and what to try. */
async function welcome(
  argv: readonly string[],
  output: (display?: Display) => Output,
): Promise<void> {
  const config = await loadConfig({ ...environmentOf(), flags: {} }).catch(() => undefined)
  const out = output({ ...readDisplayFlags(argv), real: config && titleOf(config) })
  if (config === undefined) out.note('the configuration cannot be used: swap config check')
  const network = config?.network.name ?? 'demo'
  return out.result(renderOverview(commands, { style: out.style, version: buildVersion, network }))
}

/** What a shell asks that completes a line: answered without a word of anything else. */
async function complete(argv: readonly string[], out: Output): Promise<void> {
  const { answerShell } = await import('../cli/completion/answer.js')
  const faults = async () => (await import('../demo-chain/index.js')).demoFaults()
  await answerShell(argv, environmentOf(), commands, faults, out).catch(() => {})
}

type Run = Extract<Call, { kind: 'run' }>

/** The configuration; for a command that puts it right what is built in, where it cannot be used. */
async function configOf(
  call: Run,
  surroundings: Surroundings,
): Promise<{ readonly config: Config; readonly fault?: SwapError }> {
  const flags = settingFlags(call)
  try {
    const configFile = textOf(call.flags['config'])
    return { config: await loadConfig({ ...surroundings, configFile, flags }) }
  } catch (fault) {
    if (!(fault instanceof SwapError) || !putsRight(call)) throw fault
    const builtIn = await loadConfig({ ...surroundings, env: {}, configFile: null, flags })
    return { config: builtIn, fault }
  }
}

const putsRight = ({ command, args: [verb = ''] }: Run): boolean =>
  command.name === 'doctor' ||
  (command.name === 'config' && ['edit', 'path', 'set', 'unset'].includes(verb))

async function begin(
  { command, args, flags }: Run,
  given: {
    readonly config: Config
    readonly fault?: SwapError
    readonly surroundings: Surroundings
    readonly out: Output
    readonly quiet: number
  },
): Promise<void> {
  const { config, out, quiet, ...more } = given
  for (const note of config.notes) out.note(note)
  const form: Form = {
    kind: config.values.output,
    human: flags['output'] === 'human',
    quiet,
    atomic: flags['atomic'] === true,
  }
  // What a command computes with is loaded only now: help and errors do without.
  const { perform: run } = await import('./run-command.js')
  await run(command.name, { config, out, form, ...more }, args, flags)
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

function environmentOf(): Surroundings {
  const env = { ...process.env }
  // Whoever needs it reads the copy: a child process, a report and a trace get none.
  delete process.env['SWAP_PASSWORD']
  return { env, cwd: process.cwd(), home: homeOf(env), stdin: process.stdin }
}

/** `homedir()` asks the user database where there is no HOME; a script without one wants none. */
function homeOf(env: Surroundings['env']): string | undefined {
  if (process.platform !== 'win32') return env['HOME'] || undefined
  return homedir() || undefined
}

/** The texts of the flags that are settings, by the setting's name. */
function settingFlags({ command, flags }: Run): Record<string, string> {
  const given = settingNames.flatMap((name) => {
    const value = command.ownFlags?.includes(name) ? undefined : flags[name]
    if (value === true) return [[name, 'yes'] as const]
    if (Array.isArray(value)) return [[name, value.join(' ')] as const]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  // Events are documents too: one answer alone is one line in either form.
  const isJson = flags['json'] === true || flags['ndjson'] === true || flags['output'] === 'ndjson'
  const form = isJson ? 'json' : flags['csv'] === true ? 'csv' : undefined
  return { ...Object.fromEntries(given), ...(form !== undefined && { output: form }) }
}
