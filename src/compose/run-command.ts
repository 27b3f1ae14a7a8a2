import type { CommandName, Context, Parts, Run, Surroundings } from '../cli/command.js'
import { runArbroute } from '../cli/commands/arbroute/run.js'
import { runArbs } from '../cli/commands/arbs/run.js'
import { runBalances } from '../cli/commands/balances/run.js'
import { runBook } from '../cli/commands/book/run.js'
import { runCompletion } from '../cli/commands/completion/run.js'
import { runConfig } from '../cli/commands/config/run.js'
import { runCurve, runMax } from '../cli/commands/curve/run.js'
import { runDemo } from '../cli/commands/demo/run.js'
import type { ExecutionParts } from '../cli/commands/execute/dependencies.js'
import { runHistory } from '../cli/commands/history/run.js'
import { runRoute } from '../cli/commands/route/run.js'
import { runSchema } from '../cli/commands/schema/run.js'
import { runServe } from '../cli/commands/serve/run.js'
import { runSimulate } from '../cli/commands/simulate/run.js'
import { runSnapshot } from '../cli/commands/snapshot/run.js'
import { runSroute } from '../cli/commands/sroute/run.js'
import { runTokens } from '../cli/commands/tokens/run.js'
import { runVersion } from '../cli/commands/version/run.js'
import { rememberNames } from '../cli/completion/cache.js'
import { stateFolder } from '../cli/quotes/quote-store.js'
import { SwapError } from '../engine/errors.js'
import type { App } from '../operations/context.js'
import type { DemoPort } from '../operations/demo-port.js'
import type { DoctorPort } from '../operations/doctor/doctor-port.js'
import { demoPlaces, isOwnDemo } from './chain-access.js'
import { openApp } from './open-market.js'

const runs: Readonly<Record<CommandName, Run>> = {
  tokens: runTokens,
  route: runRoute,
  sroute: runSroute,
  arbs: runArbs,
  arbroute: runArbroute,
  curve: runCurve,
  max: runMax,
  simulate: runSimulate,
  book: runBook,
  balances: runBalances,
  snapshot: runSnapshot,
  config: runConfig,
  completion: runCompletion,
  schema: runSchema,
  demo: runDemo,
  // Whatever touches keys is loaded by who asks for it: the service never holds any of it.
  keys: async (...call) => (await import('../cli/commands/keys/run.js')).runKeys(...call),
  execute: async (...call) => (await import('../cli/commands/execute/run.js')).runExecute(...call),
  resume: async (...call) => (await import('../cli/commands/resume/run.js')).runResume(...call),
  tx: async (...call) => (await import('../cli/commands/tx/run.js')).runTx(...call),
  journal: async (...call) => (await import('../cli/commands/journal/run.js')).runJournal(...call),
  history: runHistory,
  serve: runServe,
  doctor: async (...call) => (await import('../cli/commands/doctor/run.js')).runDoctor(...call),
  version: runVersion,
}

/** What is known before the market is. */
type Given = Omit<Context, 'app' | 'demo' | 'doctor' | 'history' | 'execution' | 'service'>

type Looking = DoctorPort & { close(): Promise<void> }

/** Does what a command says, with the market that the configuration names. */
export async function perform(
  name: CommandName,
  context: Given,
  ...call: [args: Parameters<Run>[1], flags: Parameters<Run>[2]]
): Promise<void> {
  const demo = () => demoOf(context.surroundings)
  const open = openApp(context, call[1])
  let isRead = false
  const app: App = {
    ...open.app,
    venue() {
      isRead = true
      return open.app.venue()
    },
  }
  const service = () => partsOf(context, app, demo)
  const history = async () => {
    const { historyAccess } = await import('./history/access.js')
    return historyAccess(context.config, context.surroundings)
  }
  let executing: Promise<ExecutionParts & { close(): void }> | undefined
  const execution = () =>
    (executing ??= import('./execution/dependencies.js').then(({ executionParts }) =>
      executionParts(context.config, context.surroundings, { demo, note: context.out.note }),
    ))
  const looking: Looking[] = []
  const doctor = async (config = context.config) => {
    const { doctorPort } = await import('./doctor-port.js')
    const port = doctorPort(config, context.surroundings)
    looking.push(port)
    return port
  }
  try {
    await runs[name]({ ...context, app, demo, doctor, history, execution, service }, ...call)
    if (isRead && context.config.values.snapshot === undefined)
      await rememberNames(context.surroundings, context.config, open.app)
  } finally {
    const parts = await executing?.catch(() => undefined)
    parts?.close()
    await Promise.all([open.close(), ...looking.map((port) => port.close())])
  }
}

/** What the service is built from: a saved market, the demo chain as it goes on, or a network. */
async function partsOf(context: Given, app: App, demo: () => Promise<DemoPort>): Promise<Parts> {
  const { fixedParts, demoParts, networkParts, withHistory } = await import('./serve.js')
  const { config, surroundings } = context
  if (config.values.snapshot !== undefined) return fixedParts((await app.venue()).market)
  const parts = isOwnDemo(config)
    ? demoParts(config, demo, demoPlaces(surroundings))
    : networkParts(config)
  return withHistory(parts, config, surroundings)
}

/** The embedded chain with everything that runs it: loaded only by who asks for it. */
async function demoOf(surroundings: Surroundings): Promise<DemoPort> {
  const { demoFiles, openDemoCommands } = await import('../demo-chain/index.js')
  const folder = stateFolder(surroundings)
  if (folder === undefined)
    throw new SwapError('INVALID_REQUEST', 'there is no folder for the demo chain', {
      why: 'neither SWAP_HOME nor a home folder is known',
      hint: 'say where to keep it: SWAP_HOME=/some/folder',
    })
  const { execPath, execArgv, argv } = process
  return openDemoCommands(demoFiles(folder), [execPath, ...execArgv, argv[1] ?? ''])
}
