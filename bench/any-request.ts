import type { Market } from '../src/engine/market/market.js'
import { graphOf } from '../src/engine/routing/graph.js'
import { queryOf } from '../src/engine/routing/query.js'
import { rankPaths } from '../src/engine/routing/rank-paths.js'
import { randomOf } from './random.js'

/** Whole atomics between one and this many decimal digits, log-uniform. */
const DIGITS = 16

/** Requests of `POST /swap/route` as strangers send them. */
export type AnyRequest = {
  readonly input: { readonly denom: string; readonly amount: string }
  readonly output: { readonly denom: string }
  readonly max_hops: number
}

/**
 * Requests between any two tokens of any size, from one atomic to more than the books hold, over 1 to 6
 * hops: the same in every run. A fifth of them is refused.
 */
export function anyRequests(market: Market, count: number): readonly AnyRequest[] {
  const graph = graphOf(market)
  const denoms = [...market.tokens.keys()]
  const random = randomOf(4_321)
  const pick = () => denoms[Math.floor(random() * denoms.length)]!
  const isAnswered = ({ input, output, max_hops: maxHops }: AnyRequest): boolean => {
    if (!graph.indexOf.has(input.denom) || !graph.indexOf.has(output.denom)) return false
    const limits = { maxHops, via: [], exclude: [], affiliate: undefined }
    const query = queryOf(graph, input.denom, output.denom, limits)
    return rankPaths(query, BigInt(input.amount), 1).found.length > 0
  }
  const requests: AnyRequest[] = []
  for (let refused = 0; requests.length < count; ) {
    const from = pick()
    let to = pick()
    while (to === from) to = pick()
    const amount = BigInt(Math.floor(10 ** (random() * DIGITS))) + 1n
    const request = {
      input: { denom: from, amount: `${amount}` },
      output: { denom: to },
      max_hops: 1 + Math.floor(random() * 6),
    }
    const answered = isAnswered(request)
    if (!answered && refused >= requests.length / 5) continue
    if (!answered) refused += 1
    requests.push(request)
  }
  return requests
}
