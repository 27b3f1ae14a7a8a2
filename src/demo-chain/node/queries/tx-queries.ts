import { TxMsgData, TxResponse } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
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
import type { ChainEvent } from '../../modules/contract.js'
import { NO_LIMIT } from '../../modules/gas.js'
import { invalidArgument, notFound, type Query, query, unknownStatus } from './query.js'

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

/** The text of a failed simulation. */
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
export const txQueries: readonly Query[] = [
  query(SimulateRequest, SimulateResponse, ({ node }, request) => simulate(node.chain, request)),
  query(GetTxRequest, GetTxResponse, ({ node }, { hash }) => byHash(node.chain, hash)),
]
