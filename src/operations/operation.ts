import type { TSchema } from 'typebox'
import type { ErrorCode } from '../engine/errors.js'
import type { OperationContext } from './context.js'

/**
 * What answering a request costs, in light requests. On a busy core a route takes 0.2 ms and 11 kB; what
 * goes to another thread 10 to 40 ms; an explanation up to half a second and 3.6 MB.
 */
export const WEIGHTS = { light: 1, heavy: 4, explained: 20 } as const

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
  /** An example of the request; of parameters as they stand behind the `?`. */
  readonly example?: object
  /** Of the body of a good answer. */
  readonly response?: TSchema
  /** Media type of a good answer; JSON unless said otherwise. */
  readonly media?: string
  /** An example of a good answer where it cannot be computed from the market. */
  readonly answer?: unknown
  /** Codes that only some requests meet, beside those that every request may. */
  readonly codes: readonly ErrorCode[]
}

/** A request with the answer that it gets. */
export type Example = { readonly request: unknown; readonly answer: unknown }

/** A request that has been read. */
export type Prepared = {
  /** What it was read from. */
  readonly request: unknown
  /** The whole request in one form, however it was spelled. Equal keys have equal answers on a height. */
  readonly key: string
  /** Whether it asks the contracts of the chain in any case. */
  readonly needsChain: boolean
  /** What answering it costs, in light requests. */
  readonly weight: number
  run(app: OperationContext): Promise<object>
}

/** An operation on the market. Adding one is one folder here and a line in `operations.ts`. */
export type Operation = Endpoint & {
  readonly request: TSchema
  /** Heavy ones may be asked less often. Which requests go to another thread they say themselves. */
  readonly weight: 'light' | 'heavy'
  /** Milliseconds after which a heavy answer is given up. */
  readonly deadline: number
  /**
   * An example that has to be made from those of the operations before, where the market is asked for
   * one. Without it the example is answered.
   */
  exampleFrom?(answers: ReadonlyMap<string, Example>): Example | undefined
  /** May be an element of a batch, under its name. */
  readonly inBatch: boolean
  /** May be followed block by block, with its request as parameters. */
  readonly inStream: boolean
  /** Checks a request. @throws SwapError when it is not one of this operation */
  prepare(input: unknown): Prepared
}

type OperationDeclaration<Request> = Omit<Operation, 'prepare' | 'inBatch' | 'inStream'> & {
  readonly inBatch?: boolean
  readonly inStream?: boolean
  /** Whether a request asks the contracts in any case. Without it, none does. */
  needsChain?(request: Request): boolean
  /** What a request costs, in light requests; without it, what the operation's weight says. */
  weightOf?(request: Request): number
  read(input: unknown): Request
  run(app: OperationContext, request: Request): Promise<object>
}

/** An operation from how its request is read and how it is answered. */
export function operation<Request>({
  read,
  needsChain,
  weightOf,
  run,
  ...row
}: OperationDeclaration<Request>): Operation {
  return {
    inBatch: false,
    inStream: false,
    ...row,
    prepare(input) {
      const request = read(input)
      return {
        request: input,
        key: canonical(request),
        needsChain: needsChain?.(request) ?? false,
        weight: weightOf?.(request) ?? WEIGHTS[row.weight],
        run: (app) => run(app, request),
      }
    },
  }
}

/**
 * A JSON value in one spelling: members in the order of their names, numbers that may be amounts or
 * not as they are. An amount that is a number and the same as a string stay two keys: that costs one
 * computation and can never mix two requests up.
 */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
}
