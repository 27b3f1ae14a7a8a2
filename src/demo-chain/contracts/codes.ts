import type { Contract } from '../wasm/contract.js'
import type { CodeName } from '../wasm/registry.js'
import { bowContract } from './bow/contract.js'
import { callerContract } from './caller.js'
import { finContract } from './fin/contract.js'
import { routerContract } from './router/contract.js'

/** What runs behind each code of the chain. */
const CONTRACTS: Readonly<Record<CodeName, Contract>> = {
  'fin-1.0': finContract('1.0'),
  'fin-1.1': finContract('1.1'),
  'bow-1.0': bowContract('1.0'),
  bow: bowContract('1.1'),
  'router-forward': routerContract('forward'),
  'router-stack': routerContract('stack'),
  caller: callerContract,
}

export const contractOf = (name: CodeName): Contract => CONTRACTS[name]
