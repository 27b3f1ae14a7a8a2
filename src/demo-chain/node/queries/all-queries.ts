import { TxMsgData, TxResponse } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { ConfigRequest, ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import {
  QueryDelegatorDelegationsRequest,
  QueryDelegatorDelegationsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import {
  GetTxRequest,
  GetTxResponse,
  SimulateRequest,
  SimulateResponse,
} from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Event } from 'cosmjs-types/tendermint/abci/types'
import { toUpperHex } from '../../../platform/encoding.js'
import { type Chain, type IndexedTx, rfc3339Seconds, type TxResult } from '../../blocks/chain.js'
import type { ChainOptions } from '../../blocks/chain-options.js'
import type { ChainEvent } from '../../modules/contract.js'
import { NO_LIMIT } from '../../modules/gas.js'
import { authQueries, bankQueries } from './account-queries.js'
import { invalidArgument, notFound, type Query, query, unknownStatus } from './query.js'
import { codeQueries, contractQueries } from './wasm.js'

/** Events as protobuf; `index` is false in a simulation. */
const eventMessages = (events: readonly ChainEvent[], index: boolean): Event[] =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map((attribute) => ({ ...attribute, index })),
  }))

/** The responses of a transaction's messages. */
const messageResponses = (data: Uint8Array): Any[] =>
  data.length === 0 ? [] : TxMsgData.decode(data).msgResponses

/** A committed transaction with its result. */
const txResponse = ({ block, tx: { bytes, hash, result } }: IndexedTx): TxResponse =>
  TxResponse.fromPartial({
    height: BigInt(block.header.height),
    txhash: hash,
    codespace: result.codespace,
    code: result.code,
    data: toUpperHex(result.data),
    rawLog: result.log,
    gasWanted: result.gasWanted,
    gasUsed: result.gasUsed,
    tx: { typeUrl: Tx.typeUrl, value: bytes },
    timestamp: rfc3339Seconds(block.header.time),
    events: eventMessages(result.events, true),
  })

/** The source position at which wasmd wraps a contract's error: the SDK prints it in simulation errors. */
const EXECUTE_FAILED_AT = 'CosmWasm/wasmd@v0.60.8/x/wasm/keeper/keeper.go:444'

function simulationText({ code, codespace, log, gasUsed }: TxResult): string {
  const place = codespace === 'wasm' && code === 5 ? ` [${EXECUTE_FAILED_AT}]` : ''
  return `${log}${place} with gas used: '${gasUsed}'`
}

function simulate(chain: Chain, { tx, txBytes }: SimulateRequest): SimulateResponse {
  const bytes = tx && txBytes.length === 0 ? Tx.encode(tx).finish() : txBytes
  if (bytes.length === 0) throw invalidArgument('empty txBytes is not allowed')
  const result = chain.simulate(bytes)
  if (result.code !== 0) throw unknownStatus(simulationText(result))
  return SimulateResponse.fromPartial({
    gasInfo: { gasWanted: NO_LIMIT, gasUsed: result.gasUsed },
    result: {
      data: result.data,
      log: '',
      events: eventMessages(result.events, false),
      msgResponses: messageResponses(result.data),
    },
  })
}

function byHash(chain: Chain, hash: string): GetTxResponse {
  if (hash === '') throw invalidArgument('tx hash cannot be empty')
  const found = chain.find(hash.toUpperCase())
  if (!found) throw notFound(`tx not found: ${hash}`)
  return { tx: Tx.decode(found.tx.bytes), txResponse: txResponse(found) }
}

/** Queries of the transaction service, including simulation. */
const txQueries: readonly Query[] = [
  query(SimulateRequest, SimulateResponse, ({ node }, request) => simulate(node.chain, request)),
  query(GetTxRequest, GetTxResponse, ({ node }, { hash }) => byHash(node.chain, hash)),
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
const nodeQueries: readonly Query[] = [
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

/** Every query that the chain answers, by its gRPC path: those of cosmjs and of this program. */
export const queries: ReadonlyMap<string, Query> = new Map(
  [
    ...authQueries,
    ...bankQueries,
    ...contractQueries,
    ...codeQueries,
    ...txQueries,
    ...nodeQueries,
  ].map((each) => [each.path, each]),
)
