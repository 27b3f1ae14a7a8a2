import { isSpent, workBudget } from '../../routing/query.js'

/** A linear program in floats: the most of `gain · x` with `x ≥ 0` and every row at most its `limit`. */
export type Program = {
  readonly gain: readonly number[]
  /** The entries of each column, as pairs of a row and a coefficient. */
  readonly columns: readonly (readonly (readonly [row: number, coefficient: number])[])[]
  /** No limit is negative, so zero is a feasible start. */
  readonly limit: readonly number[]
}

/** The solution, and what one more of each row's limit would add. */
export type Solution = { readonly x: Float64Array; readonly price: Float64Array }

/** Gains and pivots below this are float noise: columns are scaled to about one. */
const NOISE = 1e-10

/**
 * Each limit is relaxed by a different amount of about this size, so that ties do not stall the
 * pivots (perturbation against cycling).
 */
const WIDENED = 1e-7

/** Units of work of one entry of the tableau that a pivot changes. */
const ENTRY = 0.008

/**
 * The simplex method on a dense tableau whose zeros are passed by. Undefined where a column is without
 * limit, or `mostPivots` or the budget do not reach the optimum.
 */
export function solve(
  program: Program,
  mostPivots: number,
  budget = workBudget(),
): Solution | undefined {
  const [height, width] = [program.limit.length, program.gain.length]
  const stride = width + 1
  const cells = new Float64Array(height * stride)
  const rows = program.limit.map((_, i) => cells.subarray(i * stride, (i + 1) * stride))
  for (const [j, column] of program.columns.entries())
    for (const [i, coefficient] of column) rows[i]![j]! += coefficient
  for (const [i, limit] of program.limit.entries())
    rows[i]![width] = limit + WIDENED * (1 + ((i * 0.618_033_988_75) % 1))
  const objective = new Float64Array(stride)
  for (const [j, gain] of program.gain.entries()) objective[j] = -gain
  const tableau = { rows, objective, width }
  // Columns are named by their number, and the slack of row i by `width + i`.
  const outside = Array.from({ length: width }, (_, j) => j)
  const inside = Array.from({ length: height }, (_, i) => width + i)
  for (let pivots = 0; pivots < mostPivots; pivots += 1) {
    const column = entering(tableau)
    if (column === undefined) return solutionOf(tableau, inside, outside)
    const row = tightest(tableau, column)
    if (row === undefined || isSpent(budget)) return undefined
    budget.spent += pivot(tableau, row, column) * ENTRY
    ;[outside[column], inside[row]] = [inside[row]!, outside[column]!]
  }
  return undefined
}

type Tableau = {
  readonly rows: readonly Float64Array[]
  readonly objective: Float64Array
  readonly width: number
}

function entering({ objective: top, width }: Tableau): number | undefined {
  let best: number | undefined
  let least = -NOISE
  for (let j = 0; j < width; j += 1) if (top[j]! < least) [best, least] = [j, top[j]!]
  return best
}

function tightest({ rows, width }: Tableau, column: number): number | undefined {
  let best: number | undefined
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!
    const coefficient = row[column]!
    if (!(coefficient > NOISE)) continue
    const ratio = row[width]! / coefficient
    if (ratio < least) {
      best = i
      least = ratio
    }
  }
  return best
}

/** Returns how many entries it changed. */
function pivot({ rows, objective: top, width }: Tableau, at: number, column: number): number {
  const row = rows[at]!
  let entries = width + rows.length
  const inverse = 1 / row[column]!
  row[column] = 1
  const filled: number[] = []
  for (let j = 0; j <= width; j += 1)
    if (row[j] !== 0) {
      row[j]! *= inverse
      filled.push(j)
    }
  for (let i = 0; i <= rows.length; i += 1) {
    const target = rows[i] ?? top
    const factor = target[column]!
    if (target === row || factor === 0) continue
    target[column] = 0
    entries += filled.length
    for (let k = 0; k < filled.length; k += 1) {
      const j = filled[k]!
      const next = target[j]! - factor * row[j]!
      target[j] = next < 1e-14 && next > -1e-14 ? 0 : next
    }
  }
  return entries
}

function solutionOf(
  { rows, objective: top, width }: Tableau,
  inside: readonly number[],
  outside: readonly number[],
): Solution {
  const x = new Float64Array(width)
  const price = new Float64Array(rows.length)
  for (const [i, name] of inside.entries()) if (name < width) x[name] = rows[i]![width]!
  for (const [j, name] of outside.entries()) if (name >= width) price[name - width] = top[j]!
  return { x, price }
}
