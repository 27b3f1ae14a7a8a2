import { ArithmeticAbort } from '../../engine/math/decimal.js'
import { sha256, toUpperHex } from '../../platform/encoding.js'
import { Overlay, type Reader, type Writer } from '../store/state.js'
import { balanceOf, transfer } from './bank.js'
import { ChainFailure, failures, PANIC } from './chain-failure.js'
import {
  Abort,
  type ChainEvent,
  type Coin,
  type Contract,
  ContractError,
  eventOf,
  type Querier,
  type ReadStorage,
  sortedByKey,
} from './contract.js'
import { GAS, Gas, NO_LIMIT } from './gas.js'

/** The environment of contracts: the chain's clock, and the code behind each address. */
export type Machine = {
  readonly chainId: string
  readonly height: number
  /** Nanoseconds since 1970. */
  readonly time: bigint
  /** The code of a contract, if there is one at the address. */
  contractAt(state: Reader, address: string): Contract | undefined
  /** The reason why a text is not an address of the chain; `undefined` for an address. */
  invalid(address: string): string | undefined
  oracle(state: Reader, chain: string, symbol: string): bigint | undefined
}

/** The state space of a contract's storage. */
export const storageSpace = (address: string): string => `wasm/${address}`

/** A contract's storage in a state. */
export function storageOf(state: Reader, address: string): ReadStorage {
  const space = storageSpace(address)
  return {
    get: (key) => state.get(space, key),
    *keys(prefix) {
      for (const key of state.keys(space, prefix)) {
        if (!key.startsWith(prefix)) return
        yield key
      }
    },
  }
}

function querierOf(machine: Machine, state: Reader, gas: Gas): Querier {
  return {
    balance: (address, denom) => balanceOf(state, address, denom),
    invalid: (address) => machine.invalid(address),
    oracle: (chain, symbol) => machine.oracle(state, chain, symbol),
    smart: (contract, message) => {
      gas.charge(GAS.query, 'wasm contract')
      if (!machine.contractAt(state, contract))
        throw new ContractError(
          `Generic error: Querier system error: No such contract: ${contract}`,
        )
      try {
        return JSON.parse(queryContract(machine, state, gas, contract, JSON.stringify(message)))
      } catch (error) {
        if (!(error instanceof ChainFailure)) throw error
        // Of a panic a contract sees the code alone: its text may differ between nodes.
        const { codespace, code, message: text } = error
        const seen = code === PANIC ? `codespace: ${codespace}, code: ${code}` : text
        throw new ContractError(`Generic error: Querier contract error: ${seen}`)
      }
    },
  }
}

/** A contract's error or panic as the chain reports it. Other errors are returned unchanged. */
function asFailure(error: unknown, refused: (text: string) => ChainFailure): unknown {
  if (error instanceof ContractError) return refused(error.message)
  if (error instanceof Abort) return failures.panic(error.message)
  if (!(error instanceof RangeError || error instanceof ArithmeticAbort)) return error
  if (/^division by zero$/i.test(error.message)) return failures.panic('attempt to divide by zero')
  if (error instanceof RangeError) return error
  const isTick = error.message.startsWith('tick')
  return failures.panic(`attempt to ${isTick ? 'subtract' : 'multiply'} with overflow`)
}

/**
 * A contract's answer as JSON text.
 *
 * @throws ChainFailure, OutOfGas
 */
export function queryContract(
  machine: Machine,
  state: Reader,
  gas: Gas,
  address: string,
  message: string,
): string {
  const contract = machine.contractAt(state, address)
  if (!contract) throw failures.noSuchContract(address)
  try {
    return contract.query(
      {
        env: { contract: address, time: machine.time },
        storage: storageOf(state, address),
        querier: querierOf(machine, state, gas),
        gas,
      },
      message,
    )
  } catch (error) {
    throw asFailure(error, failures.queryFailed)
  }
}

/** A contract's answer, parsed; no gas limit. @throws ChainFailure */
export const askContract = (
  machine: Machine,
  state: Reader,
  address: string,
  message: object,
): unknown =>
  JSON.parse(queryContract(machine, state, new Gas(NO_LIMIT), address, JSON.stringify(message)))

/** One execution of a contract, by a transaction or by another contract. */
export type ContractCall = {
  readonly sender: string
  readonly contract: string
  /** JSON text. */
  readonly message: string
  readonly funds: readonly Coin[]
}

