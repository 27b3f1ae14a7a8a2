import { Block as SdkBlock } from 'cosmjs-types/cosmos/base/tendermint/v1beta1/types'
import type { Block as BlockMessage } from 'cosmjs-types/tendermint/types/block'
import { BlockID } from 'cosmjs-types/tendermint/types/types'
import { encodeBech32 } from '../../auth/bech32.js'
import type { Block } from '../../blocks/block.js'
import type { Chain } from '../../blocks/chain.js'
import { blockMessage, partsOf } from '../../blocks/encoding.js'
import { plain } from './failure.js'

/** A block's id as protobuf. */
export const blockIdMessage = ({ hash, partsHash, size }: Block): BlockID =>
  BlockID.fromPartial({
    hash: Buffer.from(hash, 'hex'),
    partSetHeader: { total: partsOf(size), hash: Buffer.from(partsHash, 'hex') },
  })

/** A kept block as protobuf, its last commit included. */
export const messageOf = (chain: Chain, block: Block): BlockMessage =>
  blockMessage(
    block.header,
    block.txs.map((tx) => tx.bytes),
    chain.block(block.header.height - 1),
  )

/** The same as the SDK has it: its proposer is an address of the chain. */
export function sdkBlockOf(chain: Chain, block: Block): SdkBlock {
  const message = messageOf(chain, block)
  return SdkBlock.fromPartial({
    ...message,
    header: {
      ...message.header,
      proposerAddress: encodeBech32(
        `${chain.options.prefix}valcons`,
        Buffer.from(block.header.proposer, 'hex'),
      ),
    },
  })
}

/**
 * A block that is kept or announced.
 *
 * @throws QueryFailure in the words of the node's RPC
 */
export function keptBlock(chain: Chain, height: bigint): Block {
  const newest = chain.announced.header.height
  if (height <= 0n) throw plain(`height must be greater than 0, but got ${height}`)
  if (height > BigInt(newest))
    throw plain(
      `height ${height} must be less than or equal to the current blockchain height ${newest}`,
    )
  const block = chain.block(Number(height))
  if (!block) throw plain(`height ${height} is not available, lowest height is ${chain.earliest}`)
  return block
}
