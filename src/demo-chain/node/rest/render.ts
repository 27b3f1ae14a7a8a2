import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { MsgSend, MsgSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey as Ed25519 } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { PubKey as Secp256k1 } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { signModeToJSON } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract, MsgExecuteContractResponse } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { contractCodeHistoryOperationTypeToJSON } from 'cosmjs-types/cosmwasm/wasm/v1/types'
import { blockIDFlagToJSON } from 'cosmjs-types/tendermint/types/validator'
import { strictBase64 } from '../../../platform/encoding.js'
import { nanosOf, rfc3339 } from '../../blocks/chain.js'
import { ORACLE_SPACE } from '../../contracts/fin/config.js'
import type { Node } from '../queries/node.js'
import { type Codec, invalidArgument, viewAt } from '../queries/query.js'
import { jsonReply, type Reply } from '../reply.js'

/** Messages that an `Any` may hold. */
const CODECS: ReadonlyMap<string, Codec<never>> = new Map(
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
  const codec = CODECS.get(typeUrl)
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

/** Digits after the point that the base layer's prices do not have. */
const TENTH_BILLION = 10n ** 10n

/**
 * A price of the base layer as THORChain's REST endpoint has it, at `height` of the query; `undefined` for
 * another path, and for an asset without a price.
 *
 * @throws QueryFailure for a height without a state
 */
export function baseLayerReply(
  node: Node,
  path: string,
  query: URLSearchParams,
): Reply | undefined {
  const [, asset] = /^\/thorchain\/(network$|pool\/[^/]+$)/.exec(path) ?? []
  if (asset === undefined) return undefined
  const wanted = query.get('height') ?? ''
  const { state, height: at } = viewAt(node, /^\d{1,15}$/.test(wanted) ? BigInt(wanted) : 0n)
  const isRune = asset === 'network'
  const key = isRune ? 'THOR.RUNE' : asset.slice('pool/'.length)
  const price = state.get<bigint>(ORACLE_SPACE, key)
  if (price === undefined) return undefined
  const name = isRune ? 'rune_price_in_tor' : 'asset_tor_price'
  return jsonReply(200, JSON.stringify({ [name]: `${price / TENTH_BILLION}` }), {
    'x-cosmos-block-height': `${at}`,
  })
}

/** Types of request fields by name; other fields are text. */
const KINDS: { readonly [name: string]: 'number' | 'bool' | 'bytes' } = {
  limit: 'number',
  offset: 'number',
  page: 'number',
  height: 'number',
  code_id: 'number',
  count_total: 'bool',
  reverse: 'bool',
  key: 'bytes',
  query_data: 'bytes',
  tx_bytes: 'bytes',
}

const camel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())

/** A field as `fromJSON` of its message reads it. @throws QueryFailure */
function parsedField(name: string, value: unknown): unknown {
  const last = name.slice(name.lastIndexOf('.') + 1)
  const kind = Object.hasOwn(KINDS, last) ? KINDS[last] : undefined
  if (kind === undefined) return value
  const text = String(value)
  if (kind === 'number' && /^-?\d{1,20}$/.test(text) && (last === 'height' || text[0] !== '-'))
    return text
  if (kind === 'bool' && /^(?:true|false)$/.test(text)) return text === 'true'
  if (kind === 'bytes' && typeof value === 'string') {
    // The alphabet of URLs is accepted as well.
    const standard = value.replaceAll('-', '+').replaceAll('_', '/')
    if (strictBase64(standard) !== undefined) return standard
  }
  throw invalidArgument(`invalid ${kind} ${JSON.stringify(value)} for the parameter ${name}`)
}

/**
 * A request's fields by the names of its message. Names that no request has are left out.
 *
 * @throws QueryFailure when one is not of its type
 */
export function fieldsOf(given: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  const pagination: Record<string, unknown> = {}
  for (const [name, value] of given) {
    if (value === null || typeof value === 'object') continue
    const [, paged, own = ''] = /^(pagination\.)?([a-z_]+)$/.exec(name) ?? []
    if (own !== '') (paged ? pagination : fields)[camel(own)] = parsedField(name, value)
  }
  return { ...fields, pagination }
}
