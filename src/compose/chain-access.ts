import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demo } from '../chain/networks/demo.js'
import type { Network } from '../chain/networks/network.js'
import type { Nodes } from '../chain/rpc/nodes.js'
import type { Surroundings } from '../cli/command.js'
import type { Config } from '../config/load.js'
import { type DemoFiles, demoFiles, openDemoChain } from '../demo-chain/index.js'
import { stateFolder } from '../platform/user-folders.js'

/** A network whose nodes are known. */
export type Access = {
  readonly network: Network
  readonly nodes: Nodes
  /** The files of the demo chain if it runs in this process, which alone then makes its blocks. */
  readonly embedded: boolean
  close(): void
}

/** Access of a command, whose time limit can be restarted. */
export type TimedAccess = Access & { renewTimeout(): void }

/** The folder of the demo chain; `undefined` without a home folder. */
export const demoPlaces = (surroundings: Surroundings): DemoFiles =>
  demoFiles(stateFolder(surroundings) ?? join(tmpdir(), `swap-${process.pid}`))

/** Whether the configured network is the demo chain, in this process or another. */
export const isOwnDemo = ({ network, values }: Config): boolean =>
  network.name === demo.name && values.rpc === undefined

/**
 * Opens the network of the configuration: the demo chain where it runs, else inside this process;
 * another one at its endpoints. Nothing is asked yet. One deadline holds for all that is asked,
 * until it is renewed.
 */
export async function openAccess(config: Config, surroundings: Surroundings): Promise<TimedAccess> {
  const { network, values } = config
  const [{ openNodes }, { systemClock }] = await Promise.all([
    import('../chain/rpc/nodes.js'),
    import('../chain/rpc/clock.js'),
  ])
  const options = {
    chainId: network.chainId,
    deadlineMs: values.timeout,
  }
  const deadlineFromNow = () => systemClock.now() + values.timeout
  let deadlineAt = deadlineFromNow()
  const renewTimeout = (): void => {
    deadlineAt = deadlineFromNow()
  }
  /** The whole command has one deadline, not each of its calls. */
  const until = (nodes: Nodes): Nodes => ({ ...nodes, deadline: () => deadlineAt })
  const real = (given: Network): TimedAccess => {
    const nodes = until(openNodes({ ...options, rpc: given.rpc, rest: given.rest }))
    return { network: given, nodes, embedded: false, renewTimeout, close: () => nodes.close() }
  }
  if (!isOwnDemo(config)) return real(network)
  const opened = await openDemoChain(demoPlaces(surroundings), 'read')
  if (opened.kind === 'running') return real({ ...network, rpc: [opened.rpc], rest: [opened.rest] })
  const { embeddedNodes } = await import('./embedded-nodes.js')
  const nodes = until(embeddedNodes(opened, options))
  const close = () => {
    nodes.close()
    opened.close()
  }
  return { network, nodes, embedded: true, renewTimeout, close }
}
