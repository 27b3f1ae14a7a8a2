import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { workBudget } from '../../../src/engine/routing/query.js'
import type { LegExecution, LegExecutor } from '../../../src/engine/splits/execute-legs.js'
import { type Path, type Plan, planKey } from '../../../src/engine/splits/plan.js'
import { hasSmallAmounts, searchAtomics } from '../../../src/engine/splits/small-amounts.js'

const NAMES = ['a', 'b', 'c', 'd']
const paths = NAMES.map((id) => [{ id }] as unknown as Path)

/** Legs such as `a40 b60`, in percent of the input. */
const planOf = (text: string): Plan =>
  text.split(' ').map((leg) => ({ path: paths[NAMES.indexOf(leg[0]!)]!, units: +leg.slice(1) }))

/** A search over splits of 100 atomics that pay this much, or are refused. */
function search(
  payoutOf: (legs: string) => number | undefined,
  { starts = [] as readonly string[], stepPercent = 1, mostLegs = 2, runs = Infinity } = {},
) {
  const budget = workBudget(runs)
  const executed: string[] = []
  const run: LegExecutor = Object.assign(
    (legAmounts: Parameters<LegExecutor>[0]) => {
      budget.spent += 1
      const plan = legAmounts.map(({ path, amount }) => ({ path, units: Number(amount) }))
      const legs = planKey(plan).replaceAll(':', '')
      executed.push(legs)
      const total = payoutOf(legs)
      return total === undefined
        ? {
            failedAt: 0,
            path: plan[0]!.path,
            refusal: { refused: 'zero_output', why: '' } as const,
          }
        : { legAmounts, legs: [], total: BigInt(total), net: BigInt(total) }
    },
    { budget },
  )
  const terms = { paths, input: 100n, stepPercent, mostLegs }
  const best = searchAtomics(run, terms, starts.map(planOf))
  return { best: best && planKey(best.plan).replaceAll(':', ''), executed }
}

describe('a search for the best split of few atomics', () => {
  test('executes each of up to 1,000 splits once, in every order', () => {
    const { best, executed } = search((legs) => (legs === 'c20 a50 d30' ? 2 : 1), {
      stepPercent: 10,
      mostLegs: 3,
    })
    // 4 of one leg, 12 orders of two with 9 divisions, 24 orders of three with 36 divisions.
    assert.deepEqual([executed.length, new Set(executed).size], [976, 976])
    assert.equal(best, 'c2 a5 d3')
  })

  test('takes the first of splits that pay the same', () => {
    assert.equal(search(() => 1, { stepPercent: 10 }).best, 'a10')
  })

  test('of more splits executes at most 120, none twice', () => {
    const { executed } = search(() => 1, { starts: ['a100', 'a50 b50'], mostLegs: 4 })
    assert.deepEqual([executed.length, new Set(executed).size], [120, 120])
    assert.ok(search(() => 1, { stepPercent: 10, mostLegs: 4 }).executed.length <= 120)
  })

  const rows: readonly (readonly [
    sentence: string,
    starts: readonly string[],
    payouts: Readonly<Record<string, number>>,
    best: string | undefined,
  ])[] = [
    ['begins with each path alone', [], { a100: 1, c100: 2 }, 'c100'],
    ['begins with the plans found', ['a50 b50'], { 'a50 b50': 1 }, 'a50 b50'],
    ['finds nothing where all are refused', ['a50 b50'], {}, undefined],
    ['adds a leg at the end', [], { a100: 1, 'a98 b2': 2 }, 'a98 b2'],
    ['adds a leg at the beginning', [], { a100: 1, 'b4 a96': 2 }, 'b4 a96'],
    ['swaps two legs', ['a50 b50'], { 'a50 b50': 1, 'b50 a50': 2 }, 'b50 a50'],
    ['moves units to the first leg', ['a50 b50'], { 'a50 b50': 1, 'a51 b49': 2 }, 'a51 b49'],
    ['replaces a leg', ['a10 b90'], { 'a10 b90': 1, 'b90 c10': 2 }, 'b90 c10'],
    ['adds no leg above the limit', ['a50 b50'], { 'a50 b50': 1, 'a49 b50 c1': 2 }, 'a50 b50'],
    ['moves as long as it pays', [], { a100: 1, 'a99 b1': 2, 'a97 b3': 3 }, 'a97 b3'],
    ['improves the starts that pay less', [], { a100: 2, b100: 1, 'b99 c1': 3 }, 'b99 c1'],
  ]
  for (const [sentence, starts, payouts, best] of rows)
    test(sentence, () => {
      assert.equal(search((legs) => payouts[legs], { starts }).best, best)
    })

  test('ends with the budget, after the start that pays most was improved first', () => {
    const payouts: Readonly<Record<string, number>> = { a100: 1, b100: 2, 'a99 b1': 2, 'b99 a1': 3 }
    const local = search((legs) => payouts[legs], { runs: 5 })
    assert.deepEqual([local.best, local.executed.length], ['b99 a1', 5])
    const all = search(() => 1, { stepPercent: 10, runs: 5 })
    assert.equal(all.executed.length, 5)
  })
})

test.each([
  [20_000n, 20_000n, 20_000n, false],
  [19_999n, 20_000n, 20_000n, true],
  [20_000n, 19_999n, 20_000n, true],
  [20_000n, 20_000n, 19_999n, true],
])(
  'amounts of a leg of %s that sells %s for %s in some hop are small: %s',
  (amount, sold, bought, isSmall) => {
    const large = { sold: 20_000n, bought: 20_000n }
    const legs = [
      { amount: 20_000n, hops: [{ fill: large }] },
      { amount, hops: [{ fill: large }, { fill: { sold, bought } }] },
    ]
    assert.equal(hasSmallAmounts({ legs } as unknown as LegExecution), isSmall)
  },
)
