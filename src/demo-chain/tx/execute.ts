import { invalidAddress } from '../modules/addresses.js'
import { balanceOf, sortedCoins, transfer } from '../modules/bank.js'
import type { Coin } from '../modules/contract.js'
import { executeContract, type Machine } from '../modules/dispatch.js'
import { type ChainEvent, coinsText, eventOf } from '../modules/events.js'
import { ChainFailure, failures } from '../modules/failure.js'
import { GAS, type Gas } from '../modules/gas.js'
import type { Writer } from '../store/state.js'
import { invalidCoins } from './coins.js'
import { feeCollector } from './fee.js'
import type { MultiSendMessage, Party, SendMessage, TxMessage } from './messages.js'

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
  if (message.kind === 'multiSend') return runMultiSend(running, message)
  return executeContract(running.machine, running.state, running.gas, {
    sender: message.sender.toLowerCase(),
    contract: message.contract.toLowerCase(),
    message: message.message,
    funds: message.funds,
  })
}

/** Refuses an address that cannot be paid. @throws ChainFailure */
function checkPayee(prefix: string, address: string, role: string): void {
  const reason = invalidAddress(prefix, address)
  if (reason) throw failures.invalidAddress(`invalid ${role} address: ${reason}`)
}

function checkCoins(coins: readonly Coin[]): void {
  if (coins.length === 0 || invalidCoins(coins)) throw failures.invalidCoins(coinsText(coins))
}

function checkOpen(prefix: string, address: string): void {
  if (address === feeCollector(prefix))
    throw failures.unauthorized(`${address} is not allowed to receive funds`)
}

function runSend({ state, gas, prefix }: Running, message: SendMessage): ChainEvent[] {
  checkPayee(prefix, message.to, 'to')
  checkCoins(message.coins)
  const [from, to] = [message.from.toLowerCase(), message.to.toLowerCase()]
  checkOpen(prefix, to)
  gas.charge(GAS.transfer, 'WriteFlat')
  return [...transfer(state, from, to, message.coins), eventOf('message', ['sender', from])]
}

const bank = (code: number, text: string): ChainFailure => new ChainFailure('bank', code, text)

/** Atomics by denom of several parties together. */
const sumOf = (parties: readonly Party[]): string =>
  coinsText(sortedCoins(parties.flatMap(({ coins }) => coins)))

function runMultiSend({ state, gas, prefix }: Running, message: MultiSendMessage): ChainEvent[] {
  const [input, ...more] = message.inputs
  if (!input) throw bank(2, 'no inputs to send transaction')
  if (more.length > 0) throw bank(9, 'multiple senders not allowed')
  if (message.outputs.length === 0) throw bank(3, 'no outputs to send transaction')
  checkCoins(input.coins)
  for (const { address, coins } of message.outputs) {
    checkPayee(prefix, address, 'output')
    checkCoins(coins)
  }
  if (sumOf([input]) !== sumOf(message.outputs)) throw bank(4, 'sum inputs != sum outputs')
  for (const { address } of message.outputs) checkOpen(prefix, address.toLowerCase())
  const from = input.address.toLowerCase()
  // The SDK takes the whole sum at once, so the error names the sum.
  for (const { denom, amount } of input.coins) {
    const held = balanceOf(state, from, denom)
    if (held < amount)
      throw failures.insufficientFunds(
        `spendable balance ${held}${denom} is smaller than ${amount}${denom}`,
      )
  }
  const events = [
    eventOf('coin_spent', ['spender', from], ['amount', coinsText(input.coins)]),
    eventOf('message', ['sender', from]),
  ]
  for (const { address, coins } of message.outputs) {
    gas.charge(GAS.transfer, 'WriteFlat')
    const [, received, transferred] = transfer(state, from, address.toLowerCase(), coins)
    events.push(received as ChainEvent, transferred as ChainEvent)
  }
  return events
}
