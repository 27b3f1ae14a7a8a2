import { tradesOf } from '../../../src/chain/trades/block-trades.js'
import { recorded } from '../../demo-chain/node/recorded.js'
import { blockOf, type EventJson, type TxAnswer } from './staged-block.js'

export const ROUTER = 'thor1yw4xvtc43me9scqfr2jr2gzvcxd3a9y4eq7gaukreugw2yd2f8tsz3392y'
export const DONE = 'wasm-liquidy-swap/execute'
export const SECOND_EVENT = 'wasm-liquidy-swap/swap'

export const answerOf = (name: string): TxAnswer =>
  (recorded[name] as { response: { result: TxAnswer } }).response.result
export const recordedTx = answerOf('tx_router_2hop')

export const withEvents = (events: readonly EventJson[], tx = recordedTx.tx): TxAnswer => ({
  tx,
  tx_result: { code: 0, events },
})
export const read = (answer: TxAnswer) => tradesOf(blockOf([answer]), ROUTER)

export const put = (name: string, value: string) => (each: EventJson) => ({
  ...each,
  attributes: each.attributes.map((one) => (one.key === name ? { ...one, value } : one)),
})

export const ELSE = 'thor1k8re7jwz6rnnwrktnejdwkwnncte7ek7gt29gvnl3sdrg9mtnqksg36d26'