/**
 * Runs a contract and the messages that it returns, depth first, in order. Writes to `state`, which
 * the caller throws away when this throws.
 *
 * @returns the events of the message, attributes sorted inside sub-messages as wasmd leaves them.
 * @throws ChainFailure, OutOfGas
 */
export function executeContract(
  machine: Machine,
  state: Writer,
  gas: Gas,
  call: ContractCall,
): ChainEvent[] {
  const contract = machine.contractAt(state, call.contract)
  if (!contract) throw failures.noSuchContract(call.contract)
  gas.charge(GAS.call, 'wasm contract')
  const events: ChainEvent[] = []
  if (call.funds.length > 0) {
    gas.charge(GAS.transfer, 'wasm contract')
    events.push(...transfer(state, call.sender, call.contract, call.funds))
  }
  events.push(eventOf('execute', ['_contract_address', call.contract]))
  const space = storageSpace(call.contract)
  // Discard the writes of a contract that throws; its reads see its writes.
  const own = new Overlay(state)
  let response: ReturnType<Contract['execute']>
  try {
    response = contract.execute(
      {
        env: { contract: call.contract, time: machine.time },
        storage: {
          ...storageOf(own, call.contract),
          set: (key, value) => {
            gas.charge(GAS.write, 'WriteFlat')
            own.set(space, key, value)
          },
        },
        querier: querierOf(machine, own, gas),
        gas,
        sender: call.sender,
        funds: call.funds,
      },
      call.message,
    )
  } catch (error) {
    throw asFailure(error, failures.executeFailed)
  }
  own.commitTo(state)
  for (const { type, attributes } of response.events)
    events.push(eventOf(`wasm-${type}`, ['_contract_address', call.contract], ...attributes))
  for (const message of response.messages)
    if (message.kind === 'execute') {
      const inner = { ...message, sender: call.contract }
      events.push(...executeContract(machine, state, gas, inner).map(sortedByKey))
    } else {
      gas.charge(GAS.transfer, 'wasm contract')
      events.push(...transfer(state, call.contract, message.to, message.coins))
    }
  return events
}

/** The codes that the chain knows, in the order of their ids, which start at 1. */
const names = [
  'fin-1.0',
  'fin-1.1',
  'bow-1.0',
  'bow',
  'router-forward',
  'router-stack',
  'caller',
  'router-forward-published',
  'router-stack-published',
] as const
export type CodeName = (typeof names)[number]

export type CodeInfo = {
  readonly id: number
  readonly name: CodeName
  /** SHA-256, upper-case hex. The code is part of the program, so its name is hashed. */
  readonly checksum: string
}

export const codes: readonly CodeInfo[] = names.map((name, at) => ({
  id: at + 1,
  name,
  checksum: toUpperHex(sha256(`swap demo code ${name}`)),
}))

export const codeInfo = (id: number): CodeInfo | undefined => codes[id - 1]
export const codeIdOf = (name: CodeName): number => names.indexOf(name) + 1

/** The chain's record of a contract. */
export type ContractRecord = {
  readonly code: CodeName
  readonly label: string
  readonly creator: string
  /** Empty when the contract cannot be changed. */
  readonly admin: string
  /** The height at which it was created. */
  readonly height: number
  readonly txIndex: number
  /** The message that it was created with, JSON text. */
  readonly message: string
  /** The error of every call, for a contract that does not work. */
  readonly halted?: string
}

const SPACE = 'contract'

export const contractInfo = (state: Reader, address: string): ContractRecord | undefined =>
  state.get<ContractRecord>(SPACE, address)

export function putContract(state: Writer, address: string, record: ContractRecord): void {
  state.set(SPACE, address, record)
  state.set(`contract/${codeIdOf(record.code)}`, address, true)
}

/** Addresses of a code's contracts, by address. */
export const contractsByCode = (state: Reader, codeId: number): readonly string[] => [
  ...state.keys(`contract/${codeId}`),
]

/** The contracts of pairs, by version and address. */
export const pairContracts = (state: Reader): readonly string[] =>
  (['fin-1.0', 'fin-1.1'] as const).flatMap((code) => contractsByCode(state, codeIdOf(code)))

/** All contracts, by address. */
export const contracts = (state: Reader): readonly string[] => [...state.keys(SPACE)]
