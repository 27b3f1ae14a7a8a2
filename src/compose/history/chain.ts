import type { Network } from '../../chain/networks/network.js'
import { type Nodes, openNodes } from '../../chain/rpc/nodes.js'
import { sourceOf } from '../../chain/rpc/source.js'
import { earliestHeight, readBlock } from '../../chain/trades/read.js'
import { routerCreation, viewerOf } from '../../chain/trades/view.js'
import { type DemoFiles, demoProcess, openDemoChain } from '../../demo-chain/index.js'
import type { HistoryChain } from '../../history/indexer/chain.js'

/** A chain to index, read from its nodes. */
export function historyChain(network: Network, nodes: Nodes): HistoryChain {
  const source = sourceOf(nodes)
  return {
    router: network.router.address ?? '',
    newest: () => source.newestHeight(),
    earliest: () => earliestHeight(nodes),
    creation: () => routerCreation(network, source),
    block: (height) => readBlock(nodes, height),
    viewer: viewerOf(network, source),
  }
}

/** The chain to index; `places` for the demo chain of this machine. */
export type Indexed = {
  readonly network: Network
  readonly places?: DemoFiles
  /** For each call to the nodes, in milliseconds; the whole has no limit. */
  readonly timeoutMs: number
}

/** An open chain to be indexed. */
export type OpenChain = { readonly chain: HistoryChain; close(): void }

/** Opens the nodes of a chain to index: the running demo chain, or one in this process. */
export async function openIndexed({ network, places, timeoutMs }: Indexed): Promise<OpenChain> {
  const options = { chainId: network.chainId, deadlineMs: timeoutMs }
  const real = (rpc: readonly string[], rest: readonly string[]) => {
    const nodes = openNodes({ ...options, rpc, rest })
    return { chain: historyChain(network, nodes), close: () => nodes.close() }
  }
  if (places === undefined) return real(network.rpc, network.rest)
  const demo = await openDemoChain(places, 'read')
  if (demo.kind === 'running')
    return moving(
      demo,
      ({ rpc, rest }) => real([rpc], [rest]),
      () => demoProcess(places),
    )
  const { embeddedNodes } = await import('../embedded-nodes.js')
  const nodes = embeddedNodes(demo, options)
  return {
    chain: historyChain(network, nodes),
    close() {
      nodes.close()
      demo.close()
    },
  }
}

/** The endpoint of a process. */
type Doors = { readonly rpc: string; readonly rest: string }

/** The demo chain of a process that may be restarted at other ports. */
function moving(
  first: Doors,
  open: (doors: Doors) => OpenChain,
  find: () => Doors | undefined,
): OpenChain {
  let doors = first
  let now = open(first)
  const present = (): HistoryChain => {
    const found = find() ?? doors
    if (found.rpc !== doors.rpc) {
      now.close()
      ;[doors, now] = [found, open(found)]
    }
    return now.chain
  }
  return {
    chain: {
      router: now.chain.router,
      newest: async () => present().newest(),
      earliest: async () => present().earliest(),
      creation: async () => present().creation(),
      block: async (height) => present().block(height),
      viewer: { at: async (...asked) => present().viewer.at(...asked) },
    },
    close: () => now.close(),
  }
}
