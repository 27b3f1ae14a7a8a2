import { existsSync } from 'node:fs'
import type { Network } from '../../chain/networks/network.js'
import { NodeFault, unlessFaulty } from '../../chain/rpc/faults.js'
import { sharedHeight } from '../../chain/rpc/node-pool.js'
import { type Nodes, type NodesOptions, openNodes } from '../../chain/rpc/nodes.js'
import type { Source } from '../../chain/rpc/query-source.js'
import { sourceOf } from '../../chain/rpc/source.js'
import { earliestHeight } from '../../chain/trades/block-range.js'
import { readBlock, versionsOf } from '../../chain/trades/read.js'
import { routerCreation, viewerOf } from '../../chain/trades/view.js'
import { type DemoFiles, demoProcess, openDemoChain } from '../../demo-chain/index.js'
import type { HistoryChain } from '../../history/indexer/indexing.js'
import { atNodes, type ChainPlace } from '../chain-access.js'

/** Milliseconds within which a node made a block whose height bounds the blocks to index. */
const RISEN_MS = 20_000

/** A chain to index, up to the newest block that two nodes have, read from its nodes. */
export function historyChain(network: Network, nodes: Nodes): HistoryChain {
  const ofNodes = sourceOf(nodes)
  const heights = async () => {
    const newest = await ofNodes.newestHeight()
    const terms = { withinMs: RISEN_MS, most: Number.POSITIVE_INFINITY }
    return { newest, shared: sharedHeight(nodes.rpc, newest, terms) ?? newest }
  }
  const source: Source = {
    ...ofNodes,
    newestHeight: async () => (await heights()).shared,
    /** A refusal of one node stands if no other one answers: what is indexed stays. */
    async queries(questions, height) {
      const answers = await ofNodes.queries(questions, height)
      const refused = questions.filter((_, at) => !answers[at]!.ok)
      if (refused.length === 0) return answers
      const lists = (await unlessFaulty(() => ofNodes.queriesOfEach?.(refused, height))) ?? []
      return answers.map((answer, at) => {
        const asked = refused.indexOf(questions[at]!)
        return lists.map((list) => list[asked]).find((other) => other?.ok) ?? answer
      })
    },
  }
  return {
    router: network.router.address ?? '',
    newest: () => source.newestHeight(),
    async unshared() {
      const { newest, shared } = await heights()
      return newest - shared > nodes.rpc.limits.behind ? newest - shared : 0
    },
    earliest: () => earliestHeight(nodes),
    creation: () => routerCreation(network, source),
    block: (height) => readBlock(nodes, height),
    versions: (block) => versionsOf(nodes, block),
    viewer: viewerOf(network, source),
  }
}

export type IndexedChain = ChainPlace & {
  /** For each call to the nodes, in milliseconds; the whole has no limit. */
  readonly timeoutMs: number
}

/** An open chain to be indexed. */
type OpenChain = { readonly chain: HistoryChain; close(): void }

/**
 * Opens the nodes of a chain to index. The demo chain is the running one, which is found at other ports, or one in
 * this process until one runs.
 */
export async function openIndexed({ timeoutMs, ...located }: IndexedChain): Promise<OpenChain> {
  const { network, places } = located
  const options = { chainId: network.chainId, deadlineMs: timeoutMs }
  const open = ({ rpc, rest }: Network): OpenChain => {
    const nodes = openNodes({ ...options, rpc, rest })
    return { chain: historyChain(network, nodes), close: () => nodes.close() }
  }
  const running = atNodes(located, open, 'kept')
  let embedded = places && (await openEmbedded(network, places, options))
  const closeEmbedded = () => {
    embedded?.close()
    embedded = undefined
  }
  let isClosed = false
  const chain = (): HistoryChain => {
    // Reads that go on after a failure would open the nodes again, and nothing would close them.
    if (isClosed) throw new NodeFault('closed', 'the chain', 'is no longer queried')
    if (embedded && places && demoProcess(places) !== undefined) closeEmbedded()
    return (embedded ?? running.now()).chain
  }
  return {
    chain: {
      // Not `chain().router`: a process that ends just now would end the indexing.
      router: network.router.address ?? '',
      newest: async () => chain().newest(),
      unshared: async () => chain().unshared(),
      earliest: async () => chain().earliest(),
      creation: async () => chain().creation(),
      block: async (height) => chain().block(height),
      versions: async (block) => chain().versions(block),
      viewer: { at: async (...args) => chain().viewer.at(...args) },
    },
    close() {
      isClosed = true
      closeEmbedded()
      running.close()
    },
  }
}

/** The demo chain in this process; `undefined` where a process runs it. */
async function openEmbedded(
  network: Network,
  places: DemoFiles,
  options: Omit<NodesOptions, 'rpc'>,
): Promise<OpenChain | undefined> {
  const demo = await openDemoChain(places)
  if (demo.kind !== 'embedded') return undefined
  const { embeddedNodes } = await import('../embedded-nodes.js')
  const nodes = embeddedNodes(demo, options)
  const chain = historyChain(network, nodes)
  // A chain that is not saved yet may be started with other options: nothing of it is indexed.
  const newest = async () => (existsSync(places.state) ? chain.newest() : 0)
  return {
    chain: { ...chain, newest },
    close() {
      nodes.close()
      demo.close()
    },
  }
}
