import { demo } from '../../../src/chain/networks/demo.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { chainPort } from '../../../src/compose/chain-port.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { marketSnapshotOf } from '../../../src/demo-chain/genesis/market-snapshot.js'
import type { DemoDocument, DemoPool } from '../../../src/demo-chain/market/document.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import type { ChainPort, SimulateResult } from '../../../src/operations/chain-port.js'
import { type OperationContext, openOnce } from '../../../src/operations/context.js'
import { type FaultyNode, noPauses, openNode } from '../../chain/rpc/stage.js'
import { chainOf, majorPairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'

export const btc = 'btc-btc'
export const rune = 'rune'
export const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

/**
 * A demo chain behind a socket, and an operation context that reads it as any other chain; closed after the
 * test, or with `closingLast` after the file.
 */
export type Stage = {
  readonly chain: EmbeddedChain
  readonly node: FaultyNode
  readonly port: ChainPort
  /** A context with the market as of the newest or of a given height. */
  app(height?: number): OperationContext
}

export async function stage(
  options: Parameters<typeof chainOf>[0] = { life: false },
  market = majorPairs,
  close = closing,
): Promise<Stage> {
  const chain = chainOf(options, market)
  const node = close(await openNode(chain))
  const rpc = [node.rpc]
  const nodes = close(
    openNodes({
      chainId: demo.chainId,
      rpc,
      rest: [node.rest],
      deadlineMs: 20_000,
      limits: noPauses,
    }),
  )
  const network = { ...demo, rpc, rest: [node.rest] }
  const port = chainPort({ network, nodes })
  return {
    chain,
    node,
    port,
    app: (height) => ({ ...openOnce(() => port.market(height)), chain: async () => port }),
  }
}

const halved = (pools: readonly DemoPool[]) =>
  pools.map(({ price, total }) => ({ price, total: `${BigInt(total) / 2n + 1n}` }))

/** The chain's market with half of the resting orders unknown, marked as incomplete. */
export function halfKnown({ chain, port }: Stage, ask: ChainPort = port): OperationContext {
  const document = JSON.parse(JSON.stringify(marketSnapshotOf(chain))) as DemoDocument
  const open = document.pairs.filter(({ status }) => status === 'open')
  const pairs = open.map(({ balances: _, ...pair }) => ({
    ...pair,
    pools: { base: halved(pair.pools.base), quote: halved(pair.pools.quote) },
    makers: [],
    ranges: [{ idx: '1' }],
  }))
  const market = decodeSnapshot({ ...document, pairs }, 'half of the market')
  return { ...openOnce(async () => market), chain: async () => ask }
}

type Question = Parameters<ChainPort['simulations']>[0][number]

/** The chain whose contracts answer simulations otherwise. */
export const answering = (
  port: ChainPort,
  change: (each: SimulateResult, asked: Question) => SimulateResult,
): ChainPort => ({
  ...port,
  simulations: async (asked, height) =>
    (await port.simulations(asked, height)).map((each, i) => change(each, asked[i]!)),
})

/** The chain whose contracts return other amounts. */
export const returning = (port: ChainPort, change: (returned: bigint) => bigint): ChainPort =>
  answering(port, (each) =>
    each.kind === 'answered' ? { ...each, returned: change(each.returned) } : each,
  )

/** A context whose contracts return `change` more than they would. */
export const falsified = (
  context: OperationContext,
  port: ChainPort,
  change: bigint,
): OperationContext => ({
  ...context,
  chain: async () => returning(port, (returned) => returned + change),
})
