import { failures } from '../../modules/failure.js'
import { queries } from '../queries/all-queries.js'
import type { Node } from '../queries/node.js'
import { viewAt } from '../queries/query.js'
import { GRPC, invalidArgument, QueryFailure, refused, status } from '../queries/query-failure.js'
import { goJson, jsonReply, type NodeRequest, type Reply, targetOf, withHeaders } from '../reply.js'
import { baseLayerReply } from './base-layer.js'
import { fieldsOf } from './fields.js'
import { type BytesAs, messageJson } from './render.js'
import { type Route, routeFor } from './routes.js'

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

/** The height of a request's header; 0, the newest, without one. @throws QueryFailure */
function heightOf(header: string | string[] = '0'): bigint {
  const text = String(header)
  if (/^-?\d{1,18}$/.test(text)) return BigInt(text)
  throw refused(
    failures.invalidRequest(`invalid height header "${HEIGHT}": ${JSON.stringify(text)}`),
  )
}

/** The fields of a request with a body. @throws QueryFailure */
function bodyFields(body: Buffer): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString())
  } catch (error) {
    throw invalidArgument((error as Error).message)
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    throw invalidArgument('the body is not a JSON object')
  return fieldsOf(Object.entries(parsed))
}

function answerRoute(
  node: Node,
  { headers, body }: NodeRequest,
  { method, query }: Route,
  given: readonly (readonly [string, string])[],
): Reply {
  const said: Record<string, string> = {}
  try {
    const request = method === 'POST' ? bodyFields(body) : fieldsOf(given)
    const view = viewAt(node, heightOf(headers[HEIGHT]))
    if (query !== WITHOUT_HEIGHT) said[`grpc-metadata-${HEIGHT}`] = String(view.height)
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
  return answerRoute(node, request, found.route, [...target.query, ...found.parts])
}
