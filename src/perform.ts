import { existsSync } from 'node:fs'
import type { DemoPort } from './app/demo.js'
import { venueOf } from './app/venue.js'
import type { CommandName, Context, Run, Surroundings } from './cli/command.js'
import { runConfig } from './cli/config-list.js'
import { runDemo } from './cli/demo.js'
import { stateFolder } from './cli/quote-store.js'
import { runRoute } from './cli/route.js'
import { runSnapshot } from './cli/snapshot.js'
import { runTokens } from './cli/token-list.js'
import { runVersion } from './cli/version.js'
import { demoOptions } from './demo/blocks/options.js'
import { embeddedMarket } from './demo/embedded.js'
import { placesIn } from './demo/process/places.js'
import { SwapError } from './errors.js'
import type { Market } from './market/market.js'
import { readSnapshot } from './snapshot/file.js'

const runs: Readonly<Record<CommandName, Run>> = {
  tokens: runTokens,
  route: runRoute,
  snapshot: runSnapshot,
  config: runConfig,
  demo: runDemo,
  version: runVersion,
}

/** Does what a command says, with the market that the configuration names. */
export function perform(
  name: CommandName,
  context: Omit<Context, 'app' | 'demo'>,
  ...call: [args: Parameters<Run>[1], flags: Parameters<Run>[2]]
): Promise<void> {
  const demo = () => demoOf(context.surroundings)
  return runs[name]({ ...context, app: venueOf(() => marketOf(context)), demo }, ...call)
}

/** The market to answer from: a saved document, or the network's own. */
function marketOf({ config, surroundings }: Omit<Context, 'app' | 'demo'>): Promise<Market> {
  const { snapshot } = config.values
  return snapshot === undefined
    ? demoMarket(surroundings)
    : readSnapshot(snapshot, surroundings.stdin)
}

/** The demo chain's newest block; the embedded market where it has not made one yet. */
async function demoMarket(surroundings: Surroundings): Promise<Market> {
  const folder = stateFolder(surroundings)
  const { state } = placesIn(folder ?? '', demoOptions.chainId)
  if (folder === undefined || !existsSync(state)) return embeddedMarket()
  const { savedMarket } = await import('./demo/process/market.js')
  return savedMarket(state) ?? embeddedMarket()
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
