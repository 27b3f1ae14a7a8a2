import type { Market } from '../engine/market/market.js'
import { simulatedPayout } from '../engine/market/router.js'
import { BPS } from '../engine/math/decimal.js'
import { rational, toBps } from '../engine/math/rational.js'
import type { Contracts, SimulateQuery, SimulateResult } from './chain-port.js'
import { coinDocument } from './document-parts.js'
import type { Comparison } from './route/verification-documents.js'
import { stepsOf } from './stages.js'

/** Answers of contracts by the names of their queries (`nameOf`), of which equal ones are sent once. */
export async function answersByName(
  { simulations }: Contracts,
  questions: readonly SimulateQuery[],
  height: number,
): Promise<Map<string, SimulateResult>> {
  const distinct = new Map(questions.map((question) => [nameOf(question), question]))
  const results = await simulations([...distinct.values()], height)
  return new Map([...distinct.keys()].map((name, i) => [name, results[i]!]))
}

/**
 * Answers of contracts, in the order of the queries. A path that exceeds the node's query gas is computed pair by pair:
 * the router's answer is that chain less its fee (docs/venues.md#router-simulation). If a single pair exceeds it as
 * well, the answer is `unknown`.
 */
export async function simulationsOf(
  contracts: Contracts,
  market: Market,
  questions: readonly SimulateQuery[],
): Promise<readonly SimulateResult[]> {
  const known = await answersByName(contracts, questions, market.height)
  const askPair: AskPair = async (question) => {
    const name = nameOf(question)
    const answer = known.get(name) ?? (await contracts.simulations([question], market.height))[0]!
    known.set(name, answer)
    return answer
  }
  return Promise.all(
    questions.map((question) => {
      const answer = known.get(nameOf(question))!
      if (answer.kind !== 'unknown') return answer
      return question.stages === undefined
        ? tooSmall(answer.why)
        : pairByPair(askPair, market, question)
    }),
  )
}

type AskPair = (question: SimulateQuery) => Promise<SimulateResult>

/** Equal queries have the same name. */
export const nameOf = ({ contract, coin, stages }: SimulateQuery): string =>
  JSON.stringify([contract, coinDocument(coin), stages])

const tooSmall = (why: string): SimulateResult => ({
  kind: 'unknown',
  why: `the node's query limit is too small: ${why}`,
})

async function pairByPair(
  askPair: AskPair,
  market: Market,
  { coin, stages = [] }: SimulateQuery,
): Promise<SimulateResult> {
  let { amount } = coin
  for (const { pair, offered: denom } of stepsOf(market, coin.denom, stages)) {
    const answer = await askPair({ contract: pair.address, coin: { denom, amount } })
    if (answer.kind !== 'answered') return answer.kind === 'refused' ? answer : tooSmall(answer.why)
    amount = answer.returned
  }
  return { kind: 'answered', ...simulatedPayout(market.router, amount), isPairByPair: true }
}

/**
 * @param computed our number for the same query; `undefined` if it should be refused
 * @param toleranceBps tolerated difference
 */
export function compare(
  computed: bigint | undefined,
  simulated: SimulateResult,
  toleranceBps = 0,
): Comparison {
  const answered = simulated.kind === 'answered' ? simulated : undefined
  const areKnown = computed !== undefined && answered !== undefined
  const difference = areKnown ? answered.returned - computed : undefined
  return {
    simulated_output: computed === undefined ? null : `${computed}`,
    returned: answered === undefined ? null : `${answered.returned}`,
    fee: answered === undefined ? null : `${answered.fee}`,
    difference: difference === undefined ? null : `${difference}`,
    difference_bps:
      difference === undefined || computed === undefined || computed === 0n
        ? null
        : toBps(rational(difference, computed)),
    ...(answered?.isPairByPair && { pair_by_pair: true }),
    refused: simulated.kind === 'answered' ? null : simulated.why,
    agrees: agreement(computed, simulated, toleranceBps),
  }
}

/** Whether a contract agrees with our number; `null` if its answer is not known. */
function agreement(
  computed: bigint | undefined,
  simulated: SimulateResult,
  toleranceBps: number,
): boolean | null {
  if (simulated.kind === 'unknown') return null
  if (simulated.kind !== 'answered') return computed === undefined
  return computed !== undefined && isWithin(simulated.returned - computed, computed, toleranceBps)
}

const isWithin = (difference: bigint, computed: bigint, toleranceBps: number): boolean =>
  (difference < 0n ? -difference : difference) * BPS <= BigInt(toleranceBps) * computed

/** Combines verdicts: a difference decides, then an unknown one (null). */
export const allAgree = (verdicts: readonly (boolean | null)[]): boolean | null =>
  verdicts.includes(false) ? false : verdicts.includes(null) ? null : true
