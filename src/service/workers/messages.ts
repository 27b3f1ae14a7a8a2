import { type ErrorCode, type Json, SwapError } from '../../engine/errors.js'
import type { Simulated, SimulateQuestion } from '../../operations/chain-port.js'
import type { Parcel } from '../../operations/serialized-market.js'

/** A question to a thread. */
export type Question = {
  readonly id: number
  readonly operation: string
  /** The request as it was read from outside: checked again where it is answered. */
  readonly request: unknown
  readonly height: number
  /** The market of the height, if the thread does not have it. */
  readonly parcel: Parcel | undefined
  /** Whether there is a chain whose contracts can be asked, by the other side. */
  readonly contracts: boolean
}

/** What a thread is told of the contracts that it has asked for. */
export type Told = { readonly id: number; readonly ask: number } & (
  | { readonly answers: readonly Simulated[] }
  | { readonly refused: Refused }
  | { readonly bug: string }
)

/** What a thread answers: the bytes of the body, or what was wrong. */
export type Reply = { readonly id: number } & (
  | { readonly text: string }
  | { readonly refused: Refused }
  | { readonly bug: string }
  | Asks
)

/** Asks the contracts before it goes on; `ask` tells the asks of one question apart. */
export type Asks = {
  readonly ask: number
  readonly questions: readonly SimulateQuestion[]
  readonly at: number
}

/** An error of the contract on its way between threads, which would lose its class. */
export type Refused = {
  readonly code: ErrorCode
  readonly message: string
  readonly why: string | undefined
  readonly hint: string | undefined
  readonly members: { readonly [name: string]: Json }
}

export const refusedOf = ({ code, message, why, hint, members }: SwapError): Refused => ({
  code,
  message,
  why,
  hint,
  members,
})

export const errorOf = ({ code, message, why, hint, members }: Refused): SwapError =>
  new SwapError(code, message, {
    members,
    ...(why !== undefined && { why }),
    ...(hint !== undefined && { hint }),
  })

/** Markets that a thread keeps: requests in flight may still be of the height before. */
const KEPT = 2

/** Keeps a height, and the one before. Both ends of a thread do the same, so they know of each other. */
export function keep<T>(markets: Map<number, T>, height: number, market: T): void {
  markets.set(height, market)
  for (const oldest of markets.keys()) {
    if (markets.size <= KEPT) return
    markets.delete(oldest)
  }
}
