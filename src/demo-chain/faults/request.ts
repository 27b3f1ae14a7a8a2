import type { DoorRequest } from '../node/rpc/reply.js'

/** One JSON-RPC request as far as a fault cares. */
export type RpcRequest = { readonly id: unknown; readonly method: string }

/** A request that has been looked into. */
export type Call = {
  readonly exchange: DoorRequest
  /** JSON-RPC requests in the body; of a GET the one that its path names. Empty at other doors. */
  readonly requests: readonly RpcRequest[]
  /** The body is a list. */
  readonly batch: boolean
}

const requestOf = (value: unknown): RpcRequest => {
  const { id, method } = (typeof value === 'object' && value ? value : {}) as Partial<RpcRequest>
  return { id, method: typeof method === 'string' ? method : '' }
}

/** Looks into a request; what cannot be read has no requests in it. */
export function callOf(exchange: DoorRequest): Call {
  if (exchange.door === 'rest') return { exchange, requests: [], batch: false }
  if (exchange.door === 'rpc' && exchange.method !== 'POST') {
    const method = exchange.url.split('?')[0]?.slice(1) ?? ''
    return { exchange, requests: method === '' ? [] : [{ id: -1, method }], batch: false }
  }
  try {
    const body: unknown = JSON.parse(exchange.body.toString())
    const batch = Array.isArray(body)
    return { exchange, requests: (batch ? body : [body]).map(requestOf), batch }
  } catch {
    return { exchange, requests: [], batch: false }
  }
}

/** Whether a call hands in a transaction. */
export const isBroadcast = ({ exchange, requests }: Call): boolean =>
  requests.some(({ method }) => method.startsWith('broadcast_tx')) ||
  (exchange.door === 'rest' &&
    exchange.method === 'POST' &&
    exchange.url.startsWith('/cosmos/tx/v1beta1/txs'))

/** Whether a call is of the method: a JSON-RPC method, or part of a path. */
export const isOfMethod = ({ exchange, requests }: Call, method: string): boolean =>
  requests.some((request) => request.method === method) || exchange.url.includes(method)

/** Whether a call names a contract: in its path, in its text, or in the hex of a protobuf request. */
export const isAboutContract = ({ exchange }: Call, address: string): boolean =>
  exchange.url.includes(address) ||
  exchange.body.includes(address) ||
  exchange.body.toString('latin1').toLowerCase().includes(Buffer.from(address).toString('hex'))
