import { invalidAddress } from '../auth/address.js'
import { contractOf } from '../contracts/codes.js'
import { type Contract, ContractError } from '../wasm/contract.js'
import type { Machine } from '../wasm/dispatch.js'
import { contractInfo } from '../wasm/registry.js'
import type { ChainOptions } from './options.js'

/** What contracts run in, apart from height and time. */
export type Surroundings = Omit<Machine, 'height' | 'time' | 'chainId'>

/** What the contracts of a chain run in. */
export const surroundingsOf = ({ prefix }: ChainOptions): Surroundings => ({
  contractAt: (state, address) => {
    const record = contractInfo(state, address)
    if (!record) return undefined
    return record.halted === undefined ? contractOf(record.code) : broken(record.halted)
  },
  invalid: (address) => invalidAddress(prefix, address),
  oracle: (state, chain, symbol) => state.get<bigint>('oracle', `${chain}.${symbol}`),
})

/** A contract that answers everything with one error. */
function broken(reason: string): Contract {
  const refuse = (): never => {
    throw new ContractError(reason)
  }
  return { name: 'broken', execute: refuse, query: refuse }
}
