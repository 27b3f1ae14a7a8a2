import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import {
  QueryAccountInfoRequest,
  QueryAccountInfoResponse,
  QueryAccountRequest,
  QueryAccountResponse,
} from 'cosmjs-types/cosmos/auth/v1beta1/query'
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
  QuerySupplyOfRequest,
  QuerySupplyOfResponse,
  QueryTotalSupplyRequest,
  QueryTotalSupplyResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { type Account, accountOf } from '../../modules/accounts.js'
import { balanceOf, balancesOf, METADATA, SUPPLY, type TokenMetadata } from '../../modules/bank.js'
import { wireCoin } from '../../modules/contract.js'
import type { Reader } from '../../store/state.js'
import { isDenom } from '../../tx/coins.js'
import {
  checkAddress,
  invalidArgument,
  notFound,
  pageOf,
  type Query,
  query,
  type View,
} from './query.js'

const baseAccount = (address: string, account: Account): BaseAccount =>
  BaseAccount.fromPartial({
    address,
    accountNumber: account.number,
    sequence: account.sequence,
    ...(account.pubKey && {
      pubKey: {
        typeUrl: PubKey.typeUrl,
        value: PubKey.encode({ key: Buffer.from(account.pubKey, 'hex') }).finish(),
      },
    }),
  })

/** The account at an address that a query names. @throws ChainFailure */
function accountAt(view: View, address: string): Account {
  if (address === '') throw invalidArgument('Address cannot be empty')
  checkAddress(view, address)
  const account = accountOf(view.state, address)
  if (!account) throw notFound(`account ${address} not found`)
  return account
}

/** Queries of x/auth. */
export const authQueries: readonly Query[] = [
  query(QueryAccountRequest, QueryAccountResponse, (view, { address }) => ({
    account: {
      typeUrl: BaseAccount.typeUrl,
      value: BaseAccount.encode(baseAccount(address, accountAt(view, address))).finish(),
    },
  })),
  query(QueryAccountInfoRequest, QueryAccountInfoResponse, (view, { address }) => ({
    info: baseAccount(address, accountAt(view, address)),
  })),
]

const invalid = (why: string) => invalidArgument(`invalid address: ${why}`)

function checkDenom(denom: string): void {
  if (!isDenom(denom)) throw invalidArgument(`invalid denom: ${denom}`)
}

const supplyOf = (state: Reader, denom: string) =>
  wireCoin({ denom, amount: state.get<bigint>(SUPPLY, denom) ?? 0n })

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
  query(QueryBalanceRequest, QueryBalanceResponse, (view, { address, denom }) => {
    checkAddress(view, address, invalid)
    checkDenom(denom)
    return { balance: wireCoin({ denom, amount: balanceOf(view.state, address, denom) }) }
  }),
  query(QueryAllBalancesRequest, QueryAllBalancesResponse, (view, { address, pagination }) => {
    checkAddress(view, address, invalid)
    const held = new Map([...balancesOf(view.state, address)].map((each) => [each.denom, each]))
    const page = pageOf([...held.keys()], pagination)
    const balances = page.items.flatMap((denom) => held.get(denom) ?? []).map(wireCoin)
    return { balances, pagination: page.pagination }
  }),
  query(QueryTotalSupplyRequest, QueryTotalSupplyResponse, ({ state }, request) => {
    const page = pageOf([...state.keys(SUPPLY)], request.pagination)
    const supply = page.items.map((denom) => supplyOf(state, denom))
    return { supply, pagination: page.pagination }
  }),
  query(QuerySupplyOfRequest, QuerySupplyOfResponse, ({ state }, { denom }) => {
    checkDenom(denom)
    return { amount: supplyOf(state, denom) }
  }),
  query(QueryDenomMetadataRequest, QueryDenomMetadataResponse, metadata),
  query(QueryDenomsMetadataRequest, QueryDenomsMetadataResponse, ({ state }, request) => {
    const page = pageOf([...state.keys(METADATA)], request.pagination)
    const metadatas = page.items.flatMap((denom) => metadataOf(state, denom) ?? [])
    return { metadatas, pagination: page.pagination }
  }),
]
