import {
  CodeInfoResponse,
  QueryCodeInfoRequest,
  QueryCodeInfoResponse,
  QueryCodeRequest,
  QueryCodeResponse,
  QueryCodesRequest,
  QueryCodesResponse,
  QueryContractsByCodeRequest,
  QueryContractsByCodeResponse,
  QueryContractsByCreatorRequest,
  QueryContractsByCreatorResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { AccessConfig, AccessType } from 'cosmjs-types/cosmwasm/wasm/v1/types'
import { addressBytes, moduleAddress } from '../../modules/addresses.js'
import { ChainFailure } from '../../modules/failure.js'
import {
  type CodeInfo,
  codeInfo,
  codes,
  contractInfo,
  contracts,
  contractsByCode,
} from '../../modules/registry.js'
import { byteString, wasmPage } from './page.js'
import { type Query, query, type View } from './query.js'
import { registered } from './query-failure.js'
import { bytesKey, checkAddress } from './wasm-contracts.js'

const SERVICE = '/cosmwasm.wasm.v1.Query'

const anyone = (): AccessConfig =>
  AccessConfig.fromPartial({ permission: AccessType.ACCESS_TYPE_EVERYBODY })

/** Codes come with the chain, as those of a chain whose governance uploads them. */
const uploader = ({ node }: View): string => moduleAddress(node.chain.options.prefix, 'gov')

const checksumBytes = ({ checksum }: CodeInfo): Uint8Array => Buffer.from(checksum, 'hex')

const described = (view: View, code: CodeInfo): CodeInfoResponse =>
  CodeInfoResponse.fromPartial({
    codeId: BigInt(code.id),
    creator: uploader(view),
    dataHash: checksumBytes(code),
    instantiatePermission: anyone(),
  })

function codeAt(id: bigint): CodeInfo {
  if (id === 0n) throw registered(new ChainFailure('wasm', 14, 'code id: invalid'))
  const code = codeInfo(Number(id))
  if (!code) throw registered(new ChainFailure('wasm', 28, `code id ${id}: no such code`))
  return code
}

/** Contracts by when they were created; inside one transaction by their raw addresses. */
function byCreation(view: View, addresses: readonly string[]): ReadonlyMap<string, string> {
  const keyed = addresses.flatMap((address) => {
    const record = contractInfo(view.state, address)
    if (!record) return []
    const at = bytesKey(BigInt(record.height)) + bytesKey(BigInt(record.txIndex))
    return [[at + byteString(addressBytes(address)), address] as const]
  })
  return new Map(keyed.sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** Queries of x/wasm about codes and their contracts. */
export const codeQueries: readonly Query[] = [
  query(
    `${SERVICE}/ContractsByCode`,
    QueryContractsByCodeRequest,
    QueryContractsByCodeResponse,
    (view, { codeId, pagination }) => {
      if (codeId === 0n) throw registered(new ChainFailure('wasm', 14, 'code id: invalid'))
      const found = byCreation(view, contractsByCode(view.state, Number(codeId)))
      const page = wasmPage([...found.keys()], pagination)
      return {
        contracts: page.items.map((key) => found.get(key) ?? ''),
        pagination: page.pagination,
      }
    },
  ),
  query(
    `${SERVICE}/ContractsByCreator`,
    QueryContractsByCreatorRequest,
    QueryContractsByCreatorResponse,
    (view, { creatorAddress, pagination }) => {
      checkAddress(view, creatorAddress)
      const theirs = contracts(view.state).filter(
        (address) => contractInfo(view.state, address)?.creator === creatorAddress,
      )
      const found = byCreation(view, theirs)
      const page = wasmPage([...found.keys()], pagination)
      return {
        contractAddresses: page.items.map((key) => found.get(key) ?? ''),
        pagination: page.pagination,
      }
    },
  ),
  query(`${SERVICE}/Code`, QueryCodeRequest, QueryCodeResponse, (view, { codeId }) => {
    const code = codeAt(codeId)
    // The code is part of the program: there are no bytes, only a checksum.
    return { codeInfo: described(view, code), data: new Uint8Array() }
  }),
  query(`${SERVICE}/CodeInfo`, QueryCodeInfoRequest, QueryCodeInfoResponse, (view, { codeId }) => {
    const code = codeAt(codeId)
    return {
      codeId,
      creator: uploader(view),
      checksum: checksumBytes(code),
      instantiatePermission: anyone(),
    }
  }),
  query(`${SERVICE}/Codes`, QueryCodesRequest, QueryCodesResponse, (view, { pagination }) => {
    const known = new Map(codes().map((code) => [bytesKey(BigInt(code.id)), code]))
    const page = wasmPage([...known.keys()], pagination)
    return {
      codeInfos: page.items.flatMap((key) => {
        const code = known.get(key)
        return code ? [described(view, code)] : []
      }),
      pagination: page.pagination,
    }
  }),
]
