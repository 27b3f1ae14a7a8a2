import { readable } from '../../../src/demo-chain/market/document.js'
import { demoSnapshot } from '../../../src/demo-chain/market/snapshot.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import type { OperationContext } from '../../../src/operations/context.js'
import { type Problem, problemOf } from '../../../src/operations/problem.js'
import { sroute } from '../../../src/operations/split/split.js'
import {
  readSplitRequest,
  type SplitAnswer,
} from '../../../src/operations/split/split-documents.js'
import { failureOf } from '../../chain/rpc/stage.js'

export const market = decodeSnapshot(readable(demoSnapshot(1)), 'demo')
export const graph = graphOf(market)
export const app: OperationContext = { openMarket: async () => ({ market, graph }) }
export const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

/** 1.5 BTC for RUNE. */
export const swap = { input: { denom: 'btc-btc', amount: '150000000' }, output: { denom: 'rune' } }

/** 1.5 BTC for RUNE with some members replaced or added. */
export const ask = (members: object = {}, where: OperationContext = app): Promise<SplitAnswer> =>
  sroute(where, readSplitRequest({ ...swap, ...members }))

/** The problem document of a body; fails if the body is answered. */
export async function problem(body: unknown, where: OperationContext = app): Promise<Problem> {
  const answer = async () => sroute(where, readSplitRequest(body))
  return problemOf(await failureOf(answer()))
}

/** The legs of an answer's best split, as a request has them. */
export const legsOf = ({ routes }: SplitAnswer) =>
  routes[0]!.legs.map(({ split, tx }) => ({
    path: tx.swap.stages.map(({ address }) => address),
    amount: split.amount,
  }))

export const sum = (amounts: readonly string[]): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount), 0n)
