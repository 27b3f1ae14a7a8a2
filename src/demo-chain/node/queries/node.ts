import { createHash } from 'node:crypto'
import type { Chain } from '../../blocks/chain.js'

/** The CometBFT that the node answers like. cosmjs picks its client by it. */
export const COMET_VERSION = '0.38.19'
/** The Cosmos SDK that it answers like. */
export const SDK_VERSION = 'v0.53.6'
/** The application that it answers like: wasmd, whose errors name this version. */
export const APP_VERSION = 'v0.60.8'

/** Gas that a smart query may use unless the node is set otherwise: wasmd's own default. */
const QUERY_GAS = 3_000_000n

/** A chain and the identity of the node that serves it. */
export type Node = {
  readonly chain: Chain
  /** Gas that a smart query may use. */
  readonly queryGas: bigint
  readonly moniker: string
  /** 20 bytes, lower-case hex. */
  readonly id: string
  /** Where its RPC listens, e.g. `tcp://127.0.0.1:26657`. */
  readonly rpcAddress: string
}

export type NodeOptions = Partial<Pick<Node, 'queryGas' | 'moniker' | 'rpcAddress'>>

/** A node that shows another view of its chain. */
export const nodeShowing = (node: Node, view: Chain | undefined): Node =>
  view ? { ...node, chain: view } : node

/** The node of a chain, with defaults for the rest. */
export const nodeOf = (chain: Chain, options: NodeOptions = {}): Node => ({
  chain,
  queryGas: options.queryGas ?? QUERY_GAS,
  moniker: options.moniker ?? 'demo',
  rpcAddress: options.rpcAddress ?? 'tcp://127.0.0.1:26657',
  id: createHash('sha256')
    .update(`swap demo node ${chain.options.chainId}`)
    .digest('hex')
    .slice(0, 40),
})
