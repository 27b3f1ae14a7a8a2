import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { MsgSend, MsgSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey as Ed25519 } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { PubKey as Secp256k1 } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { signModeToJSON } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract, MsgExecuteContractResponse } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { contractCodeHistoryOperationTypeToJSON } from 'cosmjs-types/cosmwasm/wasm/v1/types'
import { blockIDFlagToJSON } from 'cosmjs-types/tendermint/types/validator'
import { nanosOf, rfc3339 } from '../../blocks/time.js'
import type { Codec } from '../queries/query.js'

/** Messages that an `Any` may hold. */
const known: ReadonlyMap<string, Codec<never>> = new Map(
  [
    BaseAccount,
    Ed25519,
    MsgExecuteContract,
    MsgExecuteContractResponse,
    MsgSend,
    MsgSendResponse,
    Secp256k1,
    Tx,
  ].map((codec) => [codec.typeUrl, codec as unknown as Codec<never>]),
)

const ACCESS = ['Unspecified', 'Nobody', 'OnlyAddress', 'Everybody', 'AnyOfAddresses']
const access = (value: number): string => ACCESS[value] ?? String(value)

/** Enumerations by the fields that hold them: cosmjs-types has them as numbers. */
const enumerations: { readonly [field: string]: (value: number) => string } = {
  blockIdFlag: blockIDFlagToJSON,
  operation: contractCodeHistoryOperationTypeToJSON,
  mode: signModeToJSON,
  permission: access,
}

/** Of these only one is set; the others are not written at all. */
const ALTERNATIVES: readonly string[] = ['single', 'multi']
/** Fields that are newer than the chain. */
const NEWER: readonly string[] = ['ibc2PortId']

/** How bytes of some fields are written; otherwise they are base64, or null when empty. */
export type BytesAs = { readonly [field: string]: 'hex' | 'json' }

const MESSAGE_OF_CONTRACT: BytesAs = { msg: 'json' }

const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function bytesJson(bytes: Uint8Array, as: 'hex' | 'json' | undefined): unknown {
  const buffer = Buffer.from(bytes)
  if (as === 'hex') return buffer.toString('hex').toUpperCase()
  if (as === 'json') return buffer.length > 0 ? JSON.parse(buffer.toString()) : null
  return buffer.length > 0 ? buffer.toString('base64') : null
}

type AnyLike = { readonly typeUrl: string; readonly value: Uint8Array }
const isAny = (value: object): value is AnyLike =>
  'typeUrl' in value && 'value' in value && value.value instanceof Uint8Array

function anyJson({ typeUrl, value }: AnyLike): unknown {
  const codec = known.get(typeUrl)
  if (!codec) return { '@type': typeUrl, value: bytesJson(value, undefined) }
  const message: unknown = codec.decode(value)
  return {
    '@type': typeUrl,
    ...(messageJson(
      message as object,
      typeUrl === MsgExecuteContract.typeUrl ? MESSAGE_OF_CONTRACT : {},
    ) as object),
  }
}

type TimeLike = { readonly seconds: bigint; readonly nanos: number }
const isTime = (value: object): value is TimeLike => 'seconds' in value && 'nanos' in value

function valueJson(name: string, value: unknown, bytesAs: BytesAs): unknown {
  if (value === undefined || value === null) return null
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return enumerations[name]?.(value) ?? value
  if (value instanceof Uint8Array) return bytesJson(value, bytesAs[name])
  if (Array.isArray(value)) return value.map((each) => valueJson(name, each, bytesAs))
  if (typeof value !== 'object') return value
  if (isAny(value)) return anyJson(value)
  if (isTime(value)) return rfc3339(nanosOf(value))
  return messageJson(value, bytesAs)
}

/**
 * A decoded protobuf message as the gateway writes it: every field, names with underscores, 64-bit
 * numbers as text, `Any` opened.
 */
export function messageJson(message: object, bytesAs: BytesAs): unknown {
  const json: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(message)) {
    if (NEWER.includes(name) || (value === undefined && ALTERNATIVES.includes(name))) continue
    json[snake(name)] = valueJson(name, value, bytesAs)
  }
  return json
}
