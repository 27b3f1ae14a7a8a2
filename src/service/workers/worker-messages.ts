import { type ErrorCode, type Json, SwapError } from '../../engine/errors.js'
import type { SimulateQuery, SimulateResult } from '../../operations/chain-port.js'
import type { SerializedMarket } from '../../operations/serialized-market.js'

/** A question to a thread. */
export type WorkerRequest = {
  readonly id: number
  readonly operation: string
  /** The request as it was read from outside: checked again where it is answered. */
  readonly request: unknown
  readonly height: number
  /** The market of the height, if the thread does not have it. */
  readonly serializedMarket: SerializedMarket | undefined
  /** Whether there is a chain whose contracts can be asked, by the other side. */
  readonly contracts: boolean
}

/** What a thread is told of the contracts that it has asked for. */
export type ContractsReply = { readonly id: number; readonly ask: number } & (
  | { readonly answers: readonly SimulateResult[] }
  | { readonly refused: SerializedError }
  | { readonly bug: string }
)

/** What a thread answers: the bytes of the body, or what was wrong. */
export type WorkerReply = { readonly id: number } & (
  | { readonly text: string }
  | { readonly refused: SerializedError }
  | { readonly bug: string }
  | ContractsRequest
)

/** Asks the contracts before it goes on; `ask` tells the asks of one question apart. */
export type ContractsRequest = {
  readonly ask: number
  readonly questions: readonly SimulateQuery[]
  readonly at: number
}

/** An error of the contract on its way between threads, which would lose its class. */
export type SerializedError = {
  readonly code: ErrorCode
  readonly message: string
  readonly why: string | undefined
  readonly hint: string | undefined
  readonly members: { readonly [name: string]: Json }
}

export const serializeError = ({
  code,
  message,
  why,
  hint,
  members,
}: SwapError): SerializedError => ({
  code,
  message,
  why,
  hint,
  members,
})

export const deserializeError = ({
  code,
  message,
  why,
  hint,
  members,
}: SerializedError): SwapError =>
  new SwapError(code, message, {
    members,
    ...(why !== undefined && { why }),
    ...(hint !== undefined && { hint }),
  })

/** Markets that a thread keeps: requests in flight may still be of the height before. */
const KEPT = 2

/** Keeps a height, and the one before. Both ends of a thread do the same, so they know of each other. */
export function keepNewest<T>(markets: Map<number, T>, height: number, market: T): void {
  markets.set(height, market)
  for (const oldest of markets.keys()) {
    if (markets.size <= KEPT) return
    markets.delete(oldest)
  }
}
