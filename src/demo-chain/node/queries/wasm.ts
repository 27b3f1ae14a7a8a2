import type { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import {
  CodeInfoResponse,
  QueryAllContractStateRequest,
  QueryAllContractStateResponse,
  QueryCodeInfoRequest,
  QueryCodeInfoResponse,
  QueryCodeRequest,
  QueryCodeResponse,
  QueryCodesRequest,
  QueryCodesResponse,
  QueryContractHistoryRequest,
  QueryContractHistoryResponse,
  QueryContractInfoRequest,
  QueryContractInfoResponse,
  QueryContractsByCodeRequest,
  QueryContractsByCodeResponse,
  QueryContractsByCreatorRequest,
  QueryContractsByCreatorResponse,
  QueryRawContractStateRequest,
  QueryRawContractStateResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import {
  AccessConfig,
  AccessType,
  ContractCodeHistoryOperationType,
  ContractInfo,
} from 'cosmjs-types/cosmwasm/wasm/v1/types'
import { attempt } from '../../../platform/attempt.js'
import { addressBytes, moduleAddress } from '../../modules/addresses.js'
import { ChainFailure, failures } from '../../modules/chain-failure.js'
import type { Contract } from '../../modules/contract.js'
import {
  type CodeInfo,
  type ContractRecord,
  codeIdOf,
  codeInfo,
  codes,
  contractInfo,
  contracts,
  contractsByCode,
  queryContract,
  storageSpace,
} from '../../modules/dispatch.js'
import { Gas } from '../../modules/gas.js'
import {
  byteString,
  bytesOf,
  checkAddress,
  contractFailure,
  invalidArgument,
  type Page,
  pageOf,
  type Query,
  query,
  registeredError,
  type View,
} from './query.js'

/** The record of the contract at an address. @throws ChainFailure */
function recordAt(view: View, address: string): ContractRecord {
  checkAddress(view, address)
  const record = contractInfo(view.state, address)
  if (!record) throw registeredError(failures.noSuchContract(address))
  return record
}

/** A message as JSON text; the node checks the syntax, the contract the content. */
function jsonText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString()
  if (attempt(() => JSON.parse(text)) === undefined) throw invalidArgument('invalid query data')
  return text
}

const creationOf = ({ height, txIndex }: ContractRecord) => ({
  blockHeight: BigInt(height),
  txIndex: BigInt(txIndex),
})

/** A stored value as the contract's own bytes. */
function storedBytes(contract: Contract | undefined, key: string, value: unknown): Uint8Array {
  return contract?.raw?.(key, value) ?? Buffer.from(JSON.stringify(value))
}

/** Queries of x/wasm about one contract. */
export const contractQueries: readonly Query[] = [
  query(
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
    QueryRawContractStateRequest,
    QueryRawContractStateResponse,
    (view, { address, queryData }) => {
      recordAt(view, address)
      const key = byteString(queryData)
      const value = view.state.get(storageSpace(address), key)
      if (value === undefined) return { data: new Uint8Array() }
      return { data: storedBytes(view.machine.contractAt(view.state, address), key, value) }
    },
  ),
  query(
    QueryAllContractStateRequest,
    QueryAllContractStateResponse,
    (view, { address, pagination }) => {
      recordAt(view, address)
      const contract = view.machine.contractAt(view.state, address)
      const page = pageOf([...view.state.keys(storageSpace(address))], pagination)
      const models = page.items.map((key) => ({
        key: bytesOf(key),
        value: storedBytes(contract, key, view.state.get(storageSpace(address), key)),
      }))
      return { models, pagination: page.pagination }
    },
  ),
  query(QueryContractInfoRequest, QueryContractInfoResponse, (view, { address }) => {
    const record = recordAt(view, address)
    const { code, creator, admin, label } = record
    return {
      address,
      contractInfo: ContractInfo.fromPartial({
        codeId: BigInt(codeIdOf(code)),
        creator,
        admin,
        label,
        created: creationOf(record),
      }),
    }
  }),
  query(
    QueryContractHistoryRequest,
    QueryContractHistoryResponse,
    (view, { address, pagination }) => {
      const record = recordAt(view, address)
      const page = pageOf([bytesKey(0n)], pagination)
      const entry = {
        operation: ContractCodeHistoryOperationType.CONTRACT_CODE_HISTORY_OPERATION_TYPE_INIT,
        codeId: BigInt(codeIdOf(record.code)),
        updated: creationOf(record),
        msg: Buffer.from(record.message),
      }
      return { entries: page.items.map(() => entry), pagination: page.pagination }
    },
  ),
]

/** A number as 8 bytes, as in store keys. */
function bytesKey(value: bigint): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes.toString('latin1')
}

