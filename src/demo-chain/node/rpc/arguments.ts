import { fromHex, strictBase64 } from '../../../platform/encoding.js'
import type { Node } from '../queries/node.js'
import { internalError, invalidParams } from './rpc-failure.js'

/** The arguments of a call. Missing ones are empty or `undefined`; each reader throws RpcFailure. */
export type Args = {
  whole(name: string): bigint | undefined
  text(name: string): string
  flag(name: string): boolean
  /** `form` is how JSON has the bytes. */
  bytes(name: string, form: 'hex' | 'base64'): Uint8Array
}

const LIMIT = 1n << 63n
const HEX = /^(?:[0-9a-fA-F]{2})*$/

function refuse(kind: string, value: unknown): never {
  const why = `invalid ${kind} ${JSON.stringify(value)}`
  throw invalidParams(`error converting params to arguments: ${why}`)
}

function wholeIn(value: unknown): bigint {
  const isDigits = typeof value === 'string' && /^-?\d{1,19}$/.test(value)
  const number = isDigits ? BigInt(value) : LIMIT
  return number < LIMIT && number >= -LIMIT ? number : refuse('int64', value)
}

function bytesIn(value: unknown, form: 'hex' | 'base64'): Uint8Array {
  if (typeof value !== 'string') return refuse(form, value)
  if (form === 'hex') return HEX.test(value) ? fromHex(value) : refuse(form, value)
  return strictBase64(value) ?? refuse(form, value)
}

/**
 * The arguments of a JSON-RPC call, named or in the order of `names`. 64-bit numbers are texts in JSON.
 *
 * @param params as parsed; `undefined` when the call has none
 * @throws RpcFailure
 */
export function jsonArgs(names: readonly string[], params: unknown = {}): Args {
  if (params !== null && typeof params !== 'object') refuse('params', params)
  if (Array.isArray(params) && params.length !== names.length) refuse('params', params)
  const given = new Map<string, unknown>(Object.entries(params ?? {}))
  const read = <T>(name: string, absent: T, reader: (value: unknown) => T): T => {
    const value = given.get(Array.isArray(params) ? `${names.indexOf(name)}` : name)
    return value === undefined || value === null ? absent : reader(value)
  }
  return {
    whole: (name) => read<bigint | undefined>(name, undefined, wholeIn),
    text: (name) =>
      read(name, '', (value) => (typeof value === 'string' ? value : refuse('string', value))),
    flag: (name) =>
      read(name, false, (value) => (typeof value === 'boolean' ? value : refuse('bool', value))),
    bytes: (name, form) =>
      read<Uint8Array>(name, new Uint8Array(), (value) => bytesIn(value, form)),
  }
}

/** The arguments of a GET request: numbers bare or quoted, texts quoted, bytes as `0x…` or a quoted text. */
export function uriArgs(query: URLSearchParams): Args {
  const given = (name: string) => query.get(name) ?? ''
  const quoted = (text: string) => /^"(.*)"$/s.exec(text)?.[1]
  const text = (name: string): string => {
    const value = given(name)
    return value === '' ? '' : (quoted(value) ?? refuse('string', value))
  }
  return {
    whole(name) {
      const value = given(name)
      return value === '' ? undefined : wholeIn(quoted(value) ?? value)
    },
    text,
    flag(name) {
      const value = given(name)
      if (value === 'true') return true
      return value === '' || value === 'false' ? false : refuse('bool', value)
    },
    bytes(name) {
      const value = given(name)
      return /^0x/i.test(value) ? bytesIn(value.slice(2), 'hex') : Buffer.from(text(name))
    },
  }
}

/** A method of the node's RPC. */
export type Method = {
  /** The names of its arguments in Go's order: a call may name them or list them. */
  readonly names: readonly string[]
  /** @throws RpcFailure, QuerySyntaxError */
  run(node: Node, args: Args): unknown
}

export const method = (names: readonly string[], run: Method['run']): Method => ({ names, run })

const DEFAULT = 30n
const MOST = 100n

function perPageOf(asked: bigint | undefined): bigint {
  if (asked === undefined || asked < 1n) return DEFAULT
  return asked > MOST ? MOST : asked
}

/**
 * The requested page of `items`: 30 of them by default, at most 100.
 *
 * @throws RpcFailure when there is no such page
 */
export function pageOf<T>(items: readonly T[], args: Args): readonly T[] {
  const perPage = perPageOf(args.whole('per_page'))
  const page = args.whole('page') ?? 1n
  // Without items there is one page, as CometBFT counts.
  const pages = items.length === 0 ? 1n : (BigInt(items.length) - 1n) / perPage + 1n
  if (page <= 0n || page > pages)
    throw internalError(`page should be within [1, ${pages}] range, given ${page}`)
  const from = Number((page - 1n) * perPage)
  return items.slice(from, from + Number(perPage))
}
