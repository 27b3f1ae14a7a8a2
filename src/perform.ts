import { venueOf } from './app/venue.js'
import type { CommandName, Context, Run } from './cli/command.js'
import { runConfig } from './cli/config-list.js'
import { runRoute } from './cli/route.js'
import { runSnapshot } from './cli/snapshot.js'
import { runTokens } from './cli/token-list.js'
import { runVersion } from './cli/version.js'
import { embeddedMarket } from './demo/embedded.js'
import type { Market } from './market/market.js'
import { readSnapshot } from './snapshot/file.js'

const runs: Readonly<Record<CommandName, Run>> = {
  tokens: runTokens,
  route: runRoute,
  snapshot: runSnapshot,
  config: runConfig,
  version: runVersion,
}

/** Does what a command says, with the market that the configuration names. */
export function perform(
  name: CommandName,
  context: Omit<Context, 'app'>,
  ...call: [args: Parameters<Run>[1], flags: Parameters<Run>[2]]
): Promise<void> {
  return runs[name]({ ...context, app: venueOf(() => marketOf(context)) }, ...call)
}

/** The market to answer from: a saved document, or the network's own. */
function marketOf({ config, surroundings }: Omit<Context, 'app'>): Promise<Market> {
  const { snapshot } = config.values
  return snapshot === undefined ? embeddedMarket() : readSnapshot(snapshot, surroundings.stdin)
}
