import { type ErrorCode, SwapError } from '../../engine/errors.js'
import type { Contracts } from '../../operations/chain-port.js'
import { overloaded } from '../workers/worker-pool.js'

/** A way to the contracts of the chain that is served. */
export type ContractClient = {
  /**
   * The contracts for one request. All that it asks of them together may take so many milliseconds.
   *
   * @throws SwapError UPSTREAM_ERROR where there is nobody to ask
   */
  within(ms: number): Contracts
  close(): void
}

/** What one request asks of the contracts. */
export type ContractSession = {
  /** @throws SwapError OVERLOADED when too many requests ask already */
  contracts(): Promise<Contracts>
  /** Whether it has asked at all. */
  used(): boolean
  end(): void
}

/** Lets requests ask the contracts: so many at once, each for so long. */
export type ContractLimiter = {
  /** @param admit is called before the first question, and throws to turn the request away */
  begin(admit: () => void): ContractSession
  /** Requests that are asking. */
  asking(): number
}

export type ContractLimits = {
  /** Requests that may ask at once. */
  readonly most: number
  /** Milliseconds that one may wait for the chain in all. */
  readonly ms: number
  /** Told what a node did; nobody outside is. */
  failed(error: SwapError): void
}

export function contractLimiter(door: ContractClient, options: ContractLimits): ContractLimiter {
  let asking = 0
  return {
    asking: () => asking,
    begin(admit) {
      let contracts: Contracts | undefined
      const open = (): Contracts => {
        admit()
        if (asking >= options.most)
          throw overloaded(`${options.most} requests wait for the chain already`)
        const opened = guarded(() => door.within(options.ms), options)
        asking += 1
        return {
          simulations: (questions, height) =>
            opened.simulations(questions, height).catch((error: unknown) => {
              throw publicOf(error, options)
            }),
        }
      }
      return {
        contracts: async () => (contracts ??= open()),
        used: () => contracts !== undefined,
        end() {
          if (contracts !== undefined) asking -= 1
        },
      }
    },
  }
}

function guarded<T>(open: () => T, options: ContractLimits): T {
  try {
    return open()
  } catch (error) {
    throw publicOf(error, options)
  }
}

/** What is said of a node outside: nothing that names it, and nothing that it said itself. */
const words: Partial<Readonly<Record<ErrorCode, readonly [message: string, hint: string]>>> = {
  UPSTREAM_ERROR: ['the chain cannot be asked', 'ask again after a moment'],
  UPSTREAM_TIMEOUT: ['the chain did not answer in time', 'ask again after a moment'],
  UPSTREAM_RATE_LIMITED: ['the chain asks for a pause', 'ask again after a moment'],
  UPSTREAM_INVALID_DATA: ['the chain did not answer as it should', 'ask again after a moment'],
}

/** A pause is asked for even where the node names none. */
const PAUSE_MS = 1_000

function publicOf(error: unknown, { ms, failed }: ContractLimits): unknown {
  const [message, hint] = (error instanceof SwapError && words[error.code]) || []
  if (!(error instanceof SwapError) || message === undefined || hint === undefined) return error
  failed(error)
  const { code } = error
  const pause = error.members['retry_after_ms'] ?? PAUSE_MS
  return new SwapError(code, message, {
    hint,
    members: {
      upstream: 'the chain',
      ...(code === 'UPSTREAM_TIMEOUT' && { timeout_ms: ms }),
      ...(code === 'UPSTREAM_RATE_LIMITED' && { retry_after_ms: pause }),
    },
  })
}
