import { join } from 'node:path'
import { demo as demoNetwork } from '../../chain/networks/demo.js'
import { type Nodes, openNodes } from '../../chain/rpc/nodes.js'
import type { Surroundings } from '../../cli/command.js'
import type { ExecutionParts } from '../../cli/execution/dependencies.js'
import { isOwnDemo } from '../../config/configured.js'
import type { Config } from '../../config/load.js'
import type { DemoCommands } from '../../demo-chain/index.js'
import { invalidRequest, SwapError } from '../../engine/errors.js'
import { journalIn, newIntentId } from '../../execution/journal/journal.js'
import { ledgerIn } from '../../execution/journal/ledger-file.js'
import { lockAccount, lockPlan } from '../../execution/journal/lock.js'
import type { Chain } from '../../execution/ports.js'
import { stateFolders } from '../../platform/user-folders.js'
import { executionChain } from './execution-chain.js'

/** Poll intervals, in milliseconds: several per block of a demo chain, one per second elsewhere. */
const DEMO_POLL_INTERVAL_MS = 200
const POLL_INTERVAL_MS = 1_000

/** Starts the demo chain if necessary, and prints a note about it. */
type DemoStarter = {
  readonly demo: () => Promise<DemoCommands>
  note(text: string): void
}

/** The dependencies of the commands that sign and send. Nodes are connected on first use. */
export function executionParts(
  config: Config,
  surroundings: Surroundings,
  { demo, note }: DemoStarter,
): ExecutionParts & { close(): void } {
  const { network } = config
  const folders = stateFolders(surroundings)
  if (folders === undefined)
    throw new SwapError('INVALID_REQUEST', 'there is no folder for the journal', {
      why: 'neither SWAP_HOME nor a home folder is known, and nothing is signed without a journal',
      hint: 'say where to keep it: SWAP_HOME=/some/folder',
    })
  let nodes: Nodes | undefined
  let chain: Promise<Chain> | undefined
  const open = async (): Promise<Chain> => {
    if (config.values.snapshot !== undefined) throw onlySaved()
    const isOwn = isOwnDemo(config)
    const resolvedNetwork = isOwn ? await runningDemo(network, { demo, note }) : network
    const { rpc, rest } = resolvedNetwork
    // No overall deadline: confirmations and blocks take their time.
    nodes = openNodes({
      chainId: network.chainId,
      rpc,
      rest,
      deadlineMs: config.values.timeout,
    })
    return executionChain({ network: resolvedNetwork, nodes, isOwn })
  }
  return {
    journal: journalIn(folders.journal, note),
    ledger: ledgerIn(ledgerFolder(surroundings) ?? folders.limits),
    lock: (owner, waitMs) => lockAccount(folders.locks, owner, waitMs),
    lockPlan: (plan, waitMs) => lockPlan(folders.locks, plan, waitMs),
    newId: newIntentId,
    chain: () => (chain ??= open()),
    pollIntervalMs: network.name === demoNetwork.name ? DEMO_POLL_INTERVAL_MS : POLL_INTERVAL_MS,
    close: () => nodes?.close(),
  }
}

/** One folder per user, independent of `SWAP_HOME`: limits apply across all state folders. */
function ledgerFolder({ env, home }: Surroundings): string | undefined {
  if (env['XDG_STATE_HOME']) return join(env['XDG_STATE_HOME'], 'swap-limits')
  return home === undefined ? undefined : join(home, '.local', 'state', 'swap-limits')
}

/** Starts the demo chain as a process of its own: only a chain that makes blocks includes transactions. */
async function runningDemo(
  network: Config['network'],
  { demo, note }: DemoStarter,
): Promise<Config['network']> {
  const { status, already } = await (await demo()).start({})
  const { rpc, rest, pid } = status
  if (!already) note(`process ${pid} runs the demo chain from now on; end it: swap demo stop`)
  if (rpc === null || rest === null) throw new Error('a demo chain that was started has endpoints')
  return { ...network, rpc: [rpc], rest: [rest] }
}

const onlySaved = (): SwapError =>
  invalidRequest('a saved market executes nothing', '/snapshot', {
    why: 'there is no chain behind it',
    hint: 'leave --snapshot out',
  })
