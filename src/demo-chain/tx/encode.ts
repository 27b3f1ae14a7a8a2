import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { Coin } from '../wasm/contract.js'
import { coinTexts } from './coins.js'

/** A payment. `coins` sorted by denom. */
export const sendMessage = (from: string, to: string, coins: readonly Coin[]): Any =>
  Any.fromPartial({
    typeUrl: MsgSend.typeUrl,
    value: MsgSend.encode(
      MsgSend.fromPartial({ fromAddress: from, toAddress: to, amount: coinTexts(coins) }),
    ).finish(),
  })

/** A call of a contract. `message` is JSON text, `funds` sorted by denom. */
export const executeMessage = (
  sender: string,
  contract: string,
  message: string,
  funds: readonly Coin[] = [],
): Any =>
  Any.fromPartial({
    typeUrl: MsgExecuteContract.typeUrl,
    value: MsgExecuteContract.encode(
      MsgExecuteContract.fromPartial({
        sender,
        contract,
        msg: Buffer.from(message),
        funds: coinTexts(funds),
      }),
    ).finish(),
  })
