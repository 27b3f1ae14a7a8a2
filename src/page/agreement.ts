import type { Problem } from '../operations/problem.js'
import type { RouteAnswer } from '../operations/route/route-documents.js'
import type { SplitAnswer } from '../operations/split/split-documents.js'

/** The answer to a question at one height, from the engine in the browser or from the service. */
export type ComparedAnswer = {
  readonly height: number
  /** The body of the answer, byte for byte; for a refusal its code. */
  readonly text: string
  /** The best output in atomics; `undefined` for a refusal. */
  readonly expected: bigint | undefined
  /** Whether the answer rests on complete knowledge. */
  readonly isExact: boolean
}

/** The result of comparing one height. `estimates`: the service has queried the contracts, the browser cannot. */
export type Verdict =
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'agree' | 'estimates' | 'differ'
      readonly height: number
      readonly here: ComparedAnswer
      readonly there: ComparedAnswer
    }

/** Heights of each side that are kept: one side may be a block ahead of the other. */
const KEPT = 4

/** Answers of both sides to one question, compared height by height. */
export class Agreement {
  readonly #here = new Map<number, ComparedAnswer>()
  readonly #there = new Map<number, ComparedAnswer>()

  /** Clears the answers for a new question. */
  clear(): void {
    this.#here.clear()
    this.#there.clear()
  }

  addHere(side: ComparedAnswer): Verdict {
    return this.#add(this.#here, side)
  }

  addThere(side: ComparedAnswer): Verdict {
    return this.#add(this.#there, side)
  }

  #add(sides: Map<number, ComparedAnswer>, side: ComparedAnswer): Verdict {
    // In order of arrival: a chain that was reset has lower heights.
    sides.delete(side.height)
    sides.set(side.height, side)
    for (const height of [...sides.keys()].slice(0, -KEPT)) sides.delete(height)
    // The last height of this side that both sides have answered.
    const common = [...this.#here.keys()].filter((height) => this.#there.has(height))
    const height = common.at(-1)
    if (height === undefined) return { kind: 'waiting' }
    const [here, there] = [this.#here.get(height)!, this.#there.get(height)!]
    if (here.text === there.text) return { kind: 'agree', height, here, there }
    return { kind: here.isExact ? 'differ' : 'estimates', height, here, there }
  }
}

/**
 * The answer of the service, from the data of its event; `undefined` where the service cannot answer now, which says
 * nothing of the market.
 */
export function serviceSide(
  height: number,
  event: 'quote' | 'problem',
  data: string,
): ComparedAnswer | undefined {
  if (event === 'quote') return { height, text: data, ...headlineOf(JSON.parse(data)) }
  const { code, status } = JSON.parse(data) as Problem
  return UNAVAILABLE.has(status)
    ? undefined
    : { height, text: code, expected: undefined, isExact: true }
}

/** HTTP statuses of a service that is busy, not ready, or without an answer of its nodes. */
const UNAVAILABLE: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** The output of the best route or split of an answer. */
export function headlineOf({
  routes,
}: RouteAnswer | SplitAnswer): Pick<ComparedAnswer, 'expected' | 'isExact'> {
  const best = routes[0]!
  const parts = 'legs' in best ? best.legs : [best]
  return {
    expected: BigInt(best.expected_output),
    isExact: parts.every(({ exact }) => exact),
  }
}
