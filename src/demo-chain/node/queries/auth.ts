import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import {
  QueryAccountInfoRequest,
  QueryAccountInfoResponse,
  QueryAccountRequest,
  QueryAccountResponse,
} from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { type Account, accountOf } from '../../modules/accounts.js'
import { invalidArgument, notFound, plain, type Query, query, type View } from './query.js'

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

/** The account at an address that a query names. @throws QueryFailure */
function accountAt(view: View, address: string): Account {
  if (address === '') throw invalidArgument('Address cannot be empty')
  const why = view.machine.invalid(address)
  if (why !== undefined) throw plain(why)
  const account = accountOf(view.state, address)
  if (!account) throw notFound(`account ${address} not found`)
  return account
}

/** Queries of x/auth. */
export const authQueries: readonly Query[] = [
  query(`${SERVICE}/Account`, QueryAccountRequest, QueryAccountResponse, (view, { address }) => ({
    account: {
      typeUrl: BaseAccount.typeUrl,
      value: BaseAccount.encode(baseAccount(address, accountAt(view, address))).finish(),
    },
  })),
  query(
    `${SERVICE}/AccountInfo`,
    QueryAccountInfoRequest,
    QueryAccountInfoResponse,
    (view, { address }) => ({ info: baseAccount(address, accountAt(view, address)) }),
  ),
]
