import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { openOnce } from '../../../src/operations/context.js'
import { sroute } from '../../../src/operations/split/split.js'
import type { VectorCase, VectorMarket } from '../../support/cases.js'
import { readLines } from '../../support/vectors.js'

type Sequence = Extract<VectorCase, { kind: 'sequence' }>

/** Sequences that are one split: one token in, another out. */
const isSplitCase = (item: VectorCase): item is Sequence =>
  item.kind === 'sequence' &&
  new Set(item.legs.map((leg) => leg.coin.denom)).size === 1 &&
  new Set(item.legs.map((leg) => leg.min_return.denom)).size === 1 &&
  item.legs[0]?.coin.denom !== item.legs[0]?.min_return.denom

/** What the legs paid on the contracts, or undefined where one failed. */
function paidBy({ results }: Sequence): readonly string[] | undefined {
  const list = (Array.isArray(results) ? results : [results]) as { recipient?: string }[]
  const paid = list.flatMap(({ recipient }) => recipient ?? [])
  return paid.length === list.length ? paid : undefined
}

async function quoted({ snapshot }: VectorMarket, { legs }: Sequence) {
  const [first] = legs
  const amount = legs.reduce((sum, { coin }) => sum + BigInt(coin.amount), 0n)
  const app = openOnce(async () => decodeSnapshot(snapshot, 'a recorded market'))
  return sroute(app, {
    input: { denom: first?.coin.denom ?? '', amount: `${amount}` },
    output: { denom: first?.min_return.denom ?? '' },
    legs: legs.map(({ path, coin }) => ({ path: [...path], amount: coin.amount })),
  })
}

describe('a given split pays what the contracts paid for it, leg by leg, in', () => {
  for (const file of ['public.jsonl', 'traps.jsonl'])
    test(file, async () => {
      let agreed = 0
      let refused = 0
      for (const market of readLines<VectorMarket>(file))
        for (const item of market.cases.filter(isSplitCase)) {
          const paid = paidBy(item)
          try {
            const { routes } = await quoted(market, item)
            const legs = routes[0]?.legs.map((leg) => leg.expected_output)
            assert.deepEqual(legs, paid, market.id)
            agreed += 1
          } catch (error) {
            if (!(error instanceof SwapError)) throw error
            // A rest left in the router is lost to the sender, so such legs are never offered.
            const left = JSON.stringify([error.message, error.why, error.members])
            assert.ok(
              paid === undefined || /beyond|leave|left|more than/.test(left),
              `${market.id} ${left}`,
            )
            refused += 1
          }
        }
      assert.ok(file !== 'public.jsonl' || agreed > 20, `${agreed} agreed, ${refused} refused`)
    })
})
