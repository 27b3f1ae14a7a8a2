import { type Problem, problemOf } from '../../../src/operations/problem.js'
import { route } from '../../../src/operations/route/route.js'
import type { RouteAnswer } from '../../../src/operations/route/route-documents.js'
import { readRouteRequest } from '../../../src/operations/route/route-request.js'
import { failureOf } from '../../chain/rpc/stage.js'
import { app, market } from '../../support/demo-market.js'

/** 1 BTC for RUNE. */
export const swap = { input: { denom: 'btc-btc', amount: '100000000' }, output: { denom: 'rune' } }
export const ofAmount = <Amount>(amount: Amount) => ({
  ...swap,
  input: { denom: 'btc-btc', amount },
})

/** 1 BTC for RUNE with some members replaced or added. */
export const ask = (members: object = {}): Promise<RouteAnswer> =>
  route(app, readRouteRequest({ ...swap, ...members }))

/** The problem document of a body; fails if the body is answered. */
export async function problem(body: unknown, where = app): Promise<Problem> {
  const answer = async () => route(where, readRouteRequest(body))
  return problemOf(await failureOf(answer()))
}

/** The address of the pair that trades BTC with another token. */
export function directPair(other = 'rune'): string {
  const pair = [...market.books.values()].find(
    ({ state }) =>
      [state.pair.base, state.pair.quote].sort().join() === ['btc-btc', other].sort().join(),
  )
  return pair!.state.pair.address
}
