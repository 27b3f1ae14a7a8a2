import { type Executable, portionsOf } from './divide.js'
import { isFailed, type Replay, type Replayer } from './execute-legs.js'
import { keyOf, type Plan, type Share, type Way } from './plan.js'

/** Below so many atomics somewhere on the way, what rounds down is half a basis point. */
const DUST = 20_000n

/** Divisions that are executed for one question at most: where these are all, and where they are not. */
const [MOST_IN_ALL, MOST_RUNS] = [1000, 120]

/** Whether some hop of an execution moves so little that rounding decides, which floats do not see. */
export const isDust = ({ legs }: Replay): boolean =>
  legs.some(
    ({ amount, fills }) =>
      amount < DUST || fills.some(({ sold, bought }) => sold < DUST || bought < DUST),
  )

/** What a search among atomics may use. */
export type DustTerms = {
  readonly ways: readonly Way[]
  readonly input: bigint
  readonly stepPercent: number
  readonly mostLegs: number
}

/**
 * The division that executes to the most: all there are over these ways where they are few, in every
 * order, and otherwise what moving shares finds from the starts.
 */
export function amongAtomics(
  run: Replayer,
  terms: DustTerms,
  starts: readonly Plan[],
): Executable | undefined {
  const units = Math.floor(100 / terms.stepPercent)
  if (divisionsOf(terms.ways.length, units, terms.mostLegs) <= MOST_IN_ALL)
    return best(run, terms, every(terms, [], units))
  const alone = terms.ways.map((way): Plan => [{ way, units }])
  return climbed(run, terms, [...starts, ...alone])
}

/** How many divisions there are of so many units over at most `legs` of the ways, in every order. */
function divisionsOf(ways: number, units: number, legs: number): number {
  let [sum, chosen, cuts] = [0, 1, 1]
  for (let count = 1; count <= Math.min(legs, ways, units); count += 1) {
    chosen *= ways - count + 1
    if (count > 1) cuts = (cuts * (units - count + 1)) / (count - 1)
    sum += chosen * cuts
  }
  return sum
}

function* every(terms: DustTerms, plan: Plan, left: number): Generator<Plan> {
  for (const way of terms.ways) {
    if (plan.some((share) => share.way === way)) continue
    yield [...plan, { way, units: left }]
    if (plan.length + 1 < terms.mostLegs)
      for (let units = 1; units < left; units += 1)
        yield* every(terms, [...plan, { way, units }], left - units)
  }
}

function best(run: Replayer, terms: DustTerms, plans: Iterable<Plan>): Executable | undefined {
  let found: Executable | undefined
  for (const plan of plans) {
    const one = executed(run, terms, plan)
    if (one && (found === undefined || one.replay.total > found.replay.total)) found = one
  }
  return found
}

function executed(run: Replayer, terms: DustTerms, plan: Plan): Executable | undefined {
  const replay = run(portionsOf(plan, terms.input, terms.stepPercent))
  return isFailed(replay) ? undefined : { plan, replay }
}

/** The starts, the best first, each moved for as long as a move pays and the runs last. */
function climbed(run: Replayer, terms: DustTerms, starts: readonly Plan[]): Executable | undefined {
  const seen = new Set<string>()
  const tried = (plan: Plan): Executable | undefined => {
    const key = keyOf(plan)
    if (seen.has(key) || seen.size >= MOST_RUNS) return undefined
    seen.add(key)
    return executed(run, terms, plan)
  }
  const ranked = starts
    .flatMap((plan) => tried(plan) ?? [])
    .sort((a, b) => (a.replay.total > b.replay.total ? -1 : 1))
  return ranked.reduce<Executable | undefined>((best, start) => {
    const top = topFrom(start, terms, tried)
    return best === undefined || top.replay.total > best.replay.total ? top : best
  }, undefined)
}

/** Where moving from a plan to a better one beside it ends. */
function topFrom(
  start: Executable,
  terms: DustTerms,
  tried: (plan: Plan) => Executable | undefined,
): Executable {
  let top = start
  for (let risen = true; risen; ) {
    risen = false
    for (const plan of moves(terms, top.plan)) {
      const one = tried(plan)
      if (one === undefined || one.replay.total <= top.replay.total) continue
      top = one
      risen = true
      break
    }
  }
  return top
}

/** Neighbours swapped, and parts of a leg given to another one or to a way that is not used yet. */
function* moves({ ways, mostLegs }: DustTerms, plan: Plan): Generator<Plan> {
  for (let i = plan.length - 1; i > 0; i -= 1)
    yield plan.with(i - 1, plan[i]!).with(i, plan[i - 1]!)
  for (const [i, from] of plan.entries())
    for (const size of sizesOf(from.units)) {
      const rest: readonly Share[] = plan.flatMap((share, k) =>
        k !== i ? [share] : share.units > size ? [{ ...share, units: share.units - size }] : [],
      )
      for (const way of ways) {
        if (way === from.way) continue
        const at = rest.findIndex((share) => share.way === way)
        if (at >= 0) yield rest.with(at, { way, units: rest[at]!.units + size })
        else if (rest.length < mostLegs) {
          yield [...rest, { way, units: size }]
          yield [{ way, units: size }, ...rest]
        }
      }
    }
}

/** One unit, two, four ... and all. */
function sizesOf(units: number): readonly number[] {
  const sizes: number[] = []
  for (let size = 1; size < units; size *= 2) sizes.push(size)
  return [...sizes, units]
}
