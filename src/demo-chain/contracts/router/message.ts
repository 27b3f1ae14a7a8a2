import type { Coin } from '../../wasm/contract.js'
import { type Fields, fieldsOf, type Read, read, wireCoin, writeJson } from '../serde.js'

/** One hop of a route. What `denom` names depends on the dialect. */
export type Stage = { readonly address: string; readonly denom: string }

/** A router's `swap` message. */
export type SwapMessage = {
  readonly minReturn: Coin
  readonly stages: readonly Stage[]
  readonly recipient: string | undefined
  readonly affiliateCode: string | undefined
  readonly callback: Uint8Array | undefined
  /** Handed on from message to message for the event alone; whoever sends it forges that. */
  readonly inputCoin: Coin | undefined
  /** Handed on where the stages do not name it: the denom that the next stage is paid in. */
  readonly offered: string | undefined
}

const stage: Read<Stage> = (type, value) => {
  const fields = fieldsOf(type, value)
  return { address: fields.text('address'), denom: fields.text('denom') }
}

export const stagesOf = (fields: Fields): readonly Stage[] => fields.list('stages', stage)

export const readSwap = (fields: Fields): SwapMessage => ({
  minReturn: fields.coin('min_return'),
  stages: stagesOf(fields),
  recipient: fields.optional('recipient', read.text),
  affiliateCode: fields.optional('affiliate_code', read.text),
  callback: fields.optional('callback', read.binary),
  inputCoin: fields.optional('input_coin', read.coin),
  offered: fields.optional('offered', read.text),
})

/** The message as JSON text. */
export const writeSwap = (message: SwapMessage): string =>
  writeJson({
    swap: {
      min_return: wireCoin(message.minReturn),
      stages: message.stages,
      recipient: message.recipient ?? null,
      affiliate_code: message.affiliateCode ?? null,
      callback: message.callback ? Buffer.from(message.callback).toString('base64') : null,
      ...(message.inputCoin && { input_coin: wireCoin(message.inputCoin) }),
      ...(message.offered !== undefined && { offered: message.offered }),
    },
  })
