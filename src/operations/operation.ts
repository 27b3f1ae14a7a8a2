import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from '../engine/errors.js'
import { sortedJson } from '../platform/encoding.js'
import type { OperationContext } from './context.js'
import { validate } from './validate.js'

/**
 * Cost of a request in light requests. Measured on a busy core: a route takes 0.2 ms and 11 kB; an answer
 * of a worker 10 to 40 ms; an explanation up to half a second and 3.6 MB.
 */
export const WEIGHTS = { light: 1, heavy: 4, explained: 20 } as const

/** Error codes of operations that query nodes. */
export const UPSTREAM_CODES = [
  'UPSTREAM_ERROR',
  'UPSTREAM_INVALID_DATA',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_RATE_LIMITED',
] as const satisfies readonly ErrorCode[]

/** Documentation of one path and method in the API document. */
export type Endpoint = {
  /** Unique; the operation's id in the API document and its label in the metrics. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  /** More than the summary says, in Markdown. */
  readonly description?: string
  readonly tag: 'swap' | 'history' | 'service'
  /** Schema of the body, or of the parameters if the method is GET. */
  readonly request?: TSchema
  /** An example of the request; for parameters, by their names, with the types of the schema. */
  readonly example?: object
  /** Schema of a successful answer. */
  readonly response: TSchema
  /** Media type of a successful answer; JSON by default. */
  readonly media?: string
  /** Whether the answer of an endpoint about the service has an entity tag; other answers to GET have one. */
  readonly isTagged?: true
  /** An example answer, if it cannot be computed from the market. */
  readonly answer?: unknown
  /** Another media type of the answer, for clients that do not accept `media`. */
  readonly otherwise?: {
    readonly media: string
    readonly response: TSchema
    readonly answer: unknown
  }
  /** The JSON document of status 400 for some invalid requests; others get a problem document. */
  readonly invalid?: { readonly response: TSchema; readonly answer: unknown }
  /** Error codes of some requests, beside those that any request may get. */
  readonly codes?: readonly ErrorCode[]
}

export type Example = { readonly request: unknown; readonly answer: unknown }

/** A validated request. */
export type PreparedRequest = {
  /** The unparsed input. */
  readonly request: unknown
  /**
   * The request in canonical form. Equal keys have equal answers at the same height. The same amount as a number and as
   * a string has different keys, which costs at most a second computation.
   */
  readonly key: string
  /** Whether it always queries contracts of the chain. */
  readonly needsChain: boolean
  /** Cost in light requests. */
  readonly weight: number
  run(context: OperationContext): Promise<object>
}

/** An operation on the market. A new one is a folder here and an entry in `operations.ts`. */
export type Operation = Endpoint & {
  readonly request: TSchema
  /** Class of the rate limit. The operation itself decides which requests need a worker thread. */
  readonly weight: 'light' | 'heavy'
  /** Milliseconds after which a worker's computation is abandoned. */
  readonly deadline: number
  /**
   * Derives the example from those of earlier operations. Without it, the example request is answered from
   * the market.
   */
  exampleFrom?(
    answers: ReadonlyMap<string, Example>,
  ): Example | undefined | Promise<Example | undefined>
  /** Validates a request. @throws SwapError if it is invalid for this operation */
  prepare(input: unknown): PreparedRequest
}

type OperationDeclaration<Schema extends TSchema> = Omit<Operation, 'prepare' | 'tag'> & {
  readonly request: Schema
  /** Whether a request always queries contracts; false by default. */
  needsChain?(request: Static<Schema>): boolean
  /** Cost of a request in light requests; by default the weight's. */
  weightOf?(request: Static<Schema>): number
  /** Validates a request; by default against the schema. @throws SwapError */
  read?(input: unknown): Static<Schema>
  run(context: OperationContext, request: Static<Schema>): Promise<object>
}

/** Declares an operation. */
export function operation<Schema extends TSchema>({
  read,
  needsChain,
  weightOf,
  run,
  ...row
}: OperationDeclaration<Schema>): Operation {
  const names = { cli: row.name, http: `${row.method} ${row.path}` }
  return {
    tag: 'swap',
    ...row,
    prepare(input) {
      const request = read === undefined ? validate(row.request, input, names) : read(input)
      return {
        request: input,
        key: sortedJson(request),
        needsChain: needsChain?.(request) ?? false,
        weight: weightOf?.(request) ?? WEIGHTS[row.weight],
        run: (context) => run(context, request),
      }
    },
  }
}
