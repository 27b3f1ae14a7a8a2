import type { Dialect } from '../../../engine/market/market.js'
import { type Coin, ContractError } from '../../wasm/contract.js'
import type { Stage, SwapMessage } from './message.js'

/** The next hop of a route, and the message that runs the rest. */
export type Next = {
  readonly pair: string
  /** The denom whose whole balance the hop sells. */
  readonly offered: string
  readonly rest: Pick<SwapMessage, 'stages' | 'offered'>
}

/** How a router reads its stages (docs/chain.md#stage-dialects). */
export type Reading = {
  /** `undefined` when there is no stage left. */
  next(message: SwapMessage, funds: readonly Coin[]): Next | undefined
  /** The pairs in order of execution, each with the denom that the hop after it is paid in. */
  order(stages: readonly Stage[]): readonly { readonly pair: string; readonly following: string }[]
}

/** The last element runs first, and names the denom that is offered to it. */
const stack: Reading = {
  next({ stages }) {
    const stage = stages.at(-1)
    return (
      stage && {
        pair: stage.address,
        offered: stage.denom,
        rest: { stages: stages.slice(0, -1), offered: undefined },
      }
    )
  },
  order: (stages) =>
    stages
      .toReversed()
      .map(({ address }, at) => ({ pair: address, following: stages.at(-2 - at)?.denom ?? '' })),
}

/** Stages run in order and name the denom that they produce: the first sells what was attached. */
const forward: Reading = {
  next({ stages, offered }, funds) {
    const [stage, ...rest] = stages
    if (stage === undefined) return undefined
    const sold = offered ?? funds[0]?.denom
    if (sold === undefined) throw new ContractError('No funds sent')
    return { pair: stage.address, offered: sold, rest: { stages: rest, offered: stage.denom } }
  },
  order: (stages) => stages.map(({ address, denom }) => ({ pair: address, following: denom })),
}

export const readingOf = (dialect: Dialect): Reading => (dialect === 'stack' ? stack : forward)
