import { TxMsgData, TxResponse } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import {
  BroadcastMode,
  BroadcastTxRequest,
  BroadcastTxResponse,
  GetTxRequest,
  GetTxResponse,
  GetTxsEventRequest,
  GetTxsEventResponse,
  OrderBy,
  SimulateRequest,
  SimulateResponse,
} from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Event } from 'cosmjs-types/tendermint/abci/types'
import { toUpperHex } from '../../../platform/encoding.js'
import { AlreadyKnown, type Chain, rfc3339Seconds, type TxResult } from '../../blocks/chain.js'
import { MempoolFull } from '../../blocks/embedded-chain.js'
import { txHash } from '../../blocks/hashing.js'
import type { ChainEvent } from '../../modules/contract.js'
import { NO_LIMIT } from '../../modules/gas.js'
import {
  type IndexedTx,
  pageCount,
  QuerySyntaxError,
  searchTxs,
  txWithHash,
} from '../search/search.js'
import { invalidArgument, invalidRequest, notFound, type Query, query, status } from './query.js'

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

/** The answer to a broadcast: the result of the check without gas and events. */
const broadcastResponse = (
  hash: string,
  { code, codespace, log, data }: Pick<TxResult, 'code' | 'codespace' | 'log' | 'data'>,
): TxResponse =>
  TxResponse.fromPartial({ txhash: hash, codespace, code, data: toUpperHex(data), rawLog: log })

/** The source position at which wasmd wraps a contract's error: the SDK prints it in simulation errors. */
const EXECUTE_FAILED_AT = 'CosmWasm/wasmd@v0.60.8/x/wasm/keeper/keeper.go:444'

/** The text of a failed simulation. */
function simulationText({ code, codespace, log, gasUsed }: TxResult): string {
  const place = codespace === 'wasm' && code === 5 ? ` [${EXECUTE_FAILED_AT}]` : ''
  return `${log}${place} with gas used: '${gasUsed}'`
}

function simulate(chain: Chain, { tx, txBytes }: SimulateRequest): SimulateResponse {
  const bytes = tx && txBytes.length === 0 ? Tx.encode(tx).finish() : txBytes
  if (bytes.length === 0) throw invalidArgument('empty txBytes is not allowed')
  const result = chain.simulate(bytes)
  if (result.code !== 0) throw status('Unknown', simulationText(result))
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

/** Transactions of a page without a limit. */
const DEFAULT_LIMIT = 100n

function search(chain: Chain, request: GetTxsEventRequest): GetTxsEventResponse {
  const text = request.query
  if (text === '') throw invalidArgument('query cannot be empty')
  const limit = request.limit > 0n ? request.limit : DEFAULT_LIMIT
  const page = request.page > 0n ? request.page : 1n
  const found = readQuery(() => searchTxs(chain, text))
  const pages = pageCount(found.length, limit)
  if (page > pages) throw invalidRequest(`page should be within [1, ${pages}] range, given ${page}`)
  const inOrder = request.orderBy === OrderBy.ORDER_BY_DESC ? found.toReversed() : found
  const from = Number((page - 1n) * limit)
  const taken = inOrder.slice(from, from + Number(limit))
  return GetTxsEventResponse.fromPartial({
    txs: taken.map(({ tx }) => Tx.decode(tx.bytes)),
    txResponses: taken.map(txResponse),
    total: BigInt(found.length),
  })
}

function readQuery<T>(what: () => T): T {
  try {
    return what()
  } catch (error) {
    throw error instanceof QuerySyntaxError ? invalidRequest(error.message) : error
  }
}

function byHash(chain: Chain, hash: string): GetTxResponse {
  if (hash === '') throw invalidArgument('tx hash cannot be empty')
  const found = txWithHash(chain, hash.toUpperCase())
  if (!found) throw notFound(`tx not found: ${hash}`)
  return { tx: Tx.decode(found.tx.bytes), txResponse: txResponse(found) }
}

function broadcast(chain: Chain, { txBytes, mode }: BroadcastTxRequest): BroadcastTxResponse {
  if (txBytes.length === 0) throw invalidArgument('invalid empty tx')
  if (mode !== BroadcastMode.BROADCAST_MODE_SYNC && mode !== BroadcastMode.BROADCAST_MODE_ASYNC)
    throw invalidRequest(`unsupported return type ; supported types: sync, async`)
  const hash = txHash(txBytes)
  try {
    const checked = chain.broadcast(txBytes)
    // The asynchronous mode does not return the result of the check.
    const reported = mode === BroadcastMode.BROADCAST_MODE_SYNC ? checked : NOTHING
    return { txResponse: broadcastResponse(hash, reported) }
  } catch (error) {
    if (error instanceof AlreadyKnown) return { txResponse: broadcastResponse(hash, KNOWN) }
    if (error instanceof MempoolFull) return { txResponse: broadcastResponse(hash, FULL) }
    throw error
  }
}

const NOTHING = { code: 0, codespace: '', log: '', data: new Uint8Array() }
/** The SDK's error for a transaction that is in the mempool's cache. */
const KNOWN = { ...NOTHING, code: 19, codespace: 'sdk' }
const FULL = { ...NOTHING, code: 20, codespace: 'sdk' }

/** Queries of the transaction service, including simulation and broadcast. */
export const txQueries: readonly Query[] = [
  query(SimulateRequest, SimulateResponse, ({ node }, request) => simulate(node.chain, request)),
  query(GetTxRequest, GetTxResponse, ({ node }, { hash }) => byHash(node.chain, hash)),
  query(GetTxsEventRequest, GetTxsEventResponse, ({ node }, request) =>
    search(node.chain, request),
  ),
  query(BroadcastTxRequest, BroadcastTxResponse, ({ node }, request) =>
    broadcast(node.chain, request),
  ),
]
