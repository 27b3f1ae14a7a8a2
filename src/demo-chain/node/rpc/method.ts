import type { Node } from '../queries/node.js'
import { type Arg, type ArgType, absent } from './arguments.js'

/** Arguments of a call by name; what was left out is Go's zero value, or `undefined` for a pointer. */
export class Args {
  constructor(readonly values: ReadonlyMap<string, Arg>) {}

  bigint(name: string): bigint | undefined {
    return this.values.get(name) as bigint | undefined
  }
  text(name: string): string {
    return (this.values.get(name) ?? '') as string
  }
  bool(name: string): boolean {
    return this.values.get(name) === true
  }
  bytes(name: string): Uint8Array {
    return (this.values.get(name) ?? new Uint8Array()) as Uint8Array
  }
}

export type Parameter = readonly [name: string, type: ArgType]

/** A method of the node's RPC. */
export type Method = {
  readonly parameters: readonly Parameter[]
  /**
   * Whether proxies may keep the answer for a day: never, always, or only if the named parameters
   * were given.
   */
  readonly cache: 'never' | 'always' | readonly string[]
  /** @throws RpcFailure, QueryFailure, QueryTextError */
  run(node: Node, args: Args): unknown
}

/** A method; `parameters` in Go's order. */
export const method = (
  parameters: readonly Parameter[],
  run: Method['run'],
  cache: Method['cache'] = 'never',
): Method => ({ parameters, cache, run })

export function cacheable({ cache, parameters }: Method, args: Args): boolean {
  if (typeof cache === 'string') return cache === 'always'
  return cache.every((name) => {
    const type = parameters.find(([each]) => each === name)?.[1]
    const value = args.values.get(name)
    return type !== undefined && value !== undefined && value !== absent(type)
  })
}
