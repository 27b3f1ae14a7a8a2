import { sha256, toHex } from '../../../platform/encoding.js'
import type { Chain } from '../../blocks/chain.js'

/** The emulated version of CometBFT, by which cosmjs selects its client. */
export const COMET_VERSION = '0.38.19'
/** The emulated version of wasmd, which its errors name. */
export const APP_VERSION = 'v0.60.8'

/** Gas that a smart query may use unless the node is set otherwise: wasmd's own default. */
const QUERY_GAS = 3_000_000n

/** A chain and the node that serves it. */
export type Node = {
  readonly chain: Chain
  /** Gas that a smart query may use. */
  readonly queryGas: bigint
  /** 20 bytes, lower-case hex. */
  readonly id: string
}

export type NodeOptions = { readonly queryGas?: bigint }

/** A node that shows another view of its chain. */
export const nodeShowing = (node: Node, view: Chain | undefined): Node =>
  view ? { ...node, chain: view } : node

export const nodeOf = (chain: Chain, { queryGas = QUERY_GAS }: NodeOptions = {}): Node => ({
  chain,
  queryGas,
  id: toHex(sha256(`swap demo node ${chain.options.chainId}`)).slice(0, 40),
})
