import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { SwapError } from '../../engine/errors.js'
import type { Coin } from '../../engine/market/token.js'
import {
  coin,
  isAbsent,
  items,
  type JsonCursor,
  MalformedDocument,
  member,
  refuse,
  rootCursor,
  text,
} from '../../engine/snapshot/json-cursor.js'
import { canonicalBase64, toBase64 } from '../../platform/encoding.js'
import { wireCoin } from '../queries/wire.js'
import type { SignedTx, Unsigned } from './unsigned-tx.js'

const SECP256K1 = '/cosmos.crypto.secp256k1.PubKey'
const DIRECT = 'SIGN_MODE_DIRECT'
const AMINO = 'SIGN_MODE_LEGACY_AMINO_JSON'

const bodyJson = ({ sender, calls, memo, timeoutHeight }: Unsigned) => ({
  messages: calls.map(({ contract, message, funds }) => ({
    '@type': MsgExecuteContract.typeUrl,
    sender,
    contract,
    msg: JSON.parse(message) as unknown,
    funds: funds.map(wireCoin),
  })),
  memo,
  timeout_height: `${timeoutHeight}`,
  extension_options: [],
  non_critical_extension_options: [],
})

const feeJson = ({ fee, gasLimit }: Unsigned) => ({
  amount: fee.map(wireCoin),
  gas_limit: `${gasLimit}`,
  payer: '',
  granter: '',
})

/** The SDK's JSON of an unsigned transaction. Messages have to be JSON whose numbers `JSON.parse` keeps. */
export const unsignedJson = (tx: Unsigned): object => ({
  body: bodyJson(tx),
  auth_info: { signer_infos: [], fee: feeJson(tx), tip: null },
  signatures: [],
})

/** The SDK's JSON of a signed transaction. */
export const signedJson = (tx: SignedTx): object => ({
  body: bodyJson(tx),
  auth_info: {
    signer_infos: [
      {
        public_key: { '@type': SECP256K1, key: toBase64(tx.publicKey) },
        mode_info: { single: { mode: tx.isAmino ? AMINO : DIRECT } },
        sequence: `${tx.sequence}`,
      },
    ],
    fee: feeJson(tx),
    tip: null,
  },
  signatures: [toBase64(tx.signature)],
})

/** Whether a document has the shape of a transaction of the SDK; its content is not checked. */
export const isSdkTx = (document: unknown): boolean =>
  typeof document === 'object' &&
  document !== null &&
  'body' in document &&
  'auth_info' in document &&
  'signatures' in document

/**
 * A transaction from the SDK's JSON, signed or unsigned. Members that this program does not write are refused, never
 * ignored.
 *
 * @throws SwapError INVALID_REQUEST
 */
export function readSdkTx(document: unknown): Unsigned & Partial<SignedTx> {
  try {
    return readTx(rootCursor(document))
  } catch (error) {
    if (!(error instanceof MalformedDocument)) throw error
    const why = `${error.pointer} ${error.message}`.trim()
    throw new SwapError('INVALID_REQUEST', 'this is not a transaction of contract calls', {
      why,
      hint: 'give what swap execute --generate-only or swap tx sign prints',
      members: { errors: [{ pointer: error.pointer, detail: error.message }] },
    })
  }
}

function readTx(node: JsonCursor): Unsigned & Partial<SignedTx> {
  requireOnly(node, ['body', 'auth_info', 'signatures'])
  const body = member(node, 'body')
  requireOnly(body, [
    'messages',
    'memo',
    'timeout_height',
    'unordered',
    'timeout_timestamp',
    'extension_options',
    'non_critical_extension_options',
  ])
  for (const name of ['extension_options', 'non_critical_extension_options', 'timeout_timestamp'])
    requireEmpty(member(body, name))
  requireEmpty(member(body, 'unordered'))
  const info = member(node, 'auth_info')
  requireOnly(info, ['signer_infos', 'fee', 'tip'])
  requireEmpty(member(info, 'tip'))
  const fee = member(info, 'fee')
  requireOnly(fee, ['amount', 'gas_limit', 'payer', 'granter'])
  for (const name of ['payer', 'granter']) requireEmpty(member(fee, name))
  const calls = items(member(body, 'messages')).map(callOf)
  const [first] = calls
  if (first === undefined) return refuse(member(body, 'messages'), 'must hold a message')
  for (const [at, { sender }] of calls.entries())
    if (sender !== first.sender)
      refuse(items(member(body, 'messages'))[at] as JsonCursor, 'must be of the first sender')
  const memo = member(body, 'memo')
  const timeout = member(body, 'timeout_height')
  return {
    sender: first.sender,
    calls: calls.map(({ sender: _, ...call }) => call),
    memo: isAbsent(memo) || memo.value === '' ? '' : wellFormed(memo),
    timeoutHeight: isAbsent(timeout) ? 0n : uint64(timeout),
    fee: items(member(fee, 'amount')).map(coinOf),
    gasLimit: uint64(member(fee, 'gas_limit')),
    ...signerOf(items(member(info, 'signer_infos')), items(member(node, 'signatures')), node),
  }
}

