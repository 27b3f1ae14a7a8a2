import { Secp256k1 } from '@cosmjs/crypto'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { sha256 } from '../../platform/encoding.js'
import { keptWith } from '../../platform/memoize.js'
import { accountOf } from '../modules/accounts.js'
import { type Coin, wireCoin } from '../modules/contract.js'
import type { Reader } from '../store/state.js'
import { requiredFee, type TxRules } from './coins.js'
import { directSignBytes, rememberVerified } from './verify.js'

/** A payment. `coins` sorted by denom. */
export const sendMessage = (from: string, to: string, coins: readonly Coin[]): Any =>
  Any.fromPartial({
    typeUrl: MsgSend.typeUrl,
    value: MsgSend.encode({
      fromAddress: from,
      toAddress: to,
      amount: coins.map(wireCoin),
    }).finish(),
  })

/** A call of a contract. `message` is JSON text, `funds` sorted by denom. */
export const executeMessage = (
  sender: string,
  contract: string,
  message: string,
  funds: readonly Coin[] = [],
): Any =>
  Any.fromPartial({
    typeUrl: MsgExecuteContract.typeUrl,
    value: MsgExecuteContract.encode({
      sender,
      contract,
      msg: Buffer.from(message),
      funds: funds.map(wireCoin),
    }).finish(),
  })

/** The contents of a transaction of one signer. */
export type Signing = {
  /** 32 bytes. */
  readonly privateKey: Uint8Array
  readonly chainId: string
  readonly accountNumber: bigint
  readonly sequence: bigint
  /** Sorted by denom; none by default. */
  readonly fee?: readonly Coin[]
  /** Gas limit. */
  readonly gas: bigint
  readonly memo?: string
  /** The last height that may include it; 0 (the default) for no limit. */
  readonly timeoutHeight?: bigint
  readonly messages: readonly Any[]
}

/** The compressed public key of a private one, computed once: agents sign in every block. */
export const publicKeyOf = keptWith((privateKey: Uint8Array) =>
  Secp256k1.compressPubkey(Secp256k1.makeKeypair(privateKey).pubkey),
)

/** r and s of the bytes' SHA-256, 32 bytes each, low s. The same bytes give the same signature. */
export const signature = (privateKey: Uint8Array, bytes: Uint8Array): Uint8Array => {
  const made = Secp256k1.createSignature(sha256(bytes), privateKey)
  return Buffer.concat([made.r(32), made.s(32)])
}

/** The bytes of a transaction that one account has signed, SIGN_MODE_DIRECT. */
export function signedTx(signing: Signing): Uint8Array {
  const { privateKey, chainId, accountNumber, sequence, fee = [], gas, messages } = signing
  const bodyBytes = TxBody.encode(
    TxBody.fromPartial({
      messages: [...messages],
      memo: signing.memo ?? '',
      timeoutHeight: signing.timeoutHeight ?? 0n,
    }),
  ).finish()
  const key = PubKey.encode({ key: publicKeyOf(privateKey) }).finish()
  const authInfoBytes = AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: [
        {
          publicKey: { typeUrl: PubKey.typeUrl, value: key },
          modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
          sequence,
        },
      ],
      fee: { amount: fee.map(wireCoin), gasLimit: gas },
    }),
  ).finish()
  const signed = directSignBytes(bodyBytes, authInfoBytes, chainId, accountNumber)
  const made = signature(privateKey, signed)
  rememberVerified(publicKeyOf(privateKey), signed, made)
  const signatures = [made]
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
}

/**
 * The transaction of an account of the state, with the fee that the chain requires for the gas. Its sequence is that of
 * the account by default.
 */
export function accountTx(
  { chainId, gasPrice, feeDenom }: TxRules & { readonly chainId: string },
  state: Reader,
  signer: { readonly address: string; readonly privateKey: Uint8Array },
  {
    gas,
    messages,
    sequence,
  }: Pick<Signing, 'gas' | 'messages'> & Partial<Pick<Signing, 'sequence'>>,
): Uint8Array {
  const account = accountOf(state, signer.address)
  if (!account) throw new Error(`${signer.address} has no account`)
  const amount = requiredFee(gasPrice, gas)
  return signedTx({
    privateKey: signer.privateKey,
    chainId,
    accountNumber: account.number,
    sequence: sequence ?? account.sequence,
    fee: amount === 0n ? [] : [{ denom: feeDenom, amount }],
    gas,
    messages,
  })
}
