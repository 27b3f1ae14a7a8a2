import type { App } from './app/app.js'
import type { DoctorPort } from './app/chain/doctor-port.js'
import type { DemoPort } from './app/demo.js'
import { runArbroute } from './cli/arbitrage/arbroute.js'
import { runArbs } from './cli/arbitrage/arbs.js'
import { runBalances } from './cli/ask/balances.js'
import { runBook } from './cli/ask/book.js'
import { runDoctor } from './cli/ask/doctor.js'
import { runSimulate } from './cli/ask/simulate.js'
import type { CommandName, Context, Parts, Run, Surroundings } from './cli/command.js'
import { runConfig } from './cli/config-list.js'
import { runDemo } from './cli/demo/demo.js'
import { stateFolder } from './cli/quote-store.js'
import { runRoute } from './cli/route/route.js'
import { runServe } from './cli/serve/run.js'
import { runSnapshot } from './cli/snapshot.js'
import { runCurve, runMax } from './cli/split/sizes.js'
import { runSroute } from './cli/split/sroute.js'
import { runTokens } from './cli/token-list.js'
import { runVersion } from './cli/version.js'
import { demoOptions } from './demo/blocks/options.js'
import { placesIn } from './demo/process/places.js'
import { SwapError } from './errors.js'
import { isOwnDemo } from './rim/chain-access.js'
import { openApp } from './rim/open-app.js'

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
  demo: runDemo,
  serve: runServe,
  doctor: runDoctor,
  version: runVersion,
}

/** What is known before the market is. */
type Given = Omit<Context, 'app' | 'demo' | 'doctor' | 'service'>

type Looking = DoctorPort & { close(): Promise<void> }

/** Does what a command says, with the market that the configuration names. */
export async function perform(
  name: CommandName,
  context: Given,
  ...call: [args: Parameters<Run>[1], flags: Parameters<Run>[2]]
): Promise<void> {
  const demo = () => demoOf(context.surroundings)
  const open = openApp(context, call[1])
  const { app } = open
  const service = () => partsOf(context, app, demo)
  let looking: Looking | undefined
  const doctor = async () => {
    const { doctorPort } = await import('./rim/doctor-port.js')
    return (looking ??= doctorPort(context.config, context.surroundings))
  }
  try {
    await runs[name]({ ...context, app, demo, doctor, service }, ...call)
  } finally {
    await Promise.all([open.close(), looking?.close()])
  }
}

/** What the service is built from: a saved market, the demo chain as it goes on, or a network. */
async function partsOf(context: Given, app: App, demo: () => Promise<DemoPort>): Promise<Parts> {
  const { fixedParts, demoParts, feedParts } = await import('./serve.js')
  if (context.config.values.snapshot !== undefined) return fixedParts((await app.venue()).market)
  if (!isOwnDemo(context.config)) {
    const { networkFeed } = await import('./rim/network-feed.js')
    return feedParts(async (told) => networkFeed(context.config, told))
  }
  const folder = stateFolder(context.surroundings) ?? ''
  return demoParts(demo, placesIn(folder, demoOptions.chainId).state)
}

/** The embedded chain with everything that runs it: loaded only by who asks for it. */
async function demoOf(surroundings: Surroundings): Promise<DemoPort> {
  const { demoPort, placesOfDemo } = await import('./demo/process/port.js')
  const folder = stateFolder(surroundings)
  if (folder === undefined)
    throw new SwapError('INVALID_REQUEST', 'there is no folder for the demo chain', {
      why: 'neither SWAP_HOME nor a home folder is known',
      hint: 'say where to keep it: SWAP_HOME=/some/folder',
    })
  const { execPath, execArgv, argv } = process
  return demoPort(placesOfDemo(folder), [execPath, ...execArgv, argv[1] ?? ''])
}
