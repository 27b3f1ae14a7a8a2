import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from '../engine/errors.js'
import type { OperationContext } from './context.js'
import { validate } from './validate.js'

/**
 * Cost of a request in light requests. Measured on a busy core: a route takes 0.2 ms and 11 kB; an answer
 * of a worker 10 to 40 ms; an explanation up to half a second and 3.6 MB.
 */
export const WEIGHTS = { light: 1, heavy: 4, explained: 20 } as const

/** Codes of operations that query nodes. */
export const UPSTREAM_CODES = [
  'UPSTREAM_ERROR',
  'UPSTREAM_INVALID_DATA',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_RATE_LIMITED',
] as const satisfies readonly ErrorCode[]

/** What the API document says about one path and method. */
export type Endpoint = {
  /** Unique; the operation's id in the API document and its label in the metrics. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  /** More than the summary says, in Markdown. */
  readonly description?: string
  readonly tag: 'swap' | 'history' | 'service'
  /** Of the body, or of the parameters together where the method is GET. */
  readonly request?: TSchema
  /** An example of the request; for parameters, by their names, with the types of the schema. */
  readonly example?: object
  /** Of the body of a good answer. */
  readonly response: TSchema
  /** Media type of a good answer; JSON unless said otherwise. */
  readonly media?: string
  /** An example of a good answer where it cannot be computed from the market. */
  readonly answer?: unknown
  /** A good answer of another media type, for clients that do not accept `media`. */
  readonly otherwise?: {
    readonly media: string
    readonly response: TSchema
    readonly answer: unknown
  }
  /** Codes that only some requests meet, beside those that every request may. */
  readonly codes?: readonly ErrorCode[]
}

/** A request with the answer that it gets. */
export type Example = { readonly request: unknown; readonly answer: unknown }

/** A validated request. */
export type Prepared = {
  /** The input that it was read from. */
  readonly request: unknown
  /** The request in canonical form. Equal keys have equal answers at one height. */
  readonly key: string
  /** Whether it always queries contracts of the chain. */
  readonly needsChain: boolean
  /** Cost in light requests. */
  readonly weight: number
  run(context: OperationContext): Promise<object>
}

/** An operation on the market. Adding one is one folder here and an entry in `operations.ts`. */
export type Operation = Endpoint & {
  readonly request: TSchema
  /** Class of the rate limit. Which requests need a worker thread, the operation decides itself. */
  readonly weight: 'light' | 'heavy'
  /** Milliseconds after which a worker's answer is given up. */
  readonly deadline: number
  /**
   * Makes the example from those of the operations before it. Without it, the example request is
   * answered from the market.
   */
  exampleFrom?(
    answers: ReadonlyMap<string, Example>,
  ): Example | undefined | Promise<Example | undefined>
  /** A quote may be an element of a batch, under its name, and may be followed block by block. */
  readonly isQuote: boolean
  /** Checks a request. @throws SwapError when it is not one of this operation */
  prepare(input: unknown): Prepared
}

type OperationDeclaration<Schema extends TSchema> = Omit<
  Operation,
  'prepare' | 'isQuote' | 'tag'
> & {
  readonly request: Schema
  readonly isQuote?: boolean
  /** Whether a request always queries contracts; by default none does. */
  needsChain?(request: Static<Schema>): boolean
  /** Cost of a request in light requests; by default that of the operation's weight. */
  weightOf?(request: Static<Schema>): number
  /** Checks a request; by default against the schema. @throws SwapError */
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
    isQuote: false,
    ...row,
    prepare(input) {
      const request = read === undefined ? validate(row.request, input, names) : read(input)
      return {
        request: input,
        key: canonical(request),
        needsChain: needsChain?.(request) ?? false,
        weight: weightOf?.(request) ?? WEIGHTS[row.weight],
        run: (context) => run(context, request),
      }
    },
  }
}

/**
 * Canonical JSON: members sorted by name. An amount as a number and the same amount as a string
 * keep different keys, which costs one computation and cannot confuse two requests.
 */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
}
