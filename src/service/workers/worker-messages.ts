import { type Hint, SwapError } from '../../engine/errors.js'
import type { Contracts } from '../../operations/chain-port.js'
import type { SerializedMarket } from '../../operations/serialized-market.js'

/** A request to a worker. */
export type WorkerRequest = {
  readonly id: number
  readonly operation: string
  /** The request before validation: the worker validates it. */
  readonly request: unknown
  readonly height: number
  /** The market of the height, if the worker does not hold it. */
  readonly serializedMarket: SerializedMarket | undefined
  /** Whether the worker may query contracts through the serving thread. */
  readonly contracts: boolean
}

/** The result of a worker's contract queries. */
export type ContractsReply = { readonly id: number; readonly ask: number } & (
  | { readonly answers: readonly unknown[] }
  | Failure
)

/** A worker's message: the body, an error, or contract queries. */
export type WorkerReply = { readonly id: number } & (
  | { readonly text: string }
  | Failure
  | ContractsRequest
)

/** A call of the contracts, as data. */
export type ContractsCall = {
  [Method in keyof Contracts]: {
    readonly method: Method
    readonly questions: Parameters<Contracts[Method]>[0]
  }
}[keyof Contracts]

/** Contract queries; `ask` numbers those of one request. */
export type ContractsRequest = ContractsCall & { readonly ask: number; readonly at: number }

/** Makes a call that came as data. */
export const callContracts = (
  contracts: Contracts,
  call: ContractsCall,
  at: number,
): Promise<readonly unknown[]> =>
  call.method === 'simulations'
    ? contracts.simulations(call.questions, at)
    : contracts.ownerOrders(call.questions, at)

/** A failure as plain data, since its class is lost between threads: an error for the user, or a bug with its stack. */
export type Failure =
  | {
      readonly refused: Pick<SwapError, 'code' | 'message' | 'why' | 'members'> & {
        readonly hint: Hint
      }
    }
  | { readonly bug: string }

export function failureOf(error: unknown): Failure {
  if (!(error instanceof SwapError))
    return { bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  const { code, message, why, hint, httpHint, members } = error
  return { refused: { code, message, why, hint: { cli: hint, http: httpHint }, members } }
}

export function errorOf(failure: Failure): Error {
  if ('bug' in failure) return new Error(failure.bug)
  const { code, message, why, hint, members } = failure.refused
  return new SwapError(code, message, { members, hint, ...(why !== undefined && { why }) })
}

/** Markets that a thread keeps: requests in flight may still be of the height before. */
const KEPT = 2

/** Keeps the newest heights. Both sides of a worker call it, so both know what the other holds. */
export function keepNewest<T>(markets: Map<number, T>, height: number, market: T): void {
  markets.set(height, market)
  for (const oldest of markets.keys()) {
    if (markets.size <= KEPT) return
    markets.delete(oldest)
  }
}
