import { fromHex, toBase64, toUpperHex } from '../../../platform/encoding.js'
import { type Block, type Chain, rfc3339 } from '../../blocks/chain.js'
import { POWER } from '../../blocks/hashing.js'
import { APP_VERSION, COMET_VERSION, type Node } from '../queries/node.js'
import { searchBlocks, searchTxs } from '../search/search.js'
import { type Args, type Method, method, pageOf } from './arguments.js'
import { internalError } from './rpc-failure.js'
import {
  blockIdJson,
  blockResultsJson,
  commitJson,
  consensusParamsJson,
  headerJson,
  txJson,
  wholeBlockJson,
} from './rpc-json.js'

const HEIGHT = ['height']

/** A block that is kept or announced. @throws RpcFailure */
function storedBlock(chain: Chain, height: bigint): Block {
  const newest = chain.announced.header.height
  if (height <= 0n) throw internalError(`height must be greater than 0, but got ${height}`)
  if (height > BigInt(newest))
    throw internalError(
      `height ${height} must be less than or equal to the current blockchain height ${newest}`,
    )
  const block = chain.block(Number(height))
  if (!block)
    throw internalError(`height ${height} is not available, lowest height is ${chain.earliest}`)
  return block
}

function blockAsked({ chain }: Node, args: Args): Block {
  const height = args.whole('height')
  return height === undefined ? chain.announced : storedBlock(chain, height)
}

function blockResults(node: Node, args: Args) {
  const block = blockAsked(node, args)
  const { height } = block.header
  if (height > node.chain.height)
    throw internalError(`could not find results for height #${height}`)
  return blockResultsJson(block)
}

function commit(node: Node, args: Args) {
  const block = blockAsked(node, args)
  return {
    signed_header: { header: headerJson(block.header), commit: commitJson(block) },
    // The commit of the newest block becomes canonical with the next block.
    canonical: block.header.height < node.chain.announced.header.height,
  }
}

/** Most headers of one answer. */
const HEADERS = 20

/** Which heights an answer of headers has, newest first. @throws RpcFailure */
function headerRange(chain: Chain, asked: readonly [bigint, bigint]): readonly [number, number] {
  const newest = BigInt(chain.announced.header.height)
  let [low, high] = asked
  if (low < 0n || high < 0n) throw internalError('heights must be non-negative')
  if (low === 0n) low = 1n
  if (high === 0n || high > newest) high = newest
  if (low < BigInt(chain.earliest)) low = BigInt(chain.earliest)
  if (high - low >= BigInt(HEADERS)) low = high - BigInt(HEADERS) + 1n
  if (low > high) throw internalError(`min height ${low} can't be greater than max height ${high}`)
  return [Number(low), Number(high)]
}

function blockchain({ chain }: Node, args: Args) {
  const range = [args.whole('minHeight') ?? 0n, args.whole('maxHeight') ?? 0n] as const
  const [low, high] = headerRange(chain, range)
  const metas = []
  for (let height = high; height >= low; height--) {
    const block = chain.block(height)
    if (block)
      metas.push({
        block_id: blockIdJson(block),
        block_size: String(block.size),
        header: headerJson(block.header),
        num_txs: String(block.txs.length),
      })
  }
  return { last_height: String(chain.announced.header.height), block_metas: metas }
}

function tx({ chain }: Node, args: Args) {
  const hash = toUpperHex(args.bytes('hash', 'base64'))
  const found = chain.find(hash)
  if (!found) throw internalError(`tx (${hash}) not found`)
  return txJson(found, args.flag('prove'))
}

/** Results in the requested order. @throws RpcFailure */
function inOrder<T>(found: readonly T[], args: Args, usual: 'asc' | 'desc'): readonly T[] {
  const order = args.text('order_by') || usual
  if (order !== 'asc' && order !== 'desc')
    throw internalError('expected order_by to be either `asc` or `desc` or empty')
  return order === 'desc' ? found.toReversed() : found
}

function txSearch({ chain }: Node, args: Args) {
  const found = searchTxs(chain, args.text('query'))
  const page = pageOf(inOrder(found, args, 'asc'), args)
  return {
    txs: page.map((each) => txJson(each, args.flag('prove'))),
    total_count: String(found.length),
  }
}

function blockSearch({ chain }: Node, args: Args) {
  const found = searchBlocks(chain, args.text('query'))
  const page = pageOf(inOrder(found, args, 'desc'), args)
  return {
    blocks: page.map((block) => wholeBlockJson(chain, block)),
    total_count: String(found.length),
  }
}

const PAGE = ['page', 'per_page', 'order_by']

/** Methods about blocks and what is in them. */
export const blockMethods: Readonly<Record<string, Method>> = {
  block: method(HEIGHT, (node, args) => wholeBlockJson(node.chain, blockAsked(node, args))),
  header: method(HEIGHT, (node, args) => ({ header: headerJson(blockAsked(node, args).header) })),
  block_results: method(HEIGHT, blockResults),
  commit: method(HEIGHT, commit),
  blockchain: method(['minHeight', 'maxHeight'], blockchain),
  tx: method(['hash', 'prove'], tx),
  tx_search: method(['query', 'prove', ...PAGE], txSearch),
  block_search: method(['query', ...PAGE], blockSearch),
}

/** The node info, with the addresses of a default configuration. */
export const nodeInfoJson = ({ chain, id }: Node) => ({
  protocol_version: { p2p: '8', block: '11', app: '0' },
  id,
  listen_addr: 'tcp://127.0.0.1:26656',
  network: chain.options.chainId,
  version: COMET_VERSION,
  channels: '402021222330386061',
  moniker: 'demo',
  other: { tx_index: 'on', rpc_address: 'tcp://127.0.0.1:26657' },
})

const validatorJson = ({ validator }: Chain) => ({
  address: validator.address,
  pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(validator.publicKey) },
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
      last_block_app_hash: toBase64(fromHex(hash)),
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
  const height = ruledHeight(chain, args.whole('height'))
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
  validators: method(['height', 'page', 'per_page'], validators),
  consensus_params: method(HEIGHT, ({ chain }, args) => ({
    block_height: ruledHeight(chain, args.whole('height')),
    consensus_params: consensusParamsJson,
  })),
  genesis: method([], (node) => ({ genesis: genesisJson(node) })),
}
