import {
  QueryAccountInfoRequest,
  QueryAccountInfoResponse,
} from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import { fromBase64 } from '../../platform/encoding.js'
import { type Question, questionsOf } from '../queries/questions.js'
import { fromWire } from '../queries/wire.js'

/** Stands for the key of an account that has not published one (the generator of secp256k1). */
export const PLACEHOLDER_KEY = fromBase64('Anm+Zn753LusVaBilc6HCwcCm/zbLc4o2VnygVsW+BeY')

/** An account as the chain counts its transactions. */
export type ChainAccount = {
  readonly accountNumber: bigint
  /** That the next transaction has to have. */
  readonly sequence: bigint
  /** The compressed secp256k1 key, once a transaction has shown it. */
  readonly publicKey: Uint8Array | undefined
}

const account = questionsOf(QueryAccountInfoRequest, QueryAccountInfoResponse)

/** The account at an address; refused where there is none. */
export const accountInfo = (address: string): Question<ChainAccount> =>
  account({ address }, ({ info }) => {
    if (info === undefined || info.address !== address)
      throw new MalformedDocument('/info', 'must be the account that was asked for')
    const { accountNumber, sequence, pubKey } = info
    const isOurs = pubKey?.typeUrl === PubKey.typeUrl
    return {
      accountNumber,
      sequence,
      publicKey: isOurs ? fromWire(PubKey, pubKey.value).key : undefined,
    }
  })
