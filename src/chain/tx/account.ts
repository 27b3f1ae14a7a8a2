import {
  QueryAccountInfoRequest,
  QueryAccountInfoResponse,
} from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import { fromBase64 } from '../../platform/encoding.js'
import { type Question, questionsOf } from '../queries/questions.js'
import { fromWire } from '../queries/wire.js'

/** Placeholder for an account without a published key: the generator of secp256k1. */
export const PLACEHOLDER_KEY = fromBase64('Anm+Zn753LusVaBilc6HCwcCm/zbLc4o2VnygVsW+BeY')

/** The account number, sequence and key of an account. */
export type ChainAccount = {
  readonly accountNumber: bigint
  /** The sequence of its next transaction. */
  readonly sequence: bigint
  /** The compressed secp256k1 key; `undefined` before its first transaction. */
  readonly publicKey: Uint8Array | undefined
}

/** The greatest number that is encoded (docs/chain.md#signing). */
const MOST = BigInt(Number.MAX_SAFE_INTEGER)

const account = questionsOf(QueryAccountInfoRequest, QueryAccountInfoResponse)

/** The account at an address; refused if it does not exist. */
export const accountInfo = (address: string): Question<ChainAccount> =>
  account({ address }, ({ info }) => {
    if (info === undefined || info.address !== address)
      throw new MalformedDocument('/info', 'must be the requested account')
    const { accountNumber, sequence, pubKey } = info
    if (accountNumber > MOST || sequence > MOST)
      throw new MalformedDocument('/info', 'must have numbers below 2^53')
    const isOurs = pubKey?.typeUrl === PubKey.typeUrl
    return {
      accountNumber,
      sequence,
      publicKey: isOurs ? compressedKey(fromWire(PubKey, pubKey.value)) : undefined,
    }
  })

function compressedKey({ key }: PubKey): Uint8Array {
  if (key.length === 33 && (key[0] === 2 || key[0] === 3)) return key
  throw new MalformedDocument('/info/pub_key', 'must be a compressed key')
}
