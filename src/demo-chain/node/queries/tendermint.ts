import { ConfigRequest, ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import {
  GetBlockByHeightRequest,
  GetBlockByHeightResponse,
  GetLatestBlockRequest,
  GetLatestBlockResponse,
  GetNodeInfoRequest,
  GetNodeInfoResponse,
} from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { Block as SdkBlock } from 'cosmjs-types/cosmos/base/tendermint/v1beta1/types'
import {
  QueryDelegatorDelegationsRequest,
  QueryDelegatorDelegationsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import type { Block as BlockMessage } from 'cosmjs-types/tendermint/types/block'
import type { Block, Chain } from '../../blocks/chain.js'
import type { ChainOptions } from '../../blocks/chain-options.js'
import { blockIdOf, blockMessage } from '../../blocks/hashing.js'
import { encodeBech32 } from '../../modules/addresses.js'
import { APP_VERSION, type Node, reportOf, SDK_VERSION } from './node.js'
import { invalidArgument, invalidRequest, type Query, query } from './query.js'

/** A kept block as protobuf, its last commit included. */
const protobufBlock = (chain: Chain, block: Block): BlockMessage =>
  blockMessage(
    block.header,
    block.txs.map((tx) => tx.bytes),
    chain.block(block.header.height - 1),
  )

/** The same as the SDK has it: its proposer is an address of the chain. */
function sdkBlockOf(chain: Chain, block: Block): SdkBlock {
  const message = protobufBlock(chain, block)
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
export function storedBlock(chain: Chain, height: bigint): Block {
  const newest = chain.announced.header.height
  if (height <= 0n) throw invalidRequest(`height must be greater than 0, but got ${height}`)
  if (height > BigInt(newest))
    throw invalidRequest(
      `height ${height} must be less than or equal to the current blockchain height ${newest}`,
    )
  const block = chain.block(Number(height))
  if (!block)
    throw invalidRequest(`height ${height} is not available, lowest height is ${chain.earliest}`)
  return block
}

const wholeBlock = (chain: Chain, block: Block) => ({
  blockId: blockIdOf(block),
  block: protobufBlock(chain, block),
  sdkBlock: sdkBlockOf(chain, block),
})

const nodeInfo = (node: Node): GetNodeInfoResponse => {
  const { protocol, id, p2pAddress, channels, rpcAddress, ...report } = reportOf(node)
  return GetNodeInfoResponse.fromPartial({
    defaultNodeInfo: {
      ...report,
      protocolVersion: protocol,
      defaultNodeId: id,
      listenAddr: p2pAddress,
      channels: Buffer.from(channels, 'hex'),
      other: { txIndex: 'on', rpcAddress },
    },
    applicationVersion: {
      name: 'swap-demo',
      appName: 'swap-demo',
      version: APP_VERSION,
      goVersion: 'none: this node is part of a program in TypeScript',
      cosmosSdkVersion: SDK_VERSION,
    },
  })
}

/** Queries about the node and its blocks. */
export const tendermintQueries: readonly Query[] = [
  query(GetNodeInfoRequest, GetNodeInfoResponse, ({ node }) => nodeInfo(node)),
  query(GetLatestBlockRequest, GetLatestBlockResponse, ({ node: { chain } }) =>
    wholeBlock(chain, chain.announced),
  ),
  query(GetBlockByHeightRequest, GetBlockByHeightResponse, ({ node: { chain } }, { height }) => {
    if (height > BigInt(chain.announced.header.height))
      throw invalidArgument('requested block height is bigger then the chain length')
    return wholeBlock(chain, storedBlock(chain, height))
  }),
]

/** Digits of a gas price behind the point, as the options count it. */
const PRICE_DIGITS = 8
/** Digits that the SDK prints. */
const DECIMALS = 18

/** `0.020000000000000000rune`; empty when any fee will do. */
function minimumGasPrice({ gasPrice, feeDenom }: ChainOptions): string {
  if (gasPrice === 0n) return ''
  const digits = String(gasPrice).padStart(PRICE_DIGITS + 1, '0')
  return `${digits.slice(0, -PRICE_DIGITS)}.${digits.slice(-PRICE_DIGITS).padEnd(DECIMALS, '0')}${feeDenom}`
}

/** The node's own settings, and the delegations of an account, which has none. */
export const nodeQueries: readonly Query[] = [
  query(ConfigRequest, ConfigResponse, ({ node: { chain } }) => ({
    minimumGasPrice: minimumGasPrice(chain.options),
    pruningKeepRecent: String(chain.options.keep),
    pruningInterval: '1',
    haltHeight: 0n,
  })),
  query(QueryDelegatorDelegationsRequest, QueryDelegatorDelegationsResponse, () => ({
    delegationResponses: [],
    pagination: { nextKey: new Uint8Array(), total: 0n },
  })),
]
