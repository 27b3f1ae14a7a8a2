import { TxMsgData, TxResponse } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Event } from 'cosmjs-types/tendermint/abci/types'
import type { TxResult } from '../../blocks/block.js'
import { toHex } from '../../blocks/hex.js'
import { rfc3339Seconds } from '../../blocks/time.js'
import type { ChainEvent } from '../../wasm/events.js'
import type { Found } from './search/search.js'

/** Events as protobuf; `index` says whether the node indexes them, which it does not in a trial. */
export const eventMessages = (events: readonly ChainEvent[], index: boolean): Event[] =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map((attribute) => ({ ...attribute, index })),
  }))

/** What the messages of a transaction answered. */
export const messageResponses = (data: Uint8Array): Any[] =>
  data.length === 0 ? [] : TxMsgData.decode(data).msgResponses

/** A committed transaction with its result. */
export const txResponse = ({ block, tx: { bytes, hash, result } }: Found): TxResponse =>
  TxResponse.fromPartial({
    height: BigInt(block.header.height),
    txhash: hash,
    codespace: result.codespace,
    code: result.code,
    data: toHex(result.data),
    rawLog: result.log,
    gasWanted: result.gasWanted,
    gasUsed: result.gasUsed,
    tx: { typeUrl: Tx.typeUrl, value: bytes },
    timestamp: rfc3339Seconds(block.header.time),
    events: eventMessages(result.events, true),
  })

/** What a broadcast answers: the check's outcome, no gas and no events. */
export const broadcastResponse = (
  hash: string,
  { code, codespace, log, data }: Pick<TxResult, 'code' | 'codespace' | 'log' | 'data'>,
): TxResponse =>
  TxResponse.fromPartial({ txhash: hash, codespace, code, data: toHex(data), rawLog: log })
