import { type ErrorCode, SwapError } from '../../engine/errors.js'
import type { Contracts } from '../../operations/chain-port.js'
import { overloaded } from '../workers/worker-pool.js'

/** Queries the contracts of the served chain. */
export type ContractClient = {
  /**
   * The contracts for one request, with a total time limit of `ms` milliseconds for its queries.
   *
   * @throws SwapError UPSTREAM_ERROR if no node is available
   */
  within(ms: number): Contracts
  close(): void
}

/** The contract queries of one request. */
export type ContractSession = {
  /**
   * The contracts; counts the request from the first call until `end`.
   *
   * @throws SwapError OVERLOADED if too many requests are querying contracts, UPSTREAM_ERROR if no node is
   * available, or the error of `admit`
   */
  contracts(): Promise<Contracts>
  /** Whether a query was made. */
  used(): boolean
  end(): void
}

/**
 * Limits the number of requests that query contracts at once, and their time.
 *
 * @param admit is called before the first query, and throws to refuse the request
 */
export type ContractLimiter = (admit: () => void) => ContractSession

type ContractLimits = {
  /** Maximum number of requests that query contracts at once. */
  readonly most: number
  /** Total milliseconds that one request may wait for the chain. */
  readonly ms: number
  /** Called with errors of nodes, which are not shown to clients. */
  failed(error: SwapError): void
}

export function contractLimiter(client: ContractClient, limits: ContractLimits): ContractLimiter {
  let sessions = 0
  const refuse = (error: unknown): never => {
    throw publicOf(error, limits)
  }
  const open = (): Contracts => {
    if (sessions >= limits.most)
      throw overloaded(`${limits.most} requests wait for the chain already`)
    try {
      const opened = client.within(limits.ms)
      sessions += 1
      return {
        simulations: (questions, height) => opened.simulations(questions, height).catch(refuse),
        ownerOrders: (questions, height) => opened.ownerOrders(questions, height).catch(refuse),
      }
    } catch (error) {
      return refuse(error)
    }
  }
  return (admit) => {
    let contracts: Contracts | undefined
    return {
      async contracts() {
        if (contracts === undefined) {
          admit()
          contracts = open()
        }
        return contracts
      },
      used: () => contracts !== undefined,
      end() {
        if (contracts !== undefined) sessions -= 1
      },
    }
  }
}

/** Public messages, without names or texts of nodes. */
const messages: Partial<Readonly<Record<ErrorCode, string>>> = {
  UPSTREAM_ERROR: 'the chain cannot be queried',
  UPSTREAM_TIMEOUT: 'the chain did not answer in time',
  UPSTREAM_RATE_LIMITED: 'the chain limits requests',
  UPSTREAM_INVALID_DATA: 'the chain gave an invalid answer',
}

/** Retry delay if the node gave none, in milliseconds. */
const PAUSE_MS = 1_000

function publicOf(error: unknown, { ms, failed }: ContractLimits): unknown {
  if (!(error instanceof SwapError)) return error
  const message = messages[error.code]
  if (message === undefined) return error
  failed(error)
  const { code } = error
  const pause = error.members['retry_after_ms'] ?? PAUSE_MS
  return new SwapError(code, message, {
    hint: 'try again after a moment',
    members: {
      upstream: 'the chain',
      ...(code === 'UPSTREAM_TIMEOUT' && { timeout_ms: ms }),
      ...(code === 'UPSTREAM_RATE_LIMITED' && { retry_after_ms: pause }),
    },
  })
}
