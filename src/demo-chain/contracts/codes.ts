import { invalidAddress } from '../modules/addresses.js'
import { type Contract, ContractError } from '../modules/contract.js'
import { type CodeName, contractInfo, type Machine } from '../modules/dispatch.js'
import { bowContract } from './bow/bow-contract.js'
import { ORACLE_SPACE } from './fin/config.js'
import { finContract } from './fin/fin-contract.js'
import { routerContract } from './router/router-contract.js'
import { fieldsOf, parseVariant, writeJson } from './serde.js'

const EXECUTE = 'demo_caller::ExecuteMsg'
const QUERY = 'demo_caller::QueryMsg'

/**
 * A third-party contract: forwards a message with the attached coins, so that the called contract sees a contract as
 * the sender. `{"forward":{"contract":"…","msg":"<base64>"}}`. It accepts callbacks and keeps returned coins.
 */
export const callerContract: Contract = {
  execute(call, message) {
    const { variant, body } = parseVariant(EXECUTE, message, ['forward', 'callback'])
    const fields = fieldsOf(EXECUTE, body)
    if (variant === 'callback') return { messages: [], events: [] }
    return {
      messages: [
        {
          kind: 'execute',
          contract: fields.text('contract'),
          message: Buffer.from(fields.binary('msg')).toString(),
          funds: call.funds,
        },
      ],
      events: [],
    }
  },
  query(_call, message) {
    parseVariant(QUERY, message, ['config'])
    return writeJson({})
  },
}

export const codeContracts: Readonly<Record<CodeName, Contract>> = {
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

/** The environment of contracts without height and time. */
export type Environment = Omit<Machine, 'height' | 'time' | 'chainId'>

/** The environment of a chain's contracts. */
export const environmentOf = ({ prefix }: { readonly prefix: string }): Environment => ({
  contractAt: (state, address) => {
    const record = contractInfo(state, address)
    if (!record) return undefined
    return record.halted === undefined ? codeContracts[record.code] : haltedContract(record.halted)
  },
  invalid: (address) => invalidAddress(prefix, address),
  oracle: (state, chain, symbol) => state.get<bigint>(ORACLE_SPACE, `${chain}.${symbol}`),
})

/** A contract that fails every call with the same error. */
function haltedContract(reason: string): Contract {
  const refuse = (): never => {
    throw new ContractError(reason)
  }
  return { execute: refuse, query: refuse }
}
