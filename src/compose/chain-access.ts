import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Network } from '../chain/networks/network.js'
import type { Nodes } from '../chain/rpc/nodes.js'
import type { Surroundings } from '../cli/command.js'
import { isOwnDemo } from '../config/configured.js'
import type { Config } from '../config/load.js'
import { type DemoFiles, demoFiles, demoProcess, openDemoChain } from '../demo-chain/index.js'
import { SwapError } from '../engine/errors.js'
import { stateFolder } from '../platform/user-folders.js'

/** A network with known nodes. */
export type Access = { readonly network: Network; readonly nodes: Nodes }

/** Chain access of a command, with a renewable time limit. */
export type OpenAccess = Access & { renewTimeout(): void; close(): void }

/** The folder of the demo chain; a temporary one without a home folder. */
export const demoPlaces = (surroundings: Surroundings): DemoFiles =>
  demoFiles(stateFolder(surroundings) ?? join(tmpdir(), `swap-${process.pid}`))

/**
 * Opens the configured network: the demo chain where it runs, else inside this process; another one at its
 * endpoints. Nothing is queried yet. One deadline applies to all queries until it is renewed.
 */
export async function openAccess(config: Config, surroundings: Surroundings): Promise<OpenAccess> {
  const { network, values } = config
  const { openNodes } = await import('../chain/rpc/nodes.js')
  const options = { chainId: network.chainId, deadlineMs: values.timeout }
  const accessTo = (target: Network, opened: Nodes, close = () => opened.close()): OpenAccess => {
    // The whole command has one deadline, not each of its calls.
    let deadlineAt = opened.deadline()
    return {
      network: target,
      nodes: { ...opened, deadline: () => deadlineAt },
      renewTimeout() {
        deadlineAt = opened.deadline()
      },
      close,
    }
  }
  const accessToReal = (target: Network) =>
    accessTo(target, openNodes({ ...options, rpc: target.rpc, rest: target.rest }))
  if (!isOwnDemo(config)) return accessToReal(network)
  const opened = await openDemoChain(demoPlaces(surroundings))
  if (opened.kind === 'running')
    return accessToReal({ ...network, rpc: [opened.rpc], rest: [opened.rest] })
  const { embeddedNodes } = await import('./embedded-nodes.js')
  const nodes = embeddedNodes(opened, options)
  return accessTo(network, nodes, () => {
    nodes.close()
    opened.close()
  })
}

/** The network that a long-running process reads; `places` for the demo chain of this machine. */
export type ChainPlace = { readonly network: Network; readonly places?: DemoFiles | undefined }

/**
 * A resource opened at the nodes of a network. For the demo chain it is reopened when the process has
 * restarted at other ports.
 *
 * @param whenStopped whether the last resource is kept while no demo chain process runs
 */
export function atNodes<T extends { close(): void }>(
  { network, places }: ChainPlace,
  open: (network: Network) => T,
  whenStopped: 'kept' | 'closed' = 'closed',
): { now(): T; close(): void } {
  let last: { readonly at: string; readonly opened: T } | undefined
  const close = (): void => {
    last?.opened.close()
    last = undefined
  }
  return {
    close,
    now() {
      const running = places && demoProcess(places)
      if (places !== undefined && running === undefined) {
        if (last !== undefined && whenStopped === 'kept') return last.opened
        close()
        throw notRunning()
      }
      const processKey = running === undefined ? '' : `${running.pid} ${running.rpc}`
      if (last?.at === processKey) return last.opened
      close()
      const target = running ? { ...network, rpc: [running.rpc], rest: [running.rest] } : network
      last = { at: processKey, opened: open(target) }
      return last.opened
    },
  }
}

const notRunning = (): SwapError =>
  new SwapError('UPSTREAM_ERROR', 'the demo chain does not run', {
    why: 'its process has ended',
    hint: 'start it again: swap demo start',
    members: { upstream: 'the demo chain' },
  })