function signerOf(
  infos: readonly JsonCursor[],
  signatures: readonly JsonCursor[],
  node: JsonCursor,
): Partial<Pick<SignedTx, 'publicKey' | 'sequence' | 'signature' | 'isAmino'>> {
  const [info] = infos
  const [signature] = signatures
  if (info === undefined && signature === undefined) return {}
  if (info === undefined || signature === undefined || infos.length + signatures.length > 2)
    return refuse(member(node, 'signatures'), 'must be of one signer')
  requireOnly(info, ['public_key', 'mode_info', 'sequence'])
  const key = member(info, 'public_key')
  if (text(member(key, '@type')) !== SECP256K1) refuse(key, 'must be a secp256k1 key')
  requireOnly(key, ['@type', 'key'])
  const publicKey = base64(member(key, 'key'), 33)
  if (publicKey[0] !== 2 && publicKey[0] !== 3)
    refuse(member(key, 'key'), 'must be a compressed key, which begins with the byte 2 or 3')
  const modes = member(info, 'mode_info')
  requireOnly(modes, ['single'])
  const single = member(modes, 'single')
  requireOnly(single, ['mode'])
  const mode = member(single, 'mode')
  const isAmino = text(mode) === AMINO
  if (!isAmino && text(mode) !== DIRECT) refuse(mode, `must be ${DIRECT} or ${AMINO}`)
  return {
    publicKey,
    sequence: uint64(member(info, 'sequence')),
    signature: base64(signature, 64),
    ...(isAmino && { isAmino }),
  }
}

function callOf(node: JsonCursor) {
  if (text(member(node, '@type')) !== MsgExecuteContract.typeUrl)
    refuse(member(node, '@type'), `must be ${MsgExecuteContract.typeUrl}`)
  requireOnly(node, ['@type', 'sender', 'contract', 'msg', 'funds'])
  const message = member(node, 'msg')
  if (typeof message.value !== 'object' || message.value === null)
    refuse(message, 'must be an object')
  return {
    sender: text(member(node, 'sender')),
    contract: wellFormed(member(node, 'contract')),
    message: JSON.stringify(message.value),
    funds: items(member(node, 'funds')).map(coinOf),
  }
}

/** A text without half of a surrogate pair, which would be signed as invalid UTF-8. */
function wellFormed(node: JsonCursor): string {
  const value = text(node)
  return /\p{Surrogate}/u.test(value)
    ? refuse(node, 'must not have half of a surrogate pair')
    : value
}

function coinOf(node: JsonCursor): Coin {
  requireOnly(node, ['denom', 'amount'])
  return coin(node)
}

function uint64(node: JsonCursor): bigint {
  const digits = text(node)
  const value = /^(0|[1-9]\d{0,19})$/.test(digits) ? BigInt(digits) : 1n << 64n
  return value < 1n << 64n ? value : refuse(node, 'must be digits of a number below 2^64')
}

function base64(node: JsonCursor, length: number): Uint8Array {
  const bytes = canonicalBase64(text(node))
  return bytes?.length === length ? bytes : refuse(node, `must be ${length} bytes in base64`)
}

function requireOnly(node: JsonCursor, names: readonly string[]): void {
  for (const name of Object.keys(node.value ?? {}))
    if (!names.includes(name)) refuse(member(node, name), 'must not be there')
}

function requireEmpty(node: JsonCursor): void {
  const { value } = node
  const isEmpty = isAbsent(node) || value === '' || value === false
  if (!isEmpty && !(Array.isArray(value) && value.length === 0)) refuse(node, 'must be empty')
}
