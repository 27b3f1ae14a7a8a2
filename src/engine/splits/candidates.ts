import { type Rational, rational } from '../math/rational.js'
import {
  type Executable,
  isAstray,
  nudged,
  polish,
  portionsOf,
  portionsWithoutGrid,
  sharesInAtomics,
} from './divide.js'
import { amongAtomics, isDust } from './dust.js'
import { isFailed, type Replay, type Replayer } from './execute-legs.js'
import { bestWays, type Leg } from './path-choice.js'
import { gridOf, keyOf, newTrial, type Plan, type Way, worthOf } from './plan.js'
import { bestPlans, distinct, finePlan, type Scene, singlePlan } from './search.js'

/** A division that was executed, and the legs' shares of the input. */
export type Candidate = { readonly replay: Replay; readonly fractions: readonly Rational[] }

/**
 * Divisions on a grid: the best plan found for every number of legs, and the single path, executed.
 * The one that pays most is polished where floats miss something; one that the chain refuses is
 * replaced by a neighbour.
 */
export function onGrid(
  scene: Scene,
  run: Replayer,
  stepPercent: number,
  mostLegs: number,
): readonly Candidate[] {
  const { amount } = scene
  const grid = gridOf(Number(amount), stepPercent)
  const single = singlePlan(scene, grid)
  const trial = newTrial(scene.field)
  const worth = (plan: Plan) => worthOf(trial, grid, plan) * scene.field.keeps
  const found: Executable[] = []
  const banned: Way[] = []
  for (let round = 0; round < MOST_BANS; round += 1) {
    const plans = bestPlans(scene, grid, mostLegs, banned).map(({ plan }) => plan)
    const named = new Map(
      [...plans, ...(single && round === 0 ? [single] : [])].map((plan) => [keyOf(plan), plan]),
    )
    let refused: Way | undefined
    let short: Way | undefined
    for (const plan of named.values()) {
      const outcome = run(portionsOf(plan, amount, stepPercent))
      const value = worth(plan)
      // What floats say is too much stays refused, however its units are moved.
      const isSurprise = isFailed(outcome) && value > 0
      if (isSurprise) refused ??= outcome.way
      else if (isFailed(outcome) && value > -NEARLY * Number(amount)) short ??= largestOf(plan)
      const one = isSurprise
        ? polish(run, plan, amount, stepPercent, worth)
        : isFailed(outcome)
          ? undefined
          : { plan, replay: outcome }
      if (one !== undefined) found.push(one)
    }
    // A search that ends a little short finds a place for all of it where another way is taken.
    const next = refused ?? (found.length === 0 ? short : undefined)
    if (next === undefined) break
    banned.push(next)
  }
  const best = bestOf(found)
  const polished =
    best && (meetsMakersAgain(best.plan) || isAstray(best, worth))
      ? polish(run, best.plan, amount, stepPercent, worth)
      : undefined
  const atomic = exactly(scene, run, { stepPercent, mostLegs }, found)
  return [...found, polished, atomic]
    .flatMap((one) => (one ? [one] : []))
    .map(({ plan, replay }) => ({
      replay,
      fractions: sharesOf(sharesInAtomics(plan, amount, stepPercent), stepPercent),
    }))
}

/** Ways that a search among atomics may use: those of the plans and the best for a unit and for all. */
const DUST_WAYS = 6

/** What only executions find, where so little moves that rounding decides; nothing elsewhere. */
function exactly(
  { field, fits, amount }: Scene,
  run: Replayer,
  { stepPercent, mostLegs }: { readonly stepPercent: number; readonly mostLegs: number },
  found: readonly Executable[],
): Executable | undefined {
  if (found.length === 0 ? !fits : !found.some(({ replay }) => isDust(replay))) return undefined
  const { unit } = gridOf(Number(amount), stepPercent)
  const plans = found.map(({ plan }) => plan)
  const ways = distinct([
    ...plans.flat().map(({ way }) => way),
    ...bestWays(field, unit, DUST_WAYS),
    ...bestWays(field, Number(amount), DUST_WAYS),
  ])
  return amongAtomics(run, { ways, input: amount, stepPercent, mostLegs }, plans)
}

const largestOf = (plan: Plan): Way => plan.reduce((a, b) => (b.units > a.units ? b : a)).way

