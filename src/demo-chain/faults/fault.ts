import type { Chain } from '../blocks/chain.js'
import type { Random } from '../market/random.js'
import type { NodeHandler, NodeRequest, Reply } from '../node/reply.js'

/** The parts of a JSON-RPC request that faults use. */
type RpcRequest = {
  readonly id: unknown
  readonly method: string
  /** The bytes of a transaction. */
  readonly tx?: Buffer
}

/** A parsed request. */
export type Call = {
  readonly exchange: NodeRequest
  /** JSON-RPC requests in the body; for a GET the one in its path. Empty at other endpoints. */
  readonly requests: readonly RpcRequest[]
  /** The body is a list. */
  readonly batch: boolean
}

function requestOf(value: unknown): RpcRequest {
  const { id, method, params } = Object(value) as Readonly<Record<string, unknown>>
  const request = { id, method: typeof method === 'string' ? method : '' }
  const { tx } = Object(params) as { readonly tx?: unknown }
  return typeof tx === 'string' ? { ...request, tx: Buffer.from(tx, 'base64') } : request
}

/** Parses a request; an unreadable one has no JSON-RPC requests. */
export function callOf(exchange: NodeRequest): Call {
  if (exchange.endpoint === 'rest') return { exchange, requests: [], batch: false }
  if (exchange.endpoint === 'rpc' && exchange.method !== 'POST') {
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

/** Whether a call broadcasts a transaction. */
export const isBroadcast = ({ requests }: Call): boolean =>
  requests.some(({ method }) => method.startsWith('broadcast_tx'))

/** Whether a call is of the method: a JSON-RPC method, or part of a path. */
export const isOfMethod = ({ exchange, requests }: Call, method: string): boolean =>
  requests.some((request) => request.method === method) || exchange.url.includes(method)

/**
 * Whether a call names a contract: in its path, in its text, in the hex of a protobuf request, or in the base64 of a
 * transaction.
 */
export const isAboutContract = ({ exchange, requests }: Call, address: string): boolean =>
  exchange.url.includes(address) ||
  exchange.body.includes(address) ||
  exchange.body.toString('latin1').toLowerCase().includes(Buffer.from(address).toString('hex')) ||
  requests.some(({ tx }) => tx?.includes(address))

/** An active fault. */
export type Fault = {
  readonly id: number
  readonly kind: string
  /** The number of the kind: seconds, blocks, percent or a port. */
  readonly n: number
  /** Whether it applies to the next matching call only. */
  readonly once: boolean
  /** Milliseconds since 1970 at which it expires. */
  readonly until?: number
  /** Applies only to calls of this method, or whose path contains this text. */
  readonly method?: string
  /** Applies only to this contract. */
  readonly pair?: string
  /** Seed of random choices. */
  readonly seed: number
  /** The chain's height when it was switched on. */
  readonly height: number
}

/** A request to switch a fault on; the kind supplies missing values. */
export type FaultRequest = Pick<Fault, 'kind'> &
  Partial<Pick<Fault, 'n' | 'once' | 'method' | 'pair' | 'seed'>> & {
    /** Duration in milliseconds; unlimited by default. */
    readonly forMs?: number
  }

/** Answers instead of the node, or changes the node's answer. */
export type Answer = (call: Call, next: NodeHandler, fault: Fault, random: Random) => Promise<Reply>
/** Changes the view of the chain that clients see; the chain itself is unchanged. */
export type ViewChange = (chain: Chain, fault: Fault, random: Random) => Chain

/** The point at which a fault takes effect. */
type Effect =
  | { readonly at: 'answer'; readonly answer: Answer; fits?(call: Call): boolean }
  | { readonly at: 'view'; readonly show: ViewChange; fits?(call: Call): boolean }
  /** The events of subscriptions. */
  | { readonly at: 'socket' }
  /** Block production. */
  | { readonly at: 'production' }
  /** A transaction between acceptance by the node and inclusion in a block. */
  | { readonly at: 'transaction' }

type FaultGroup = 'connection' | 'answer' | 'batch' | 'chain' | 'market' | 'socket' | 'execution'

/** A kind of fault of a node. */
export type FaultKind = {
  readonly kind: string
  readonly group: FaultGroup
  readonly does: string
  /** The behaviour of a correct client. */
  readonly sees: string
  readonly effect: Effect
  readonly number?: FaultNumber
}

/** The number that may follow a kind. */
type FaultNumber = {
  readonly meaning: string
  readonly fallback: number
  readonly least: number
  readonly most: number
}

/** Makes the faults of one group. */
export const faultsOf =
  (group: FaultGroup) =>
  (kind: string, does: string, sees: string, effect: Effect, number?: FaultNumber): FaultKind => ({
    kind,
    group,
    does,
    sees,
    effect,
    ...(number && { number }),
  })

/** A chain with some members replaced. */
export const changedChain = (chain: Chain, changes: Partial<Chain>): Chain =>
  new Proxy(chain, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name)
      const own: unknown = Reflect.get(target, name, target)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
