import type { Block, Chain } from '../../../src/demo-chain/blocks/chain.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { FaultBoard } from '../../../src/demo-chain/faults/board.js'
import { changedChain, type FaultRequest } from '../../../src/demo-chain/faults/fault.js'
import { faultyChain } from '../../../src/demo-chain/faults/middleware.js'
import { type NodeServer, serveChain } from '../../../src/demo-chain/node/server.js'
import { closing } from '../../support/closing.js'

/** The view of a node that shows its newest block under a height that the chain does not have yet. */
function aheadView(chain: Chain, by: number): Chain {
  const newest = chain.height
  const top = newest + by
  const shown = (block: Block, height: number): Block => ({
    ...block,
    header: { ...block.header, height },
  })
  return changedChain(chain, {
    height: top,
    indexed: top,
    announced: shown(chain.announced, top),
    block(height) {
      const block = chain.block(Math.min(height, newest))
      return block && height <= top ? shown(block, height) : undefined
    },
    machineAt: (height) => chain.machineAt(Math.min(height, newest)),
    stateAt: (height) => (height > top ? undefined : chain.stateAt(Math.min(height, newest))),
  })
}

/** A node that says it is so many blocks ahead of its chain. */
export async function nodeAhead(
  chain: EmbeddedChain,
  by: number,
  fault?: FaultRequest,
): Promise<NodeServer> {
  const board = new FaultBoard()
  if (fault !== undefined) board.add(fault, chain.height)
  const faulty = faultyChain(chain, board)
  return closing(
    await serveChain(faulty.chain, {
      rpcPort: 0,
      restPort: 0,
      middleware: (request, next) =>
        faulty.middleware(request, (view = faulty.chain) => next(aheadView(view, by))),
    }),
  )
}
