import {
  QueryAllBalancesRequest,
  QueryAllBalancesResponse,
  QueryBalanceRequest,
  QueryBalanceResponse,
  QueryDenomMetadataRequest,
  QueryDenomMetadataResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { ConfigRequest, ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import {
  QueryAllContractStateRequest,
  QueryAllContractStateResponse,
  QueryCodeInfoRequest,
  QueryCodeInfoResponse,
  QueryCodeRequest,
  QueryCodeResponse,
  QueryContractInfoRequest,
  QueryContractInfoResponse,
  QueryContractsByCodeRequest,
  QueryContractsByCodeResponse,
  QueryRawContractStateRequest,
  QueryRawContractStateResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import type { Coin, Denom } from '../../engine/market/token.js'
import { type Decimal, parseDecimal, parseUint128 } from '../../engine/math/decimal.js'
import { type JsonCursor, MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import { utf8 } from '../../platform/bytes.js'
import { toUpperHex } from '../../platform/encoding.js'
import type { Query } from '../rpc/query-source.js'
import { fromJson, fromWire } from './wire.js'

const MOST_DECIMALS = 38

/**
 * The bank's metadata of a denom. Decimals are the exponent of the display unit; where that is the
 * base denom itself, the largest exponent there is.
 *
 * @throws MalformedDocument
 */
function decodeMetadata({ metadata }: QueryDenomMetadataResponse) {
  const { base, display, denomUnits, symbol, name } = metadata
  const displayUnit =
    display === base ? undefined : denomUnits.find(({ denom }) => denom === display)
  const decimals =
    displayUnit?.exponent ?? denomUnits.reduce((most, { exponent }) => Math.max(most, exponent), 0)
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MOST_DECIMALS)
    throw new MalformedDocument(
      '/metadata/denom_units',
      `must have at most ${MOST_DECIMALS} decimals`,
    )
  return { symbol, name, decimals }
}

/** A query with the decoder of its answer. */
export type Question<T> = Query & {
  /** @throws MalformedDocument */
  readonly read: (value: Uint8Array) => T
}

/** A request's codec, as cosmjs-types have it. */
type RequestCodec<T> = {
  readonly typeUrl: string
  encode(message: T): { finish(): Uint8Array }
}

/**
 * Questions by the messages of a query. Its path follows from the type of its request:
 * `/cosmwasm.wasm.v1.QueryCodeRequest` is asked at `/cosmwasm.wasm.v1.Query/Code`, and
 * `/cosmos.base.node.v1beta1.ConfigRequest` at `/cosmos.base.node.v1beta1.Service/Config`.
 */
export function questionsOf<Request, Response>(
  request: RequestCodec<Request>,
  response: Parameters<typeof fromWire<Response>>[0],
) {
  const path = request.typeUrl.replace(
    /\.(Query)?(\w+)Request$/,
    (_, service = 'Service', name) => `.${service}/${name}`,
  )
  return <T>(message: Request, read: (answer: Response) => T): Question<T> => ({
    path,
    data: request.encode(message).finish(),
    read: (value) => read(fromWire(response, value)),
  })
}

const smartState = questionsOf(QuerySmartContractStateRequest, QuerySmartContractStateResponse)
const rawState = questionsOf(QueryRawContractStateRequest, QueryRawContractStateResponse)
const allState = questionsOf(QueryAllContractStateRequest, QueryAllContractStateResponse)
const contract = questionsOf(QueryContractInfoRequest, QueryContractInfoResponse)
const contractsByCode = questionsOf(QueryContractsByCodeRequest, QueryContractsByCodeResponse)
const code = questionsOf(QueryCodeRequest, QueryCodeResponse)
const codeInfo = questionsOf(QueryCodeInfoRequest, QueryCodeInfoResponse)
const oneBalance = questionsOf(QueryBalanceRequest, QueryBalanceResponse)
const allBalances = questionsOf(QueryAllBalancesRequest, QueryAllBalancesResponse)
const denomMetadata = questionsOf(QueryDenomMetadataRequest, QueryDenomMetadataResponse)
const nodeConfig = questionsOf(ConfigRequest, ConfigResponse)

/** Most entries of a page of storage or contracts: wasmd's limit. */
export const PAGE = 100

const pageFrom = (key: Uint8Array): PageRequest =>
  PageRequest.fromPartial({ key, limit: BigInt(PAGE) })

/** A smart query of a contract, answered in JSON; the node limits its gas. */
export const smartQuery = <T>(
  address: string,
  message: object,
  read: (node: JsonCursor) => T,
): Question<T> =>
  smartState({ address, queryData: utf8(JSON.stringify(message)) }, ({ data }) =>
    read(fromJson(data)),
  )

/** The bytes that a contract stores under a key; `undefined` if there are none. */
export const storedValue = (address: string, key: Uint8Array): Question<Uint8Array | undefined> =>
  rawState({ address, queryData: key }, ({ data }) => (data.length === 0 ? undefined : data))

/** One entry of a contract's storage. */
export type StorageEntry = { readonly key: Uint8Array; readonly value: Uint8Array }

/** A page of a list, and the key of the next page; `undefined` for the last page. */
export type Page<T> = { readonly items: readonly T[]; readonly next: Uint8Array | undefined }

const pageOf = <T>(
  items: readonly T[],
  pagination: { readonly nextKey: Uint8Array } | undefined,
): Page<T> => ({ items, next: pagination?.nextKey.length ? pagination.nextKey : undefined })

/** A contract's storage in the order of its keys, from `key` on. Costs no gas. */
export const storage = (address: string, key: Uint8Array): Question<Page<StorageEntry>> =>
  allState({ address, pagination: pageFrom(key) }, ({ models, pagination }) =>
    pageOf(models, pagination),
  )

/** A contract's code id and label. */
export const contractInfo = (address: string) =>
  contract({ address }, ({ contractInfo: { codeId, label } }) => {
    if (codeId === 0n) throw new MalformedDocument('/contract_info/code_id', 'must name a code')
    return { codeId, label }
  })

const checksumOf = (checksum: Uint8Array, pointer: string): string => {
  if (checksum.length !== 32) throw new MalformedDocument(pointer, 'must be a SHA-256')
  return toUpperHex(checksum)
}

/** SHA-256 of a code, upper-case hex. */
export const codeChecksum = (codeId: bigint): Question<string> =>
  codeInfo({ codeId }, ({ checksum }) => checksumOf(checksum, '/checksum'))

/** The same for nodes without `CodeInfo`; the answer holds the whole code. */
export const wholeCodeChecksum = (codeId: bigint): Question<string> =>
  code({ codeId }, (answer) =>
    checksumOf(answer.codeInfo?.dataHash ?? new Uint8Array(), '/code_info/data_hash'),
  )

/** The height at which a contract was instantiated; 0 for contracts of the genesis. */
export const contractCreation = (address: string): Question<number> =>
  contract({ address }, ({ contractInfo: { created } }) => Number(created?.blockHeight ?? 0n))

/** Addresses of a code's contracts in the order of their creation. */
export const contractsOf = (codeId: bigint, key: Uint8Array): Question<Page<string>> =>
  contractsByCode({ codeId, pagination: pageFrom(key) }, ({ contracts, pagination }) =>
    pageOf(contracts, pagination),
  )

/** An account's balance of a denom, in atomics. */
export const balance = (address: string, denom: Denom): Question<bigint> =>
  oneBalance({ address, denom }, ({ balance: held }) => {
    if (held === undefined || held.denom !== denom)
      throw new MalformedDocument('/balance', `must be of ${denom}`)
    return atomics(held.amount)
  })

/** All balances of an account. */
export const balances = (address: string, key: Uint8Array): Question<Page<Coin>> =>
  allBalances(
    { address, pagination: pageFrom(key), resolveDenom: false },
    ({ balances: held, pagination }) =>
      pageOf(
        held.map(({ denom, amount }) => ({ denom, amount: atomics(amount) })),
        pagination,
      ),
  )

function atomics(text: string): bigint {
  const amount = parseUint128(text)
  if (amount === undefined) throw new MalformedDocument('/balance/amount', 'must be an amount')
  return amount
}

/** The bank's metadata of a denom; refused if it has none. */
export const metadata = (denom: Denom) => denomMetadata({ denom }, decodeMetadata)

/** A node's minimum fee for a unit of gas, by denom; empty if it accepts any fee. */
export const minimumGasPrices: Question<ReadonlyMap<Denom, Decimal>> = nodeConfig(
  {},
  ({ minimumGasPrice }) => {
    const prices = minimumGasPrice.split(',').filter((each) => each !== '')
    return new Map(prices.map(gasPrice))
  },
)

/** @example gasPrice('0.025uatom') */
function gasPrice(text: string): readonly [Denom, Decimal] {
  const [, digits = '', denom = ''] = /^([\d.]+)([a-zA-Z][\w/:.-]*)$/.exec(text) ?? []
  const price = parseDecimal(digits)
  if (price === undefined)
    throw new MalformedDocument('/minimum_gas_price', 'must be prices with their denoms')
  return [denom, price]
}
