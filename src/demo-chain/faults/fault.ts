import type { Chain } from '../blocks/chain.js'
import type { Random } from '../market/random.js'
import type { Next, NodeRequest, Reply } from '../node/reply.js'

/** The parts of a JSON-RPC request that faults use. */
type RpcRequest = { readonly id: unknown; readonly method: string }

/** A parsed request. */
export type Call = {
  readonly exchange: NodeRequest
  /** JSON-RPC requests in the body; of a GET the one that its path names. Empty at other endpoints. */
  readonly requests: readonly RpcRequest[]
  /** The body is a list. */
  readonly batch: boolean
}

const requestOf = (value: unknown): RpcRequest => {
  const { id, method } = (typeof value === 'object' && value ? value : {}) as Partial<RpcRequest>
  return { id, method: typeof method === 'string' ? method : '' }
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
export const isBroadcast = ({ exchange, requests }: Call): boolean =>
  requests.some(({ method }) => method.startsWith('broadcast_tx')) ||
  (exchange.endpoint === 'rest' &&
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

/** A fault that is switched on. */
export type Fault = {
  readonly id: number
  readonly kind: string
  /** The kind's own number: seconds, blocks, percent, a port. */
  readonly n: number
  /** Only the next call that it fits; then it is over. */
  readonly once: boolean
  /** Milliseconds since 1970 when it ends by itself. */
  readonly until?: number
  /** Only calls of this method, or of a path with this in it. */
  readonly method?: string
  /** Only this contract. */
  readonly pair?: string
  /** Of what is drawn at random. */
  readonly seed: number
  /** The chain's height when it was switched on. */
  readonly height: number
}

/** A request to switch a fault on; the kind supplies missing values. */
export type FaultRequest = Pick<Fault, 'kind'> &
  Partial<Pick<Fault, 'n' | 'once' | 'method' | 'pair' | 'seed'>> & {
    /** How long, in milliseconds; until it is switched off if left out. */
    readonly forMs?: number
  }

/** Answers in place of the node, or changes the node's answer. */
export type Answer = (call: Call, next: Next, fault: Fault, random: Random) => Promise<Reply>
/** The chain as it is shown to clients; the real one continues beneath. */
export type ViewChange = (chain: Chain, fault: Fault, random: Random) => Chain

/** Where a fault does its work. */
type Effect =
  | { readonly at: 'answer'; readonly answer: Answer; fits?(call: Call): boolean }
  | { readonly at: 'view'; readonly show: ViewChange; fits?(call: Call): boolean }
  /** On the events that subscribers receive. */
  | { readonly at: 'socket' }
  /** On when blocks are made. */
  | { readonly at: 'production' }
  /** On a transaction that the node has accepted, until a block holds it. */
  | { readonly at: 'transaction' }

type FaultGroup = 'connection' | 'answer' | 'batch' | 'chain' | 'market' | 'socket' | 'execution'

/** One way in which a node can fail. */
export type FaultKind = {
  readonly kind: string
  readonly group: FaultGroup
  readonly does: string
  /** What a good client does about it. */
  readonly sees: string
  /** The number that may follow the kind. */
  readonly number?: {
    readonly meaning: string
    readonly fallback: number
    readonly least: number
    readonly most: number
  }
  readonly effect: Effect
}

/** A chain with some members replaced. */
export const changedChain = (chain: Chain, changes: Partial<Chain>): Chain =>
  new Proxy(chain, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name)
      const own: unknown = Reflect.get(target, name, target)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
