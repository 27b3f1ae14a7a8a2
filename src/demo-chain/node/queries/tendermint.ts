import {
  GetBlockByHeightRequest,
  GetBlockByHeightResponse,
  GetLatestBlockRequest,
  GetLatestBlockResponse,
  GetLatestValidatorSetRequest,
  GetLatestValidatorSetResponse,
  GetNodeInfoRequest,
  GetNodeInfoResponse,
  GetSyncingRequest,
  GetSyncingResponse,
  GetValidatorSetByHeightRequest,
  GetValidatorSetByHeightResponse,
  Validator,
} from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { encodeBech32 } from '../../auth/bech32.js'
import type { Block } from '../../blocks/block.js'
import type { Chain } from '../../blocks/chain.js'
import { POWER } from '../../blocks/hashing.js'
import { blockIdMessage, keptBlock, messageOf, sdkBlockOf } from './blocks.js'
import { invalidArgument } from './failure.js'
import type { Node } from './node.js'
import { type Query, query } from './query.js'
import { APP_VERSION, COMET_VERSION, SDK_VERSION } from './versions.js'

const SERVICE = '/cosmos.base.tendermint.v1beta1.Service'

const whole = (chain: Chain, block: Block) => ({
  blockId: blockIdMessage(block),
  block: messageOf(chain, block),
  sdkBlock: sdkBlockOf(chain, block),
})

const validators = ({ options, validator }: Chain) => [
  Validator.fromPartial({
    address: encodeBech32(`${options.prefix}valcons`, Buffer.from(validator.address, 'hex')),
    pubKey: {
      typeUrl: PubKey.typeUrl,
      value: PubKey.encode({ key: validator.publicKey }).finish(),
    },
    votingPower: POWER,
  }),
]

const onePage = { nextKey: new Uint8Array(), total: 1n }

const nodeInfo = ({ chain, id, moniker, rpcAddress }: Node): GetNodeInfoResponse =>
  GetNodeInfoResponse.fromPartial({
    defaultNodeInfo: {
      protocolVersion: { p2p: 8n, block: 11n },
      defaultNodeId: id,
      listenAddr: 'tcp://127.0.0.1:26656',
      network: chain.options.chainId,
      version: COMET_VERSION,
      channels: Buffer.from('402021222330386061', 'hex'),
      moniker,
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

/** Queries about the node and its blocks. */
export const tendermintQueries: readonly Query[] = [
  query(`${SERVICE}/GetNodeInfo`, GetNodeInfoRequest, GetNodeInfoResponse, ({ node }) =>
    nodeInfo(node),
  ),
  query(`${SERVICE}/GetSyncing`, GetSyncingRequest, GetSyncingResponse, () => ({
    syncing: false,
  })),
  query(
    `${SERVICE}/GetLatestBlock`,
    GetLatestBlockRequest,
    GetLatestBlockResponse,
    ({ node: { chain } }) => whole(chain, chain.announced),
  ),
  query(
    `${SERVICE}/GetBlockByHeight`,
    GetBlockByHeightRequest,
    GetBlockByHeightResponse,
    ({ node: { chain } }, { height }) => {
      if (height > BigInt(chain.announced.header.height))
        throw invalidArgument('requested block height is bigger then the chain length')
      return whole(chain, keptBlock(chain, height))
    },
  ),
  query(
    `${SERVICE}/GetLatestValidatorSet`,
    GetLatestValidatorSetRequest,
    GetLatestValidatorSetResponse,
    ({ node: { chain } }) => ({
      blockHeight: BigInt(chain.height),
      validators: validators(chain),
      pagination: onePage,
    }),
  ),
  query(
    `${SERVICE}/GetValidatorSetByHeight`,
    GetValidatorSetByHeightRequest,
    GetValidatorSetByHeightResponse,
    ({ node: { chain } }, { height }) => {
      if (height > BigInt(chain.height))
        throw invalidArgument('requested block height is bigger then the chain length')
      return {
        blockHeight: BigInt(keptBlock(chain, height).header.height),
        validators: validators(chain),
        pagination: onePage,
      }
    },
  ),
]