const anyone = (): AccessConfig =>
  AccessConfig.fromPartial({ permission: AccessType.ACCESS_TYPE_EVERYBODY })

/** Codes come with the chain, as those of a chain whose governance uploads them. */
const uploader = ({ node }: View): string => moduleAddress(node.chain.options.prefix, 'gov')

const checksumBytes = ({ checksum }: CodeInfo): Uint8Array => Buffer.from(checksum, 'hex')

const codeInfoOf = (view: View, code: CodeInfo): CodeInfoResponse =>
  CodeInfoResponse.fromPartial({
    codeId: BigInt(code.id),
    creator: uploader(view),
    dataHash: checksumBytes(code),
    instantiatePermission: anyone(),
  })

function codeAt(id: bigint): CodeInfo {
  if (id === 0n) throw registeredError(new ChainFailure('wasm', 14, 'code id: invalid'))
  const code = codeInfo(Number(id))
  if (!code) throw registeredError(new ChainFailure('wasm', 28, `code id ${id}: no such code`))
  return code
}

/** A page of contracts in order of creation; those of one transaction by raw address. */
function byCreation(
  view: View,
  addresses: readonly string[],
  request: PageRequest | undefined,
): Page {
  const keyed = addresses.flatMap((address) => {
    const record = contractInfo(view.state, address)
    if (!record) return []
    const at = bytesKey(BigInt(record.height)) + bytesKey(BigInt(record.txIndex))
    return [[at + byteString(addressBytes(address)), address] as const]
  })
  const found = new Map(keyed.sort(([left], [right]) => (left < right ? -1 : 1)))
  const { items, pagination } = pageOf([...found.keys()], request)
  return { items: items.map((key) => found.get(key) ?? ''), pagination }
}

/** Queries of x/wasm about codes and their contracts. */
export const codeQueries: readonly Query[] = [
  query(
    QueryContractsByCodeRequest,
    QueryContractsByCodeResponse,
    (view, { codeId, pagination }) => {
      if (codeId === 0n) throw registeredError(new ChainFailure('wasm', 14, 'code id: invalid'))
      const page = byCreation(view, contractsByCode(view.state, Number(codeId)), pagination)
      return { contracts: [...page.items], pagination: page.pagination }
    },
  ),
  query(
    QueryContractsByCreatorRequest,
    QueryContractsByCreatorResponse,
    (view, { creatorAddress, pagination }) => {
      checkAddress(view, creatorAddress)
      const theirs = contracts(view.state).filter(
        (address) => contractInfo(view.state, address)?.creator === creatorAddress,
      )
      const page = byCreation(view, theirs, pagination)
      return { contractAddresses: [...page.items], pagination: page.pagination }
    },
  ),
  query(QueryCodeRequest, QueryCodeResponse, (view, { codeId }) => {
    const code = codeAt(codeId)
    // The code is part of the program: there are no bytes, only a checksum.
    return { codeInfo: codeInfoOf(view, code), data: new Uint8Array() }
  }),
  query(QueryCodeInfoRequest, QueryCodeInfoResponse, (view, { codeId }) => {
    const code = codeAt(codeId)
    return {
      codeId,
      creator: uploader(view),
      checksum: checksumBytes(code),
      instantiatePermission: anyone(),
    }
  }),
  query(QueryCodesRequest, QueryCodesResponse, (view, { pagination }) => {
    const known = new Map(codes.map((code) => [bytesKey(BigInt(code.id)), code]))
    const page = pageOf([...known.keys()], pagination)
    return {
      codeInfos: page.items.flatMap((key) => {
        const code = known.get(key)
        return code ? [codeInfoOf(view, code)] : []
      }),
      pagination: page.pagination,
    }
  }),
]