/** Whether two legs meet at one maker, which quotes anew after the first: what floats do not see. */
function meetsMakersAgain(plan: Plan): boolean {
  const books = plan.flatMap(({ way }) => way.map(({ edge }) => edge.book))
  return books.some((book, i) => book.state.makers.length > 0 && books.indexOf(book) < i)
}

/** Rounds of searching anew without a way that an execution refused. */
const MOST_BANS = 4

/** Where floats miss a place for less than this share of the input, another search may find one. */
const NEARLY = 1e-2

const bestOf = (found: readonly Executable[]): Executable | undefined =>
  found.reduce<Executable | undefined>(
    (a, b) => (a === undefined || b.replay.total > a.replay.total ? b : a),
    undefined,
  )

/** Shares as percent: multiples of the step, and for the last leg what is left. */
function sharesOf(plan: Plan, stepPercent: number): readonly Rational[] {
  const before = plan.slice(0, -1).map(({ units }) => units * stepPercent)
  const rest = 100 - before.reduce((sum, percent) => sum + percent, 0)
  return [...before, rest].map((percent) => rational(BigInt(percent), 100n))
}

/** Units of the grid that stands for none: fine enough that its loss, of second order, is no atomic. */
const FINE = 1 << 14

/** Legs of a division that is searched for where there is no limit. */
const SEARCHED = 20

/**
 * Divisions with shares of any size: the continuous optimum itself where it is within the limits, and
 * otherwise what a search on a very fine grid finds; the divisions of the one-percent grid beside it.
 */
export function offGrid(
  scene: Scene,
  run: Replayer,
  mostLegs: number | undefined,
): readonly Candidate[] {
  const { amount } = scene
  const coarse = onGrid(scene, run, 1, mostLegs ?? COARSE_LEGS)
  const optimum = scene.optimum()
  const fits = optimum?.complete && optimum.legs.length <= (mostLegs ?? optimum.legs.length)
  const executed = (legs: readonly Leg[] | undefined) =>
    legs && nudged(run, portionsWithoutGrid(legs, amount))
  const replay =
    (fits ? executed(optimum.legs) : undefined) ??
    executed(searchedLegs(scene, coarse, mostLegs ?? SEARCHED))
  return [
    ...(replay === undefined ? [] : [freely(replay, amount)]),
    ...coarse.map((one) => freely(one.replay, amount)),
  ]
}

/** Legs of the one-percent division that stands beside one without a grid. */
const COARSE_LEGS = 10

function searchedLegs(scene: Scene, coarse: readonly Candidate[], most: number) {
  const grid = { count: FINE, unit: Number(scene.amount) / FINE, rest: 0 }
  const [best] = undominated(coarse)
  const start = best?.fractions.map(({ numerator, denominator }, i) => ({
    way: best.replay.portions[i]!.way,
    units: Number((numerator * 100n) / denominator),
  }))
  return finePlan(scene, grid, start, most)?.map(({ way, units }): Leg => ({ way, amount: units }))
}

const freely = (replay: Replay, amount: bigint): Candidate => ({
  replay,
  fractions: replay.portions.map((portion) => rational(portion.amount, amount)),
})

/** Exactly these legs, in this order. */
export function asGiven(run: Replayer, portions: Replay['portions'], amount: bigint) {
  const outcome = run(portions)
  return isFailed(outcome) ? outcome : freely(outcome, amount)
}

/** Those that no division with as few legs beats, the one that pays most first. */
export function undominated(candidates: readonly Candidate[]): readonly Candidate[] {
  const ranked = [...candidates].sort((a, b) => {
    const [x, y] = [a.replay, b.replay]
    if (x.total !== y.total) return x.total > y.total ? -1 : 1
    return x.legs.length - y.legs.length || (nameOf(x) < nameOf(y) ? -1 : 1)
  })
  let fewest = Number.POSITIVE_INFINITY
  return ranked.filter(({ replay }) => {
    if (replay.legs.length >= fewest) return false
    fewest = replay.legs.length
    return true
  })
}

const nameOf = ({ portions }: Replay): string =>
  portions
    .map(({ way, amount }) => `${way.map((arc) => arc.edge.book.state.pair.address)}:${amount}`)
    .join(' ')
