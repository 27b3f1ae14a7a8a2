import { invalidAddress } from '../modules/addresses.js'
import { transfer } from '../modules/bank.js'
import { executeContract, type Machine } from '../modules/dispatch.js'
import { type ChainEvent, coinsText, eventOf } from '../modules/events.js'
import { failures } from '../modules/failure.js'
import { GAS, type Gas } from '../modules/gas.js'
import type { Writer } from '../store/state.js'
import { invalidCoins } from './coins.js'
import { feeCollector } from './fee.js'
import type { SendMessage, TxMessage } from './messages.js'

/** The environment of a message. */
export type Running = {
  readonly machine: Machine
  readonly state: Writer
  readonly gas: Gas
  /** Of bech32 addresses. */
  readonly prefix: string
}

/**
 * Runs one message.
 *
 * @returns its events, the `message` event with the action not included
 * @throws ChainFailure, OutOfGas
 */
export function runMessage(running: Running, message: TxMessage): ChainEvent[] {
  running.gas.charge(GAS.message, 'message')
  if (message.kind === 'send') return runSend(running, message)
  return executeContract(running.machine, running.state, running.gas, {
    sender: message.sender.toLowerCase(),
    contract: message.contract.toLowerCase(),
    message: message.message,
    funds: message.funds,
  })
}

function runSend({ state, gas, prefix }: Running, message: SendMessage): ChainEvent[] {
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
