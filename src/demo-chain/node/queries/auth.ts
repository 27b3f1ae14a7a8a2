import { BaseAccount, Params } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import {
  AddressBytesToStringRequest,
  AddressBytesToStringResponse,
  AddressStringToBytesRequest,
  AddressStringToBytesResponse,
  Bech32PrefixRequest,
  Bech32PrefixResponse,
  QueryAccountInfoRequest,
  QueryAccountInfoResponse,
  QueryAccountRequest,
  QueryAccountResponse,
  QueryAccountsRequest,
  QueryAccountsResponse,
  QueryModuleAccountsRequest,
  QueryModuleAccountsResponse,
  QueryParamsRequest,
  QueryParamsResponse,
} from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type Account, accountAddresses, accountOf } from '../../modules/accounts.js'
import { addressBytes, encodeBech32 } from '../../modules/addresses.js'
import type { Reader } from '../../store/state.js'
import { sdkPage } from './page.js'
import { type Query, query, type View } from './query.js'
import { invalidArgument, notFound, plain } from './query-failure.js'

const SERVICE = '/cosmos.auth.v1beta1.Query'

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

const packed = (address: string, account: Account): Any => ({
  typeUrl: BaseAccount.typeUrl,
  value: BaseAccount.encode(baseAccount(address, account)).finish(),
})

/** The account at an address that a query names. @throws QueryFailure */
function accountAt(view: View, address: string): Account {
  if (address === '') throw invalidArgument('Address cannot be empty')
  const why = view.machine.invalid(address)
  if (why !== undefined) throw plain(why)
  const account = accountOf(view.state, address)
  if (!account) throw notFound(`account ${address} not found`)
  return account
}

const keyOf = (address: string): string => Buffer.from(addressBytes(address)).toString('latin1')

/** All addresses with an account, by their bytes: the order in which the SDK keeps them. */
const sortedAddresses = (state: Reader): ReadonlyMap<string, string> =>
  new Map(
    [...accountAddresses(state)]
      .map((address) => [keyOf(address), address] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  )

/** Queries of x/auth. */
export const authQueries: readonly Query[] = [
  query(`${SERVICE}/Account`, QueryAccountRequest, QueryAccountResponse, (view, { address }) => ({
    account: packed(address, accountAt(view, address)),
  })),
  query(
    `${SERVICE}/AccountInfo`,
    QueryAccountInfoRequest,
    QueryAccountInfoResponse,
    (view, { address }) => ({ info: baseAccount(address, accountAt(view, address)) }),
  ),
  query(`${SERVICE}/Accounts`, QueryAccountsRequest, QueryAccountsResponse, (view, request) => {
    const addresses = sortedAddresses(view.state)
    const { items, pagination } = sdkPage([...addresses.keys()], request.pagination)
    const accounts = items.flatMap((key) => {
      const address = addresses.get(key)
      const account = address === undefined ? undefined : accountOf(view.state, address)
      return address !== undefined && account ? [packed(address, account)] : []
    })
    return { accounts, pagination }
  }),
  query(
    `${SERVICE}/ModuleAccounts`,
    QueryModuleAccountsRequest,
    QueryModuleAccountsResponse,
    () => ({ accounts: [] }),
  ),
  query(`${SERVICE}/Params`, QueryParamsRequest, QueryParamsResponse, () => ({
    params: Params.fromPartial({
      maxMemoCharacters: 256n,
      txSigLimit: 7n,
      txSizeCostPerByte: 10n,
      sigVerifyCostEd25519: 590n,
      sigVerifyCostSecp256k1: 1000n,
    }),
  })),
  query(`${SERVICE}/Bech32Prefix`, Bech32PrefixRequest, Bech32PrefixResponse, ({ node }) => ({
    bech32Prefix: node.chain.options.prefix,
  })),
  query(
    `${SERVICE}/AddressBytesToString`,
    AddressBytesToStringRequest,
    AddressBytesToStringResponse,
    ({ node }, { addressBytes: bytes }) => {
      if (bytes.length === 0) throw plain('empty address bytes is not allowed')
      return { addressString: encodeBech32(node.chain.options.prefix, bytes) }
    },
  ),
  query(
    `${SERVICE}/AddressStringToBytes`,
    AddressStringToBytesRequest,
    AddressStringToBytesResponse,
    ({ machine }, { addressString }) => {
      const why = machine.invalid(addressString)
      if (why !== undefined) throw plain(why)
      return { addressBytes: addressBytes(addressString) }
    },
  ),
]
