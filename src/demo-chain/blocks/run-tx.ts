import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { invalidAddress } from '../modules/addresses.js'
import { transfer } from '../modules/bank.js'
import { ChainFailure, failures } from '../modules/chain-failure.js'
import { type ChainEvent, coinsText, eventOf, withIndex } from '../modules/contract.js'
import { executeContract, type Machine } from '../modules/dispatch.js'
import { GAS, Gas, NO_LIMIT, OutOfGas } from '../modules/gas.js'
import { Overlay, type Writer } from '../store/state.js'
import { runAnte, type TxContext, type TxMode } from '../tx/ante.js'
import { feeCollector, invalidCoins, type TxRules } from '../tx/coins.js'
import {
  checkMessage,
  decodeTx,
  modules,
  type SendMessage,
  signerOf,
  type Tx,
  type TxMessage,
  typeUrls,
} from '../tx/decode.js'
import type { TxResult } from './chain.js'

const NOTHING = new Uint8Array()
const SUCCESS = { code: 0, codespace: '', message: '' }

/**
 * Runs a transaction of any bytes. Writes fee and sequences to `state` once the checks have passed, and
 * the effects of the messages once all have succeeded. A check runs no messages; a simulation writes
 * nothing and needs no signature, gas price or gas limit.
 *
 * Amounts of gas are specific to this chain; `gasUsed` may exceed `gasWanted` by the last charge.
 */
export function runTx(
  machine: Machine,
  state: Writer,
  bytes: Uint8Array,
  mode: TxMode,
  rules: TxRules,
): TxResult {
  let gas = new Gas(NO_LIMIT)
  let wanted = 0n
  let events: readonly ChainEvent[] = []
  const result = (
    data: Uint8Array,
    emitted: readonly ChainEvent[],
    { code, codespace, message: log } = SUCCESS,
  ): TxResult => ({
    code,
    codespace,
    log,
    data,
    gasWanted: wanted,
    gasUsed: gas.used,
    events: emitted,
  })
  try {
    const tx = decodeTx(bytes)
    if (tx.messages.length === 0) throw failures.invalidRequest('must contain at least one message')
    for (const message of tx.messages) checkMessage(rules.prefix, message)
    wanted = mode === 'simulate' ? NO_LIMIT : (tx.fee?.gasLimit ?? 0n)
    gas = new Gas(wanted)
    const outer = new Overlay(state)
    const context = { machine, gas, mode, rules }
    const paid = runAnte({ ...context, state: outer }, tx, bytes.length)
    if (mode !== 'simulate') outer.commitTo(state)
    if (mode === 'check') return result(NOTHING, [])
    events = paid
    const inner = new Overlay(mode === 'simulate' ? outer : state)
    const ran = runMessages({ ...context, state: inner }, tx)
    if (mode === 'deliver') inner.commitTo(state)
    return result(ran.data, [...paid, ...ran.events])
  } catch (error) {
    return result(NOTHING, events, asFailure(error))
  }
}

/** An error as the chain reports it, bugs of the chain included: a node recovers from panics. */
function asFailure(error: unknown): ChainFailure {
  if (error instanceof ChainFailure) return error
  if (error instanceof OutOfGas) return failures.outOfGas(error.message)
  return new ChainFailure('sdk', 111222, `recovered: ${String(error)}: panic`)
}

/** Runs all messages in order. @throws ChainFailure that names the failed message, OutOfGas */
function runMessages(
  context: TxContext,
  { messages }: Tx,
): { readonly data: Uint8Array; readonly events: readonly ChainEvent[] } {
  const events = messages.flatMap((message, index) => {
    try {
      const emitted = [actionEvent(message), ...runMessage(context, message)]
      return emitted.map((event) => withIndex(event, index))
    } catch (error) {
      if (!(error instanceof ChainFailure)) throw error
      throw error.during(`failed to execute message; message index: ${index}`)
    }
  })
  const msgResponses = messages.map(({ kind }) =>
    Any.fromPartial({ typeUrl: `${typeUrls[kind]}Response` }),
  )
  return { data: TxMsgData.encode(TxMsgData.fromPartial({ msgResponses })).finish(), events }
}

const actionEvent = (message: TxMessage): ChainEvent =>
  eventOf(
    'message',
    ['action', typeUrls[message.kind]],
    ['sender', signerOf(message).toLowerCase()],
    ['module', modules[message.kind]],
  )

/**
 * Runs one message.
 *
 * @returns its events, the `message` event with the action not included
 * @throws ChainFailure, OutOfGas
 */
function runMessage(context: TxContext, message: TxMessage): ChainEvent[] {
  const { machine, state, gas } = context
  gas.charge(GAS.message, 'message')
  if (message.kind === 'send') return runSend(context, message)
  return executeContract(machine, state, gas, {
    sender: message.sender.toLowerCase(),
    contract: message.contract.toLowerCase(),
    message: message.message,
    funds: message.funds,
  })
}

function runSend({ state, gas, rules }: TxContext, message: SendMessage): ChainEvent[] {
  const { prefix } = rules
  const reason = invalidAddress(prefix, message.to)
  if (reason) throw failures.invalidAddress(`invalid to address: ${reason}`)
  if (message.coins.length === 0 || invalidCoins(message.coins))
    throw failures.invalidCoins(coinsText(message.coins))
  const [from, to] = [message.from.toLowerCase(), message.to.toLowerCase()]
  if (to === feeCollector(prefix))
    throw failures.unauthorized(`${to} is not allowed to receive funds`)
  gas.charge(GAS.transfer, 'WriteFlat')
  return [...transfer(state, from, to, message.coins), eventOf('message', ['sender', from])]
}
