import { SwapError } from '../engine/errors.js'

/** The reason of a failure, in one line for a log. */
export function reasonOf(error: unknown): string {
  if (error instanceof SwapError) return `${error.message}: ${error.why ?? error.code}`
  return error instanceof Error ? error.message : String(error)
}
