import { failures } from '../../modules/chain-failure.js'
import { queries } from '../queries/all-queries.js'
import type { Node } from '../queries/node.js'
import {
  GRPC,
  invalidArgument,
  QueryFailure,
  refusedQuery,
  status,
  viewAt,
} from '../queries/query.js'
import { goJson, jsonReply, type NodeRequest, type Reply, targetOf, withHeaders } from '../reply.js'
import { type BytesAs, baseLayerReply, fieldsOf, messageJson } from './render.js'

/** HTTP's status for a gRPC one. */
const HTTP: { readonly [grpc: number]: number } = {
  [GRPC.Unknown]: 500,
  [GRPC.InvalidArgument]: 400,
  [GRPC.NotFound]: 404,
  [GRPC.Unimplemented]: 501,
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
  throw refusedQuery(
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
  const metadata: Record<string, string> = {}
  try {
    const request = method === 'POST' ? bodyFields(body) : fieldsOf(given)
    const view = viewAt(node, heightOf(headers[HEIGHT]))
    if (query !== WITHOUT_HEIGHT) metadata[`grpc-metadata-${HEIGHT}`] = String(view.height)
    const message = queries.get(query)?.message(view, request)
    const json = messageJson(message as object, bytesOf[query] ?? {})
    const height = metadata[`grpc-metadata-${HEIGHT}`]
    return jsonReply(200, goJson(json), { ...metadata, ...(height && { [HEIGHT]: height }) })
  } catch (error) {
    if (!(error instanceof QueryFailure)) throw error
    return withHeaders(failureReply(error), metadata)
  }
}

/** The decoded path; as it is when its escapes are broken. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Answers an HTTP request of the REST endpoint. */
export function answerRest(node: Node, request: NodeRequest): Reply {
  const target = targetOf(request.url)
  const path = decodePath(target.path)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  try {
    const price = method === 'GET' && baseLayerReply(node, path, target.query)
    if (price) return price
  } catch (error) {
    if (error instanceof QueryFailure) return failureReply(error)
    throw error
  }
  const found = routeFor(method, path)
  if (found === undefined) return failureReply(status('Unimplemented', 'Not Implemented'))
  return answerRoute(node, request, found.route, [...target.query, ...found.parts])
}

/** A path of the REST gateway and the query behind it. */
type Route = {
  readonly method: 'GET' | 'POST'
  /** `{name}` takes one part of the path, `{name=**}` the rest. */
  readonly pattern: string
  /** The gRPC path. */
  readonly query: string
}

const AUTH = ['/cosmos/auth/v1beta1', '/cosmos.auth.v1beta1.Query'] as const
const BANK = ['/cosmos/bank/v1beta1', '/cosmos.bank.v1beta1.Query'] as const
const WASM = ['/cosmwasm/wasm/v1', '/cosmwasm.wasm.v1.Query'] as const
const TX = ['/cosmos/tx/v1beta1', '/cosmos.tx.v1beta1.Service'] as const
const BASE = ['/cosmos/base/tendermint/v1beta1', '/cosmos.base.tendermint.v1beta1.Service'] as const
const NODE = ['/cosmos/base/node/v1beta1', '/cosmos.base.node.v1beta1.Service'] as const
const STAKING = ['/cosmos/staking/v1beta1', '/cosmos.staking.v1beta1.Query'] as const

const get = (
  [path, service]: readonly [string, string],
  pattern: string,
  name: string,
  method: Route['method'] = 'GET',
): Route => ({ method, pattern: `${path}${pattern}`, query: `${service}/${name}` })

/** The routes of the gateway. Of two that fit a path, the later one is taken. */
const routes: readonly Route[] = [
  get(AUTH, '/accounts/{address}', 'Account'),
  get(AUTH, '/account_info/{address}', 'AccountInfo'),
  get(BANK, '/balances/{address}', 'AllBalances'),
  get(BANK, '/balances/{address}/by_denom', 'Balance'),
  get(BANK, '/spendable_balances/{address}', 'SpendableBalances'),
  get(BANK, '/supply', 'TotalSupply'),
  get(BANK, '/supply/by_denom', 'SupplyOf'),
  get(BANK, '/denoms_metadata', 'DenomsMetadata'),
  get(BANK, '/denoms_metadata/{denom=**}', 'DenomMetadata'),
  get(WASM, '/contract/{address}', 'ContractInfo'),
  get(WASM, '/contract/{address}/history', 'ContractHistory'),
  get(WASM, '/contract/{address}/state', 'AllContractState'),
  get(WASM, '/contract/{address}/raw/{query_data}', 'RawContractState'),
  get(WASM, '/contract/{address}/smart/{query_data}', 'SmartContractState'),
  get(WASM, '/contracts/creator/{creator_address}', 'ContractsByCreator'),
  get(WASM, '/code', 'Codes'),
  get(WASM, '/code/{code_id}', 'Code'),
  get(WASM, '/code-info/{code_id}', 'CodeInfo'),
  get(WASM, '/code/{code_id}/contracts', 'ContractsByCode'),
  get(TX, '/simulate', 'Simulate', 'POST'),
  get(TX, '/txs', 'GetTxsEvent'),
  get(TX, '/txs', 'BroadcastTx', 'POST'),
  get(TX, '/txs/{hash}', 'GetTx'),
  get(BASE, '/node_info', 'GetNodeInfo'),
  get(BASE, '/blocks/{height}', 'GetBlockByHeight'),
  get(BASE, '/blocks/latest', 'GetLatestBlock'),
  get(NODE, '/config', 'Config'),
  get(STAKING, '/delegations/{delegator_addr}', 'DelegatorDelegations'),
]

type Match = { readonly route: Route; readonly parts: ReadonlyMap<string, string> }

const routePatterns = routes.map((route) => ({ route, wanted: route.pattern.split('/') })).reverse()

function partsOf(wanted: readonly string[], path: readonly string[]) {
  const parts = new Map<string, string>()
  for (const [at, want] of wanted.entries()) {
    const [, name, rest] = /^\{(\w+)(=\*\*)?\}$/.exec(want) ?? []
    if (name !== undefined && rest !== undefined && path.length > at) {
      parts.set(name, path.slice(at).join('/'))
      return parts
    }
    const part = path[at]
    if (part === undefined) return undefined
    if (name !== undefined) parts.set(name, part)
    else if (part !== want) return undefined
  }
  return path.length === wanted.length ? parts : undefined
}

/** The route of a method for a decoded path. */
function routeFor(method: string, path: string): Match | undefined {
  const given = path.split('/')
  for (const { route, wanted } of routePatterns) {
    const parts = route.method === method && partsOf(wanted, given)
    if (parts) return { route, parts }
  }
  return undefined
}
