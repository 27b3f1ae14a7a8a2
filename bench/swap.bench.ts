import { bench, do_not_optimize, run, summary } from 'mitata'
import { compileBook } from '../src/engine/market/book.js'
import { compileSide } from '../src/engine/market/compiled-side.js'
import { fillSide } from '../src/engine/market/fill-side.js'
import type { PairState } from '../src/engine/market/pair.js'
import { EMPTY_SIDE } from '../src/engine/market/resting-orders.js'
import { finRules } from '../src/engine/market/venues/fin-rules.js'
import { walk } from '../src/engine/market/walk.js'
import { type Decimal, decimal, ONE } from '../src/engine/math/decimal.js'
import { SCALED_ONE, SCALED_ZERO } from '../src/engine/math/scaled.js'

const DEPTH = 1_000_000_000n

/** A pair with `levels` bids, 1 ‰ apart: no randomness, so two runs measure the same work. */
const pairOf = (levels: number): PairState => ({
  pair: {
    address: 'bench',
    base: 'base',
    quote: 'quote',
    tick: 6,
    takerFee: decimal((ONE * 15n) / 10_000n),
    makerFee: decimal(0n),
    version: '1.1.0',
    rules: finRules('1.1.0'),
    oracles: null,
    ranges: [],
  },
  asks: EMPTY_SIDE,
  bids: {
    fixed: Array.from({ length: levels }, (_, i) => ({
      rate: ((ONE * BigInt(1000 - i)) / 1000n) as Decimal,
      total: DEPTH,
      origin: 'fixed',
      sum: SCALED_ZERO,
      product: SCALED_ONE,
      certain: true,
    })),
    oracle: [],
    knownTo: undefined,
  },
  makers: [],
  balances: undefined,
  exact: true,
})

for (const levels of [1, 10, 100, 255]) {
  const state = pairOf(levels)
  const compiled = compileSide(state, 'bid')
  // Ends half-way through the last level, so both forms meet all of them.
  const offer = DEPTH * BigInt(levels) - DEPTH / 2n
  fillSide(compiled, offer)
  compileBook(state)
  summary(() => {
    bench(`level walk, ${levels} levels`, () => do_not_optimize(walk(state, 'bid', offer)))
    bench(`compiled form, ${levels} levels`, () => do_not_optimize(fillSide(compiled, offer)))
  })
}

await run()
