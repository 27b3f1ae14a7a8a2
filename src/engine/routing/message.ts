import type { Router } from '../market/market.js'
import type { Denom } from '../market/token.js'
import type { Route } from './route.js'

/** One stage as the router takes it. */
export type Stage = { readonly address: string; readonly denom: string }

/** The contract-execute message of the router, in the dialect of that router. */
export type RouterMessage = {
  readonly swap: {
    readonly stages: readonly Stage[]
    readonly min_return: { readonly denom: string; readonly amount: string }
    readonly recipient?: string
    readonly affiliate_code?: string
  }
}

/** One hop of a path: a pair, and the denoms that it is offered and produces. */
export type StageHop = {
  readonly address: string
  readonly offered: Denom
  readonly produced: Denom
}

/**
 * The stages of a path, whose hops are given in order of execution. `forward`: in that order, with the denom that the
 * stage produces. `stack`: the last element runs first, with the denom that is offered to the stage
 * (docs/chain.md#stage-dialects).
 */
export function stagesIn(dialect: Router['dialect'], hops: readonly StageHop[]): readonly Stage[] {
  const isForward = dialect === 'forward'
  const stages = hops.map(({ address, offered, produced }) => ({
    address,
    denom: isForward ? produced : offered,
  }))
  return isForward ? stages : stages.reverse()
}

/** The stages of a route, as its router reads them. */
export const stagesOf = ({ dialect }: Router, { hops }: Route): readonly Stage[] =>
  stagesIn(
    dialect,
    hops.map(({ book, offer, output }) => ({
      address: book.state.pair.address,
      offered: offer.denom,
      produced: output.denom,
    })),
  )

/** The message that executes a route, to be sent with exactly its input as funds. */
export function messageOf(
  router: Router,
  route: Route,
  options: { readonly recipient?: string | undefined; readonly affiliate?: string | undefined },
): RouterMessage {
  return {
    swap: {
      stages: stagesOf(router, route),
      min_return: { denom: route.output, amount: `${route.minReturn}` },
      ...(options.recipient !== undefined && { recipient: options.recipient }),
      ...(options.affiliate !== undefined && { affiliate_code: options.affiliate }),
    },
  }
}
