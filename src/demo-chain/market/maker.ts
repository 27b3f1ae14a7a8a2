import { type Decimal, mulFloor } from '../../engine/math/decimal.js'
import { squareRoot } from '../../engine/math/root.js'
import type { DemoMaker } from './document.js'
import type { PairFact } from './facts.js'
import { atomicsWorth } from './ladder.js'
import { drawBetween, drawOne, type Random } from './random.js'

/** Atomics below which a maker quotes no level. */
const MIN_QUOTE = '10000'

/** Share of its reserves that a maker offers per level; the price then moves by twice that. */
const STEPS = ['0.0005', '0.001', '0.001', '0.002', '0.005'] as const

/** What a maker keeps: with its step it leaves 20 bps or more between the mid and its levels. */
const FEES = ['0.0015', '0.002', '0.0025', '0.003'] as const

/**
 * The constant-product maker of a pair, if it has one: both reserves worth half of its dollars
 * (±20 %), their ratio the pair's `mid` price, LP shares as after a first deposit.
 */
export function drawMakers(random: Random, fact: PairFact, mid: Decimal): readonly DemoMaker[] {
  if (fact.maker === undefined) return []
  const percent = drawBetween(random, [80n, 120n])
  const x = atomicsWorth(fact.base, fact.maker.tvlUsd * percent, 200n)
  const y = mulFloor(x, mid)
  const config = {
    x: fact.base.denom,
    y: fact.quote.denom,
    step: drawOne(random, STEPS),
    min_quote: MIN_QUOTE,
    fee: drawOne(random, FEES),
  }
  const state = { x: `${x}`, y: `${y}`, k: `${x * y}`, shares: `${squareRoot(x * y)}` }
  return [{ address: fact.maker.address, strategy: { xyk: [config, state] } }]
}
