import { seededRandom } from './random.js'

/** How far a price wanders, in millionths, and how many blocks pass between two turns. */
const waves = [
  { reach: 25_000, blocks: 1_800 },
  { reach: 9_000, blocks: 240 },
  { reach: 3_000, blocks: 30 },
] as const

const SPAN = 2 ** 32

/** The value of a wave at a turning point, from −reach to +reach, drawn from the label alone. */
function turn(label: string, reach: number, index: number): number {
  return Math.floor((seededRandom(`${label} ${reach} ${index}`)() * (2 * reach + 1)) / SPAN) - reach
}

/**
 * How far the worth of a denom has drifted from where the chain began, in millionths: slow and quick
 * waves between turns that a seed decides. It starts at nothing and needs no history.
 */
export function driftOf(seed: number, denom: string, age: number): bigint {
  let drift = 0
  for (const { reach, blocks } of waves) {
    const label = `drift ${seed} ${denom}`
    const index = Math.floor(age / blocks)
    const into = age - index * blocks
    const from = index === 0 ? 0 : turn(label, reach, index)
    const to = turn(label, reach, index + 1)
    drift += from + Math.trunc(((to - from) * into) / blocks)
  }
  return BigInt(drift)
}
