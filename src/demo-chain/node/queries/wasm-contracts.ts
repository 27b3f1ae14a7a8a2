import {
  QueryAllContractStateRequest,
  QueryAllContractStateResponse,
  QueryContractHistoryRequest,
  QueryContractHistoryResponse,
  QueryContractInfoRequest,
  QueryContractInfoResponse,
  QueryRawContractStateRequest,
  QueryRawContractStateResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { ContractCodeHistoryOperationType, ContractInfo } from 'cosmjs-types/cosmwasm/wasm/v1/types'
import type { Contract } from '../../modules/contract.js'
import { queryContract } from '../../modules/dispatch.js'
import { failures } from '../../modules/failure.js'
import { Gas } from '../../modules/gas.js'
import { type ContractRecord, contractInfo } from '../../modules/registry.js'
import { byteString, bytesOf, wasmPage } from './page.js'
import { type Query, query, type View } from './query.js'
import { contractFailure, invalidArgument, plain, registered } from './query-failure.js'

const SERVICE = '/cosmwasm.wasm.v1.Query'

export function checkAddress(view: View, address: string): void {
  const why = view.machine.invalid(address)
  if (why !== undefined) throw plain(why)
}

/** The record of the contract at an address. @throws QueryFailure */
function recordAt(view: View, address: string): ContractRecord {
  checkAddress(view, address)
  const record = contractInfo(view.state, address)
  if (!record) throw registered(failures.noSuchContract(address))
  return record
}

/** A message as JSON text; the node looks whether it is JSON, the contract at the rest. */
function jsonText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString()
  try {
    JSON.parse(text)
  } catch {
    throw invalidArgument('invalid query data')
  }
  return text
}

const created = ({ height, txIndex }: ContractRecord) => ({
  blockHeight: BigInt(height),
  txIndex: BigInt(txIndex),
})

const space = (address: string): string => `wasm/${address}`

/** A stored value as the contract's own bytes. */
function stored(contract: Contract | undefined, key: string, value: unknown): Uint8Array {
  return contract?.raw?.(key, value) ?? Buffer.from(JSON.stringify(value))
}

/** Queries of x/wasm about one contract. */
export const contractQueries: readonly Query[] = [
  query(
    `${SERVICE}/SmartContractState`,
    QuerySmartContractStateRequest,
    QuerySmartContractStateResponse,
    (view, { address, queryData }) => {
      const message = jsonText(queryData)
      checkAddress(view, address)
      const gas = new Gas(view.node.queryGas)
      try {
        return { data: Buffer.from(queryContract(view.machine, view.state, gas, address, message)) }
      } catch (error) {
        throw contractFailure(error)
      }
    },
  ),
  query(
    `${SERVICE}/RawContractState`,
    QueryRawContractStateRequest,
    QueryRawContractStateResponse,
    (view, { address, queryData }) => {
      recordAt(view, address)
      const key = byteString(queryData)
      const value = view.state.get(space(address), key)
      if (value === undefined) return { data: new Uint8Array() }
      return { data: stored(view.machine.contractAt(view.state, address), key, value) }
    },
  ),
  query(
    `${SERVICE}/AllContractState`,
    QueryAllContractStateRequest,
    QueryAllContractStateResponse,
    (view, { address, pagination }) => {
      recordAt(view, address)
      const contract = view.machine.contractAt(view.state, address)
      const page = wasmPage([...view.state.keys(space(address))], pagination)
      const models = page.items.map((key) => ({
        key: bytesOf(key),
        value: stored(contract, key, view.state.get(space(address), key)),
      }))
      return { models, pagination: page.pagination }
    },
  ),
  query(
    `${SERVICE}/ContractInfo`,
    QueryContractInfoRequest,
    QueryContractInfoResponse,
    (view, { address }) => {
      const record = recordAt(view, address)
      const { codeId, creator, admin, label } = record
      return {
        address,
        contractInfo: ContractInfo.fromPartial({
          codeId: BigInt(codeId),
          creator,
          admin,
          label,
          created: created(record),
        }),
      }
    },
  ),
  query(
    `${SERVICE}/ContractHistory`,
    QueryContractHistoryRequest,
    QueryContractHistoryResponse,
    (view, { address, pagination }) => {
      const record = recordAt(view, address)
      const page = wasmPage([bytesKey(0n)], pagination)
      const entry = {
        operation: ContractCodeHistoryOperationType.CONTRACT_CODE_HISTORY_OPERATION_TYPE_INIT,
        codeId: BigInt(record.codeId),
        updated: created(record),
        msg: Buffer.from(record.message),
      }
      return { entries: page.items.map(() => entry), pagination: page.pagination }
    },
  ),
]

/** A number as the 8 bytes that stores keep it in. */
export function bytesKey(value: bigint): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes.toString('latin1')
}
