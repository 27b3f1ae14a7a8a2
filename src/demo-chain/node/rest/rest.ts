import { failures } from '../../modules/failure.js'
import { queries } from '../queries/all-queries.js'
import type { Node } from '../queries/node.js'
import { viewAt } from '../queries/query.js'
import { GRPC, invalidArgument, QueryFailure, refused, status } from '../queries/query-failure.js'
import {
  emptyReply,
  jsonReply,
  type NodeRequest,
  type Reply,
  targetOf,
  withHeaders,
} from '../reply.js'
import { goJson, jsonError } from '../rpc/json-text.js'
import { baseLayerReply } from './base-layer.js'
import { fieldsOf, fieldsOfBody } from './fields.js'
import { type BytesAs, messageJson } from './render.js'
import { type Route, routeFor } from './routes.js'

const METHODS = ['GET', 'HEAD', 'POST']
/** Names that a page of another site may send; the header of a height is not among them. */
const HEADERS = ['accept', 'accept-language', 'content-language', 'origin', 'content-type']

export const corsHeaders = ({ headers }: NodeRequest): Record<string, string> =>
  headers.origin === undefined ? {} : { 'access-control-allow-origin': '*' }

/** Answers a preflight request; `undefined` when the request is not one. */
export function preflight({ method, headers }: NodeRequest): Reply | undefined {
  if (method !== 'OPTIONS' || headers.origin === undefined) return undefined
  const asked = headers['access-control-request-method']
  if (asked === undefined) return emptyReply(400)
  if (!METHODS.includes(asked)) return emptyReply(405)
  const names = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .flatMap((name) => name.trim().toLowerCase() || [])
  if (!names.every((name) => HEADERS.includes(name))) return emptyReply(403)
  const echoed = names.filter((name) => name === 'content-type')
  return emptyReply(200, {
    'access-control-allow-origin': '*',
    ...(echoed.length > 0 && { 'access-control-allow-headers': 'Content-Type' }),
  })
}

/** HTTP's status for a gRPC one. */
const HTTP: { readonly [grpc: number]: number } = {
  [GRPC.unknown]: 500,
  [GRPC.invalidArgument]: 400,
  [GRPC.notFound]: 404,
  [GRPC.unimplemented]: 501,
  [GRPC.unavailable]: 503,
}

const HEIGHT = 'x-cosmos-block-height'

/** Answers whose bytes are not plain base64. */
const bytesOf: { readonly [query: string]: BytesAs } = {
  '/cosmwasm.wasm.v1.Query/SmartContractState': { data: 'json' },
  '/cosmwasm.wasm.v1.Query/ContractHistory': { msg: 'json' },
  '/cosmwasm.wasm.v1.Query/AllContractState': { key: 'hex' },
  '/cosmwasm.wasm.v1.Query/Codes': { dataHash: 'hex' },
  '/cosmwasm.wasm.v1.Query/Code': { dataHash: 'hex' },
  '/cosmwasm.wasm.v1.Query/CodeInfo': { checksum: 'hex' },
}

/** Answers that do not come from the application's state and name no height. */
const WITHOUT_HEIGHT = '/cosmos.tx.v1beta1.Service/BroadcastTx'

const failureReply = (failure: QueryFailure): Reply =>
  jsonReply(
    HTTP[failure.grpc] ?? 500,
    goJson({ code: failure.grpc, message: failure.message, details: [] }),
  )

/** @throws QueryFailure */
function heightOf(header: string | string[] | undefined): bigint {
  const text = Array.isArray(header) ? (header[0] ?? '') : (header ?? '')
  if (text === '') return 0n
  const wrong = !/^[+-]?\d+$/.test(text)
  if (wrong || text.length > 19)
    throw refused(
      failures.invalidRequest(
        `Baseapp.RegisterGRPCServer: invalid height header "${HEIGHT}": strconv.ParseInt: parsing ${JSON.stringify(text)}: ${wrong ? 'invalid syntax' : 'value out of range'}`,
      ),
    )
  return BigInt(text)
}

/** @throws QueryFailure */
function parsedBody(body: Buffer): unknown {
  const text = body.toString()
  if (text.trim() === '') throw invalidArgument('EOF')
  const fault = jsonError(text)
  if (fault !== undefined) throw invalidArgument(fault)
  return JSON.parse(text)
}

function answerRoute(
  node: Node,
  { headers, body }: NodeRequest,
  { method, query }: Route,
  fields: () => Record<string, unknown>,
): Reply {
  const said: Record<string, string> = {}
  try {
    const request = method === 'POST' ? fieldsOfBody(parsedBody(body)) : fields()
    const view = viewAt(node, heightOf(headers[HEIGHT]))
    if (query !== WITHOUT_HEIGHT) {
      said['grpc-metadata-content-type'] = 'application/grpc+cosmos-sdk-grpc-codec'
      said[`grpc-metadata-${HEIGHT}`] = String(view.height)
    }
    const message = queries.get(query)?.message(view, request)
    const json = messageJson(message as object, bytesOf[query] ?? {})
    const height = said[`grpc-metadata-${HEIGHT}`]
    return jsonReply(200, goJson(json), { ...said, ...(height && { [HEIGHT]: height }) })
  } catch (error) {
    if (!(error instanceof QueryFailure)) throw error
    return withHeaders(failureReply(error), said)
  }
}

/** The decoded path, or `undefined` when its escapes are broken. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Answers an HTTP request of the REST endpoint. */
export function answerRest(node: Node, request: NodeRequest): Reply {
  const early = preflight(request)
  if (early) return early
  return withHeaders(answer(node, request), corsHeaders(request))
}

function answer(node: Node, request: NodeRequest): Reply {
  const target = targetOf(request.url)
  const path = decoded(target.path)
  if (path === undefined)
    return {
      status: 400,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: Buffer.from('400 Bad Request'),
    }
  const method = request.method === 'HEAD' ? 'GET' : request.method
  try {
    const price = method === 'GET' && baseLayerReply(node, path, target.query)
    if (price) return price
  } catch (error) {
    if (error instanceof QueryFailure) return failureReply(error)
    throw error
  }
  const found = routeFor(method, path)
  if (found === undefined) return failureReply(status(GRPC.unimplemented, 'Not Implemented'))
  if (found === 'elsewhere') return failureReply(status(GRPC.unimplemented, 'Method Not Allowed'))
  return answerRoute(node, request, found.route, () => fieldsOf(found.parts, target.query))
}
