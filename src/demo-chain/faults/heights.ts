import { sha256, toUpperHex } from '../../platform/encoding.js'
import type { Block, Chain } from '../blocks/chain.js'
import { changedChain, type FaultKind, faultsOf, type ViewChange } from './fault.js'

const NANOSECONDS = 1_000_000_000n

/** The view of a node whose newest block is `height`. */
function chainUpTo(chain: Chain, height: number): Chain {
  const top = Math.max(chain.earliest, Math.min(height, chain.height))
  const block = chain.block(top)
  if (top === chain.height || !block) return chain
  return changedChain(chain, {
    height: top,
    announced: block,
    indexed: Math.min(chain.indexed, top),
    ...withBlocks(chain, (each) => (each.header.height <= top ? each : undefined)),
    stateAt: (at) => (at > top ? undefined : chain.stateAt(at)),
  })
}

const someBack: ViewChange = (chain, { n }) => chainUpTo(chain, chain.height - n)

/** Changes or hides every block, in lookups by height and by transaction. */
const withBlocks = (chain: Chain, change: (of: Block) => Block | undefined) => {
  const each = (block: Block | undefined) => block && change(block)
  return {
    block: (height: number) => each(chain.block(height)),
    find: (hash: string) => {
      const found = chain.find(hash)
      const block = each(found?.block)
      return found && block && { ...found, block }
    },
  }
}

const timeMoved =
  (direction: bigint): ViewChange =>
  (chain, { n }) => {
    const by = direction * BigInt(n) * NANOSECONDS
    const moved = (block: Block): Block => {
      const { header } = block
      return { ...block, header: { ...header, time: header.time + by } }
    }
    return changedChain(chain, { announced: moved(chain.announced), ...withBlocks(chain, moved) })
  }

/** A fork from block `from` on: consistent other hashes, otherwise the same content. */
function forkedChain(chain: Chain, from: number, chainId: string): Chain {
  const other = (hash: string) => toUpperHex(sha256(Buffer.from(`fork ${hash}`)))
  const change = (block: Block): Block => {
    const { header } = block
    if (header.height < from) return { ...block, header: { ...header, chainId } }
    const lastBlockHash =
      header.height > from && header.lastBlockHash !== ''
        ? other(header.lastBlockHash)
        : header.lastBlockHash
    return { ...block, hash: other(block.hash), header: { ...header, chainId, lastBlockHash } }
  }
  return changedChain(chain, {
    announced: change(chain.announced),
    ...withBlocks(chain, change),
    options: { ...chain.options, chainId },
  })
}

const pruned: ViewChange = (chain, { n }) => {
  const earliest = Math.max(chain.earliest, chain.height - n + 1)
  const kept = (block: Block | undefined) =>
    block && block.header.height >= earliest ? block : undefined
  return changedChain(chain, {
    earliest,
    block: (height) => kept(chain.block(height)),
    stateAt: (height) => (height < earliest ? undefined : chain.stateAt(height)),
  })
}

const blocks = (fallback: number) => ({ meaning: 'blocks', fallback, least: 1, most: 1000 })
const A_DAY = { meaning: 'seconds', fallback: 86_400, least: 1, most: 1_000_000_000 }

const ofChain = faultsOf('chain')

/** Faults of heights, times and the chain's identity. */
export const heightFaults: readonly FaultKind[] = [
  ofChain(
    'stale',
    'every answer has the same height while the chain makes blocks',
    'not ready after a while, though every answer is 200',
    { at: 'view', show: (chain, { height }) => chainUpTo(chain, height) },
  ),
  ofChain(
    'behind',
    'the node is some blocks behind',
    'the node is not used while a better one answers',
    { at: 'view', show: someBack },
    blocks(5),
  ),
  ofChain(
    'mixed-heights',
    'each call is answered by a node that is 0, 1 or 2 blocks behind',
    'all queries of one market are of one height',
    { at: 'view', show: (chain, _, random) => chainUpTo(chain, chain.height - (random() % 3)) },
  ),
  ofChain(
    'rollback',
    'the chain is at a lower height than before and continues from there',
    'the market that was read is kept at first; an alarm',
    { at: 'view', show: someBack },
    blocks(20),
  ),
  ofChain(
    'fork',
    'another chain answers: another chain id, and other blocks from three back on',
    'refused; nothing is signed',
    {
      at: 'view',
      show: (chain, { height }) => forkedChain(chain, height - 3, `${chain.options.chainId}-fork`),
    },
  ),
  ofChain(
    'future-time',
    'block times lie in the future',
    'a warning; ages are counted by the local clock',
    { at: 'view', show: timeMoved(1n) },
    A_DAY,
  ),
  ofChain(
    'past-time',
    'block times lie in the past',
    'a warning; ages are counted by the local clock',
    { at: 'view', show: timeMoved(-1n) },
    A_DAY,
  ),
  ofChain(
    'pruned',
    'only the newest blocks and states are kept',
    'one more try at the newest height',
    { at: 'view', show: pruned },
    blocks(1),
  ),
  ofChain('halted', 'no blocks are made', 'not ready after a while, still alive', {
    at: 'production',
  }),
]
