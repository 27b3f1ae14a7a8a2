import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { SignDoc } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Coin } from '../modules/contract.js'
import type { Fee, Signer, Tx } from './decode.js'
import type { Party, TxMessage } from './messages.js'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** A text as Go's JSON writes it: halves of characters replaced, some signs escaped. */
const goText = (text: string): string =>
  JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function goNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('number out of range')
  return Object.is(value, -0) ? '-0' : String(value)
}

/** JSON without spaces, keys in the order of their bytes: what both sides of a signature write. */
function canonical(value: Json): string {
  if (typeof value === 'string') return goText(value)
  if (typeof value === 'number') return goNumber(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const entries = Object.entries(value).sort(([a], [b]) => byCodePoint(a, b))
  return `{${entries.map(([key, each]) => `${goText(key)}:${canonical(each)}`).join(',')}}`
}

const coinsJson = (coins: readonly Coin[]): Json =>
  coins.map(({ denom, amount }) => ({ denom, amount: String(amount) }))

const partyJson = ({ address, coins }: Party): Json => ({ address, coins: coinsJson(coins) })

function messageJson(message: TxMessage): Json {
  if (message.kind === 'send')
    return {
      type: 'cosmos-sdk/MsgSend',
      value: {
        from_address: message.from,
        to_address: message.to,
        amount: coinsJson(message.coins),
      },
    }
  if (message.kind === 'multiSend')
    return {
      type: 'cosmos-sdk/MsgMultiSend',
      value: { inputs: message.inputs.map(partyJson), outputs: message.outputs.map(partyJson) },
    }
  return {
    type: 'wasm/MsgExecuteContract',
    value: {
      sender: message.sender,
      contract: message.contract,
      msg: JSON.parse(message.message) as Json,
      funds: coinsJson(message.funds),
    },
  }
}

const feeJson = ({ coins, gasLimit, payer, granter }: Fee): Json => ({
  amount: coinsJson(coins),
  gas: String(gasLimit),
  ...(payer && { payer }),
  ...(granter && { granter }),
})

/**
 * The sign bytes of SIGN_MODE_LEGACY_AMINO_JSON.
 *
 * @throws RangeError for a number that JSON cannot write again
 */
export function aminoSignBytes(
  tx: Tx,
  fee: Fee,
  chainId: string,
  accountNumber: bigint,
  sequence: bigint,
): Uint8Array {
  return Buffer.from(
    canonical({
      account_number: String(accountNumber),
      chain_id: chainId,
      fee: feeJson(fee),
      memo: tx.memo,
      msgs: tx.messages.map(messageJson),
      sequence: String(sequence),
      ...(tx.timeoutHeight > 0n && { timeout_height: String(tx.timeoutHeight) }),
    }),
  )
}

/** How an SPKI key of a compressed secp256k1 point begins. */
const SPKI = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex')
const KEY_BYTES = 33
const SIGNATURE_BYTES = 64
/** Half of the curve's order: a signature with a greater `s` has a twin and is refused. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** The key of a compressed point, or `undefined` if the bytes are none. */
function keyObject(publicKey: Uint8Array): KeyObject | undefined {
  try {
    const key = Buffer.concat([SPKI, publicKey])
    return createPublicKey({ key, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/** Size of the cache of valid signatures: each is verified on arrival and again in its block. */
const REMEMBERED = 10_000
const good = new Set<string>()

/** Whether `signature` (r and s, 32 bytes each, low s) is the key's of these bytes' SHA-256. */
export function verifies(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false
  const asked = createHash('sha256').update(publicKey).update(signature).update(bytes)
  const name = asked.digest('base64')
  if (good.has(name)) return true
  if (!verifiesAnew(publicKey, bytes, signature)) return false
  if (good.size >= REMEMBERED) good.clear()
  good.add(name)
  return true
}

function verifiesAnew(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`)
  if (s > HALF_ORDER) return false
  const key = keyObject(publicKey)
  return !!key && verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** The sign bytes of SIGN_MODE_DIRECT. */
export const directSignBytes = (
  bodyBytes: Uint8Array,
  authInfoBytes: Uint8Array,
  chainId: string,
  accountNumber: bigint,
): Uint8Array =>
  SignDoc.encode(SignDoc.fromPartial({ bodyBytes, authInfoBytes, chainId, accountNumber })).finish()

/** The sign bytes of a signer of this transaction; `undefined` for an unsupported mode. */
export function signBytes(
  tx: Tx,
  { mode, sequence }: Signer,
  chainId: string,
  accountNumber: bigint,
): Uint8Array | undefined {
  if (mode === 'direct')
    return directSignBytes(tx.bodyBytes, tx.authInfoBytes, chainId, accountNumber)
  // Amino JSON covers neither unknown fields nor a timeout time.
  if (mode !== 'amino' || tx.unknownFields || tx.timeoutTime !== undefined || !tx.fee)
    return undefined
  try {
    return aminoSignBytes(tx, tx.fee, chainId, accountNumber, sequence)
  } catch {
    return undefined
  }
}
