import type { Block } from '../../blocks/block.js'
import type { Chain } from '../../blocks/chain.js'
import { POWER } from '../../blocks/hashing.js'
import { rfc3339 } from '../../blocks/time.js'
import { APP_VERSION, type Node, reportOf } from '../queries/node.js'
import { storedBlock } from '../queries/tendermint.js'
import { type Args, type Method, method, pageOf } from './method.js'
import { internalError } from './rpc-failure.js'
import { base64, consensusParamsJson } from './rpc-json.js'

function nodeInfoJson(node: Node) {
  const { protocol, id, p2pAddress, network, version, channels, moniker, rpcAddress } =
    reportOf(node)
  const { p2p, block, app } = protocol
  return {
    protocol_version: { p2p: `${p2p}`, block: `${block}`, app: `${app}` },
    id,
    listen_addr: p2pAddress,
    network,
    version,
    channels,
    moniker,
    other: { tx_index: 'on', rpc_address: rpcAddress },
  }
}

const publicKeyJson = ({ validator }: Chain) => ({
  type: 'tendermint/PubKeyEd25519',
  value: base64(validator.publicKey),
})

const validatorJson = (chain: Chain) => ({
  address: chain.validator.address,
  pub_key: publicKeyJson(chain),
  voting_power: String(POWER),
})

function oldest(chain: Chain): Block {
  return chain.block(chain.earliest) ?? chain.announced
}

function status(node: Node) {
  const { chain } = node
  const [first, last] = [oldest(chain), chain.announced]
  return {
    node_info: nodeInfoJson(node),
    sync_info: {
      latest_block_hash: last.hash,
      latest_app_hash: last.header.appHash,
      latest_block_height: String(last.header.height),
      latest_block_time: rfc3339(last.header.time),
      earliest_block_hash: first.hash,
      earliest_app_hash: first.header.appHash,
      earliest_block_height: String(first.header.height),
      earliest_block_time: rfc3339(first.header.time),
      catching_up: false,
    },
    validator_info: validatorJson(chain),
  }
}

function abciInfo({ chain }: Node) {
  const hash = chain.block(chain.height)?.appHash ?? ''
  return {
    response: {
      data: 'SwapDemo',
      version: APP_VERSION,
      last_block_height: String(chain.height),
      last_block_app_hash: Buffer.from(hash, 'hex').toString('base64'),
    },
  }
}

/** The height of a request for validators or parameters: the given one, otherwise the next. */
function ruledHeight(chain: Chain, asked: bigint | undefined): string {
  const next = BigInt(chain.announced.header.height) + 1n
  if (asked === undefined || asked === next) return String(next)
  if (asked > next)
    throw internalError(
      `height ${asked} must be less than or equal to the current blockchain height ${next}`,
    )
  return String(storedBlock(chain, asked).header.height)
}

function validators({ chain }: Node, args: Args) {
  const height = ruledHeight(chain, args.bigint('height'))
  const page = pageOf([{ ...validatorJson(chain), proposer_priority: '0' }], args)
  return { block_height: height, validators: page, count: String(page.length), total: '1' }
}

function genesisJson({ chain }: Node) {
  const first = oldest(chain)
  const { address, pub_key, voting_power } = validatorJson(chain)
  return {
    genesis_time: rfc3339(first.header.time),
    chain_id: chain.options.chainId,
    initial_height: String(first.header.height),
    consensus_params: consensusParamsJson,
    validators: [{ address, pub_key, power: voting_power, name: '' }],
    app_hash: '',
    // The genesis state is pruned, and the oldest kept one is too large for a document.
    app_state: {},
  }
}

/** Methods about the node and what rules its chain. */
export const infoMethods: Readonly<Record<string, Method>> = {
  health: method([], () => ({})),
  status: method([], status),
  abci_info: method([], abciInfo),
  validators: method(
    [
      ['height', 'int64?'],
      ['page', 'int?'],
      ['per_page', 'int?'],
    ],
    validators,
  ),
  consensus_params: method([['height', 'int64?']], ({ chain }, args) => ({
    block_height: ruledHeight(chain, args.bigint('height')),
    consensus_params: consensusParamsJson,
  })),
  genesis: method([], (node) => ({ genesis: genesisJson(node) })),
}
