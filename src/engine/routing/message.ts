import type { Router } from '../market/market.js'
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

/**
 * The stages of a path. `forward`: in order of execution, with the denom that the stage produces.
 * `stack`: the last element runs first, with the denom that is offered to the stage
 * (docs/chain.md#stage-dialects).
 */
export function stagesOf(router: Router, route: Route): readonly Stage[] {
  const stages = route.hops.map(({ book, offer, output }) => ({
    address: book.state.pair.address,
    denom: router.dialect === 'forward' ? output.denom : offer.denom,
  }))
  return router.dialect === 'forward' ? stages : stages.reverse()
}

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
