import type { Network } from '../chain/networks/network.js'
import { type Nodes, openNodes } from '../chain/rpc/nodes.js'
import { sourceOf } from '../chain/rpc/source.js'
import { type DemoFiles, demoProcess } from '../demo-chain/index.js'
import { SwapError } from '../engine/errors.js'
import type { ContractClient } from '../service/answers/contract-limiter.js'
import { contractsThrough } from './chain-port.js'

/** The network whose contracts are called; `places` for the demo chain of this machine. */
export type Asked = {
  readonly network: Network
  readonly places?: DemoFiles | undefined
  /** Upper limit in milliseconds for the nodes, whatever a request allows. */
  readonly timeoutMs: number
}

/**
 * The contracts of a network for the service, over connections that the reading of markets does not
 * use. The demo chain is found where its process answers at the moment.
 */
export function contractClient({ network, places, timeoutMs }: Asked): ContractClient {
  let open: { readonly at: string; readonly nodes: Nodes } | undefined
  const nodesAt = (rpc: readonly string[], rest: readonly string[]): Nodes => {
    const at = rpc.join(' ')
    if (open?.at === at) return open.nodes
    open?.nodes.close()
    const nodes = openNodes({ chainId: network.chainId, rpc, rest, deadlineMs: timeoutMs })
    open = { at, nodes }
    return nodes
  }
  const present = (): Nodes => {
    if (places === undefined) return nodesAt(network.rpc, network.rest)
    const process = demoProcess(places)
    if (process !== undefined) return nodesAt([process.rpc], [process.rest])
    throw new SwapError('UPSTREAM_ERROR', 'the demo chain does not run', {
      why: 'its process has ended',
      hint: 'start it again: swap demo start',
      members: { upstream: 'the demo chain' },
    })
  }
  return {
    within(ms) {
      const nodes = present()
      const until = nodes.rpc.clock.now() + Math.min(ms, timeoutMs)
      return contractsThrough(sourceOf({ ...nodes, deadline: () => until }), network.name)
    },
    close: () => open?.nodes.close(),
  }
}
