import { type ErrorCode, type ErrorFacts, errorStack, SwapError } from '../../engine/errors.js'
import type { Contracts } from '../../operations/chain-port.js'
import type { SerializedMarket } from '../../operations/serialized-market.js'

export type WorkerRequest = {
  readonly id: number
  readonly operation: string
  /** The request; the worker validates it again. */
  readonly request: unknown
  readonly height: number
  /** The market of the height, unless the worker has it. */
  readonly serializedMarket: SerializedMarket | undefined
  /** Whether the worker may query contracts through the serving thread. */
  readonly contracts: boolean
}

/** The result of a worker's contract queries. */
export type ContractsReply = { readonly id: number; readonly ask: number } & (
  | { readonly answers: readonly unknown[] }
  | SerializedError
)

/** A worker's message: the body, an error, or contract queries. */
export type WorkerReply = { readonly id: number } & (
  | { readonly text: string }
  | SerializedError
  | ContractsRequest
)

/** A contract call as plain data. */
export type ContractsCall = {
  [Method in keyof Contracts]: {
    readonly method: Method
    readonly questions: Parameters<Contracts[Method]>[0]
  }
}[keyof Contracts]

/** Contract queries; `ask` numbers the queries of one thread. */
export type ContractsRequest = ContractsCall & { readonly ask: number; readonly at: number }

/** Makes a call received as data. */
export const callContracts = (
  contracts: Contracts,
  call: ContractsCall,
  at: number,
): Promise<readonly unknown[]> =>
  call.method === 'simulations'
    ? contracts.simulations(call.questions, at)
    : contracts.ownerOrders(call.questions, at)

/** An error as plain data, since its class is lost between threads. */
export type SerializedError =
  | {
      readonly refused: {
        readonly code: ErrorCode
        readonly message: string
        readonly facts: ErrorFacts
      }
    }
  | { readonly bug: string }

export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof SwapError)) return { bug: errorStack(error) }
  const { code, message, why, hint, httpHint, members } = error
  const facts = { ...(why !== undefined && { why }), hint: { cli: hint, http: httpHint }, members }
  return { refused: { code, message, facts } }
}

export function deserializeError(error: SerializedError): Error {
  if ('bug' in error) return new Error(error.bug)
  const { code, message, facts } = error.refused
  return new SwapError(code, message, facts)
}

/** Markets kept by a thread: requests in flight may still use the previous height. */
const KEPT = 2

/** Keeps the newest heights. Both sides call it, so that each knows what the other has. */
export function keepNewest<T>(markets: Map<number, T>, height: number, market: T): void {
  markets.set(height, market)
  for (const oldest of markets.keys()) {
    if (markets.size <= KEPT) return
    markets.delete(oldest)
  }
}
