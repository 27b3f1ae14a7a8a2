import {
  QueryAccountInfoRequest,
  QueryAccountInfoResponse,
} from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import type { Question } from '../queries/questions.js'
import { fromWire } from '../queries/wire.js'

/** An account as the chain counts its transactions. */
export type Account = {
  readonly accountNumber: bigint
  /** That the next transaction has to have. */
  readonly sequence: bigint
  /** The compressed secp256k1 key, once a transaction has shown it. */
  readonly publicKey: Uint8Array | undefined
}

/** The account at an address; refused where there is none. */
export const accountInfo = (address: string): Question<Account> => ({
  path: '/cosmos.auth.v1beta1.Query/AccountInfo',
  data: QueryAccountInfoRequest.encode({ address }).finish(),
  read: (value) => {
    const { info } = fromWire(QueryAccountInfoResponse, value)
    if (info === undefined || info.address !== address)
      throw new MalformedDocument('/info', 'must be the account that was asked for')
    const { accountNumber, sequence, pubKey } = info
    const isOurs = pubKey?.typeUrl === PubKey.typeUrl
    return {
      accountNumber,
      sequence,
      publicKey: isOurs ? fromWire(PubKey, pubKey.value).key : undefined,
    }
  },
})
