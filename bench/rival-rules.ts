import type { Coin } from '../src/engine/market/token.js'
import type { PathQuery } from '../src/engine/routing/query.js'
import { type RankedPath, rankPaths } from '../src/engine/routing/rank-paths.js'
import { isFailed, legExecutor } from '../src/engine/splits/execute-legs.js'
import type { Path } from '../src/engine/splits/plan.js'
import { residualNetwork } from '../src/engine/splits/residual-network.js'

/**
 * Published rules for dividing an order, written anew from their descriptions, to compare with. Both
 * avoid shared books. What they choose is executed here like any other split.
 */
type Rule = (query: PathQuery, input: Coin) => bigint | undefined

type Choice = { readonly path: Path; readonly percent: number }

/** The rule of Osmosis' sqs: routes without a common pool, ten equal increments, a knapsack over them. */
export const sqsRule: Rule = (query, input) => {
  const paths = disjoint(rankPaths(query, input.amount / 10n, 20).found)
  const ten = 10
  const best: (readonly [bigint, readonly number[]])[] = [[0n, []]]
  let table = new Map<number, readonly [bigint, readonly number[]]>([[0, best[0]!]])
  for (const found of paths.slice(0, 3)) {
    const next = new Map<number, readonly [bigint, readonly number[]]>()
    for (const [used, [sum, parts]] of table)
      for (let part = 0; used + part <= ten; part += 1) {
        const paid = part === 0 ? 0n : pays(query, found, (input.amount * BigInt(part)) / 10n)
        if (paid === undefined) continue
        const known = next.get(used + part)
        if (known === undefined || sum + paid > known[0])
          next.set(used + part, [sum + paid, [...parts, part]])
      }
    table = next
  }
  const chosen = table.get(ten)
  if (chosen === undefined) return undefined
  const network = residualNetwork(query)
  return executed(
    query,
    input,
    chosen[1].flatMap((part, i) => {
      const path = pathOf(network.edges, paths[i]!)
      return part > 0 && path ? [{ path, percent: part * 10 }] : []
    }),
  )
}

/**
 * The rule of Uniswap's router: every percentage in steps of five with its best two routes, combined
 * breadth first without a common pool, up to seven legs, until a further leg no longer helps.
 */
export const uniswapRule: Rule = (query, input) => {
  const network = residualNetwork(query)
  const percents = Array.from({ length: 20 }, (_, i) => 5 * (i + 1))
  const top = new Map(
    percents.map((percent) => [
      percent,
      rankPaths(query, (input.amount * BigInt(percent)) / 100n, 20).found,
    ]),
  )
  type State = { readonly left: number; readonly sum: bigint; readonly parts: readonly Part[] }
  type Part = { readonly found: RankedPath; readonly percent: number }
  let best: State | undefined
  let queue: State[] = percents.flatMap((percent) =>
    top
      .get(percent)!
      .slice(0, 2)
      .map((found) => ({ left: 100 - percent, sum: found.output, parts: [{ found, percent }] })),
  )
  for (let legs = 1; legs <= 7 && queue.length > 0; legs += 1) {
    const complete = queue.filter(({ left }) => left === 0)
    const round = complete.reduce<State | undefined>(
      (a, b) => (a && a.sum >= b.sum ? a : b),
      undefined,
    )
    if (legs >= 3 && best && (round === undefined || round.sum <= best.sum)) break
    if (round && (best === undefined || round.sum > best.sum)) best = round
    const next: State[] = []
    for (const { left, sum, parts } of queue)
      for (const percent of percents) {
        if (percent > left || percent > parts.at(-1)!.percent) continue
        const found = top
          .get(percent)!
          .find((each) => parts.every((part) => !shares(part.found, each)))
        if (found)
          next.push({
            left: left - percent,
            sum: sum + found.output,
            parts: [...parts, { found, percent }],
          })
      }
    queue = next.sort((a, b) => (a.sum > b.sum ? -1 : 1)).slice(0, 4000)
  }
  if (best === undefined) return undefined
  return executed(
    query,
    input,
    best.parts.flatMap(({ found, percent }) => {
      const path = pathOf(network.edges, found)
      return path ? [{ path, percent }] : []
    }),
  )
}

function executed(query: PathQuery, input: Coin, choices: readonly Choice[]): bigint | undefined {
  const amounts = choices.slice(0, -1).map(({ percent }) => (input.amount * BigInt(percent)) / 100n)
  const rest = input.amount - amounts.reduce((a, b) => a + b, 0n)
  const outcome = legExecutor(query)(
    choices.map(({ path }, i) => ({ path, amount: amounts[i] ?? rest })),
  )
  return isFailed(outcome) ? undefined : outcome.total
}

const pathOf = (edges: Path, found: RankedPath): Path | undefined => {
  const path = found.edges.map(({ book, side }) =>
    edges.find((edge) => edge.book === book && edge.side === side),
  )
  return path.every((edge) => edge !== undefined) ? path : undefined
}

const shares = (a: RankedPath, b: RankedPath): boolean =>
  a.edges.some(({ book }) => b.edges.some((edge) => edge.book === book))

function disjoint(found: readonly RankedPath[]): readonly RankedPath[] {
  const kept: RankedPath[] = []
  for (const each of found) if (kept.every((other) => !shares(other, each))) kept.push(each)
  return kept
}

function pays(query: PathQuery, found: RankedPath, amount: bigint): bigint | undefined {
  const network = residualNetwork(query)
  const path = pathOf(network.edges, found)
  if (path === undefined) return undefined
  const outcome = legExecutor(query)([{ path, amount }])
  return isFailed(outcome) ? undefined : outcome.total
}
