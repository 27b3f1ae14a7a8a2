import { seededRandom } from './random.js'

/** Amplitude of each wave in millionths, and its blocks between two turning points. */
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
 * The drift of a denom's price since the start of the chain, in millionths: the sum of slow and quick
 * waves whose turning points follow from the seed. It starts at zero and depends on no history.
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
