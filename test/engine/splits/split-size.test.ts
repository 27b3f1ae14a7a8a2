import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { queryOf, workBudget } from '../../../src/engine/routing/query.js'
import { bestSplit, findSplit } from '../../../src/engine/splits/find-split.js'
import { largestSplit, splitFor } from '../../../src/engine/splits/split-size.js'
import { graph } from '../../support/demo-market.js'
import { documentOf, marketOf, pairOf } from '../../support/markets.js'

const limits = { maxHops: 4, via: [], exclude: [], affiliate: undefined }
const denom = 'btc-btc'
const query = queryOf(graph, denom, 'rune', limits)
const terms = (grid: boolean) => ({ slippageBps: 50, stepPercent: 5, grid })

describe('a split for an output', () => {
  test.each([
    [true, 10_000_000_000_000n],
    [true, 40_000_000_000_001n],
    [false, 40_000_000_000_001n],
  ])(
    'with a grid: %s, demands at least %s, and two atomics of input less would not',
    (grid, wanted) => {
      const found = splitFor(query, denom, wanted, terms(grid))
      assert.ok('split' in found)
      const { input, minReturn } = found.split
      assert.ok(minReturn >= wanted)
      assert.ok((minReturn - wanted) * input.amount < 2n * minReturn, `${minReturn - wanted}`)
      const quoted = bestSplit(query, input, terms(grid))!
      assert.ok(quoted.minReturn * 10_000n <= wanted * 10_001n, `${quoted.minReturn}`)
    },
  )

  test('is as small where a twentieth of the input pays nearly all of the output', () => {
    const pairs = [
      pairOf(['p0', 'a', 'b'], {
        bids: [
          ['1000', '1000000'],
          ['0.0001', '1000000'],
        ],
      }),
      pairOf(['p1', 'a', 'b'], { bids: [['0.1', '10000000']] }),
    ]
    const { graph } = marketOf(documentOf(pairs))
    const wide = queryOf(graph, 'a', 'b', limits)
    const { minReturn } = bestSplit(wide, { denom: 'a', amount: 60_000n }, terms(true))!
    const found = splitFor(wide, 'a', minReturn, terms(true))
    assert.ok('split' in found && found.split.input.amount <= 60_000n)
  })

  test('is the one that demands most where none demands enough', () => {
    const found = splitFor(query, denom, 10n ** 20n, terms(true))
    assert.ok('most' in found && found.most!.minReturn < 10n ** 20n)
  })
})

describe('the largest split below a refused amount', () => {
  const rows: readonly (readonly [string, depths: readonly bigint[], from: bigint, to: bigint])[] =
    [
      ['is what the only book takes', [10n ** 9n], 10n ** 9n, 10n ** 9n],
      ['of books of few atomics is found', [30n, 20n], 48n, 50n],
      [
        'is nearly all that two books take',
        [10n ** 12n, 10n ** 12n],
        1_999_999_997_999n,
        2n * 10n ** 12n,
      ],
      // 65 % of it and 35 %, on the grid of 5 %.
      [
        'is within a hundredth of what two of three books take',
        [1_000_000n, 600_000n, 400_000n],
        1_523_077n,
        1_538_461n,
      ],
    ]
  for (const [sentence, depths, from, to] of rows)
    test(sentence, () => {
      const pairs = depths.map((depth, i) =>
        pairOf([`p${i}`, 'a', 'b'], { bids: [['1', `${depth}`]] }),
      )
      const { graph } = marketOf(documentOf(pairs))
      const bounded = queryOf(graph, 'a', 'b', limits, workBudget(100_000))
      const [input, two] = [
        { denom: 'a', amount: 10n ** 13n },
        { ...terms(true), maxLegs: 2 },
      ]
      const { splits, placed } = findSplit(bounded, input, two)
      assert.deepEqual(splits, [])
      const { amount } = largestSplit(bounded, input, placed, two)!.input
      assert.ok(amount >= from && amount <= to, `${amount}`)
      assert.equal(bounded.budget.isCut, false)
    })
})
