import { invalidAddress } from '../modules/addresses.js'
import { type Contract, ContractError } from '../modules/contract.js'
import type { Machine } from '../modules/dispatch.js'
import { type CodeName, contractInfo } from '../modules/registry.js'
import { bowContract } from './bow/bow-contract.js'
import { callerContract } from './caller.js'
import { ORACLE_SPACE } from './fin/config.js'
import { finContract } from './fin/fin-contract.js'
import { routerContract } from './router/router-contract.js'

/** The contract of each code. */
const CONTRACTS: Readonly<Record<CodeName, Contract>> = {
  'fin-1.0': finContract('1.0'),
  'fin-1.1': finContract('1.1'),
  'bow-1.0': bowContract('1.0'),
  bow: bowContract('1.1'),
  'router-forward': routerContract('forward'),
  'router-stack': routerContract('stack'),
  caller: callerContract,
  'router-forward-published': routerContract('forward', 'published'),
  'router-stack-published': routerContract('stack', 'published'),
}

export const contractOf = (name: CodeName): Contract => CONTRACTS[name]

/** The environment of contracts without height and time. */
export type Environment = Omit<Machine, 'height' | 'time' | 'chainId'>

/** The environment of a chain's contracts. */
export const environmentOf = ({ prefix }: { readonly prefix: string }): Environment => ({
  contractAt: (state, address) => {
    const record = contractInfo(state, address)
    if (!record) return undefined
    return record.halted === undefined ? contractOf(record.code) : haltedContract(record.halted)
  },
  invalid: (address) => invalidAddress(prefix, address),
  oracle: (state, chain, symbol) => state.get<bigint>(ORACLE_SPACE, `${chain}.${symbol}`),
})

/** A contract that answers everything with one error. */
function haltedContract(reason: string): Contract {
  const refuse = (): never => {
    throw new ContractError(reason)
  }
  return { name: 'broken', execute: refuse, query: refuse }
}
