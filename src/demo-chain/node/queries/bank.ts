import { Metadata } from 'cosmjs-types/cosmos/bank/v1beta1/bank'
import {
  QueryAllBalancesRequest,
  QueryAllBalancesResponse,
  QueryBalanceRequest,
  QueryBalanceResponse,
  QueryDenomMetadataRequest,
  QueryDenomMetadataResponse,
  QueryDenomsMetadataRequest,
  QueryDenomsMetadataResponse,
  QuerySpendableBalancesRequest,
  QuerySpendableBalancesResponse,
  QuerySupplyOfRequest,
  QuerySupplyOfResponse,
  QueryTotalSupplyRequest,
  QueryTotalSupplyResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import type { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { balanceOf, balancesOf } from '../../modules/bank.js'
import type { Reader } from '../../store/state.js'
import { isDenom } from '../../tx/coins.js'
import { invalidArgument, notFound, type Query, query, sdkPage, type View } from './query.js'

const SERVICE = '/cosmos.bank.v1beta1.Query'

/** Metadata of a denom as stored. */
type TokenMetadata = {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly display: string
}
const METADATA = 'metadata'
const SUPPLY = 'supply'

function checkAddress(view: View, address: string): void {
  const why = view.machine.invalid(address)
  if (why !== undefined) throw invalidArgument(`invalid address: ${why}`)
}

function checkDenom(denom: string): void {
  if (!isDenom(denom)) throw invalidArgument(`invalid denom: ${denom}`)
}

const coin = (denom: string, amount: bigint): Coin => ({ denom, amount: String(amount) })

function balances(view: View, address: string, pagination: PageRequest | undefined) {
  checkAddress(view, address)
  const held = new Map(
    [...balancesOf(view.state, address)].map((each) => [each.denom, each.amount]),
  )
  const page = sdkPage([...held.keys()], pagination)
  return {
    balances: page.items.map((denom) => coin(denom, held.get(denom) ?? 0n)),
    pagination: page.pagination,
  }
}

function balance(view: View, address: string, denom: string): { balance: Coin } {
  checkAddress(view, address)
  checkDenom(denom)
  return { balance: coin(denom, balanceOf(view.state, address, denom)) }
}

function metadataOf(state: Reader, denom: string): Metadata | undefined {
  const known = state.get<TokenMetadata>(METADATA, denom)
  if (!known) return undefined
  const { symbol, name, decimals, display } = known
  return Metadata.fromPartial({
    denomUnits: [
      { denom, exponent: 0, aliases: [] },
      // A token without decimals is its own unit.
      ...(decimals > 0 ? [{ denom: display, exponent: decimals, aliases: [] }] : []),
    ],
    base: denom,
    display,
    name,
    symbol,
  })
}

function metadata({ state }: View, { denom }: { denom: string }): { metadata: Metadata } {
  checkDenom(denom)
  const found = metadataOf(state, denom)
  if (!found) throw notFound(`client metadata for denom ${denom}`)
  return { metadata: found }
}

/** Queries of x/bank. */
export const bankQueries: readonly Query[] = [
  query(`${SERVICE}/Balance`, QueryBalanceRequest, QueryBalanceResponse, (view, request) =>
    balance(view, request.address, request.denom),
  ),
  query(
    `${SERVICE}/AllBalances`,
    QueryAllBalancesRequest,
    QueryAllBalancesResponse,
    (view, { address, pagination }) => balances(view, address, pagination),
  ),
  // This chain locks no coins: the spendable balance is the balance.
  query(
    `${SERVICE}/SpendableBalances`,
    QuerySpendableBalancesRequest,
    QuerySpendableBalancesResponse,
    (view, { address, pagination }) => balances(view, address, pagination),
  ),
  query(
    `${SERVICE}/TotalSupply`,
    QueryTotalSupplyRequest,
    QueryTotalSupplyResponse,
    ({ state }, request) => {
      const page = sdkPage([...state.keys(SUPPLY)], request.pagination)
      const supply = page.items.map((denom) => coin(denom, state.get<bigint>(SUPPLY, denom) ?? 0n))
      return { supply, pagination: page.pagination }
    },
  ),
  query(
    `${SERVICE}/SupplyOf`,
    QuerySupplyOfRequest,
    QuerySupplyOfResponse,
    ({ state }, { denom }) => {
      checkDenom(denom)
      return { amount: coin(denom, state.get<bigint>(SUPPLY, denom) ?? 0n) }
    },
  ),
  query(
    `${SERVICE}/DenomMetadata`,
    QueryDenomMetadataRequest,
    QueryDenomMetadataResponse,
    metadata,
  ),
  query(
    `${SERVICE}/DenomsMetadata`,
    QueryDenomsMetadataRequest,
    QueryDenomsMetadataResponse,
    ({ state }, request) => {
      const page = sdkPage([...state.keys(METADATA)], request.pagination)
      const metadatas = page.items.flatMap((denom) => metadataOf(state, denom) ?? [])
      return { metadatas, pagination: page.pagination }
    },
  ),
]
