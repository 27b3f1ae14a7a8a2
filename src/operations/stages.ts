import type { Market } from '../engine/market/market.js'
import { askDenom, type Pair, sideOf } from '../engine/market/pair.js'
import type { Denom } from '../engine/market/token.js'
import type { Stage } from '../engine/routing/message.js'

/** A stage of a message, with what its pair gets and pays. */
type StageStep = {
  /** Its index in the message. */
  readonly at: number
  readonly pair: Pair
  readonly offered: Denom
  /** `undefined` where the pair does not trade what it gets: the last step. */
  readonly paid: Denom | undefined
  /** The denom that the stage has to name in the router's dialect. */
  readonly named: Denom | undefined
}

/** The stages of a message in order of execution, from the denom that is sold; all over open pairs. */
export function* stepsOf(
  { router, books }: Market,
  sold: Denom,
  stages: readonly Stage[],
): Generator<StageStep> {
  const isStack = router.dialect === 'stack'
  const entries = [...stages.entries()]
  let offered = sold
  for (const [at, { address }] of isStack ? entries.reverse() : entries) {
    const { pair } = books.get(address)!.state
    const side = sideOf(pair, offered)
    const paid = side && askDenom(pair, side)
    yield { at, pair, offered, paid, named: isStack ? offered : paid }
    if (paid === undefined) return
    offered = paid
  }
}
