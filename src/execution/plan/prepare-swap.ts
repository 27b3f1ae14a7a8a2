import { transactionGas } from '../../engine/market/gas.js'
import type { Market } from '../../engine/market/market.js'
import { graphOf } from '../../engine/routing/graph.js'
import { coinDocument } from '../../operations/document-parts.js'
import { swapSimulationFailed } from '../failures.js'
import { throwIfInterrupted } from '../interrupted.js'
import type { Intent, LegRecord } from '../journal/intent.js'
import type { Session } from '../session.js'
import { messagesOf, type SwapTask } from '../task.js'
import { requireAgreement, type SimulatedCalls } from './agreement.js'
import { build, type TxCalls } from './build.js'
import { expectedSwaps } from './compare.js'
import { isLoop, type Plan, type PlannedLeg, planOf } from './plan.js'
import { type PreparedTx, requireLimits, signedContent, type TaskRecords } from './prepared.js'
import { requireLeast, requote } from './requote.js'
import { decodedCalls, type SwapView, totalsOf } from './signing-view.js'
import { countedMicroUsd, soldMicroUsd } from './sold-worth.js'

/** A swap before it is confirmed. */
export type PreparedSwap = PreparedTx<SwapView> & { readonly plan: Plan }

/**
 * Requotes, checks every guard, builds, simulates and decodes. Nothing is signed or confirmed.
 *
 * @param left indexes of the legs that remain; all by default
 */
export async function prepareSwap(
  session: Session,
  task: SwapTask,
  left: readonly number[] = messagesOf(task),
): Promise<PreparedSwap> {
  const { chain, progress } = session
  const { terms, account } = task
  const market = await chain.market()
  throwIfInterrupted(session)
  const legs = left.map((i) => task.requested.legs[i]!)
  const requested = { ...task.requested, legs }
  const view = { market, graph: graphOf(market) }
  const plan = await planOf(view, { ...task, requested })
  progress({ stage: 'quoted', height: market.height })
  await requireAgreement(session, comparedLegs(plan), terms)
  const worthOf = (legs: readonly PlannedLeg[]) =>
    soldMicroUsd(
      market,
      legs.map(({ funds }) => funds),
    )
  const worthMicroUsd = await worthOf(plan.legs)
  requireLimits(session, task, { worth: worthMicroUsd, market })
  throwIfInterrupted(session)
  const indexes = terms.mode === 'batch' ? plan.legs.map((_, i) => i) : [0]
  const txWorth =
    indexes.length === plan.legs.length ? worthMicroUsd : await worthOf(plan.legs.slice(0, 1))
  const built = await build(chain, task, workOf(plan, indexes, account.address))
  if (built.gasUsed !== undefined) progress({ stage: 'simulated', gas: `${built.gasUsed}` })
  progress({ stage: 'built', sequence: `${built.decoded.sequence}` })
  throwIfInterrupted(session)
  const common = { market, built, worthMicroUsd }
  const { impactBps, tolerance } = plan
  const { expected, quoted } = totalsOf(plan)
  return {
    ...common,
    txMicroUsd: (fee) => countedMicroUsd(market, txWorth, fee),
    indexes,
    plan,
    records: recordsOf(plan),
    view: {
      ...signedContent(session, account.name, common),
      kind: 'swap',
      calls: decodedCalls(built.decoded),
      expected,
      quoted,
      impactBps,
      tolerance,
      later: laterOf(plan, indexes).map(({ funds, output: denom, least: amount }) => ({
        funds,
        least: { denom, amount },
      })),
      deep: plan.legs.flatMap(({ isDeep }, i) => (isDeep ? [i + 1] : [])),
    },
    recheck: async (now) => recheck(now, plan, indexes),
  }
}

function workOf(plan: Plan, indexes: readonly number[], signer: string): TxCalls {
  const { market, contract } = plan
  return {
    market,
    action: isLoop(plan) ? 'loop' : 'swap',
    calls: indexes.map((i) => {
      const { message, funds } = plan.legs[i]!
      return { contract, message, funds: [funds] }
    }),
    expected: expectedSwaps(plan, indexes, signer),
    later: laterOf(plan, indexes),
    gas: transactionGas(
      market.gas,
      indexes.map((i) => plan.legs[i]!.route.gas),
    ),
    simulationFailed: (why) => swapSimulationFailed(why, plan),
  }
}

/** The legs of later transactions. */
const laterOf = ({ legs }: Plan, indexes: readonly number[]): readonly PlannedLeg[] =>
  legs.filter((_, i) => !indexes.includes(i))

/** Requotes on the market after the confirmation and the password, which may have taken minutes. */
function recheck(market: Market, plan: Plan, indexes: readonly number[]): void {
  const planned = indexes.map((i) => plan.legs[i]!)
  const affiliate =
    plan.affiliate === undefined ? undefined : market.router.affiliates.get(plan.affiliate)
  const routes = requote({ market, graph: graphOf(market) }, planned, {
    slippageBps: plan.tolerance.bps,
    affiliate,
  })
  requireLeast(market, planned, routes)
}

/** The router messages of the legs, each on untouched books. */
const comparedLegs = ({ market, contract, legs, tolerance }: Plan): SimulatedCalls => ({
  what: 'swap',
  market,
  denoms: legs.flatMap(({ funds, output }) => [funds.denom, output]),
  questions: legs.map(({ funds, output, message }) => ({
    contract,
    funds,
    output,
    stages: message.swap.stages,
  })),
  toleranceBps: tolerance.bps,
})

const recordsOf = (plan: Plan): TaskRecords => ({
  contract: plan.contract,
  recipient: plan.recipient,
  affiliate: plan.affiliate ?? null,
  slippage_bps: plan.tolerance.bps,
  ...decimalsOf(plan),
  legs: plan.legs.map(legRecord),
})

/** Decimals of the tokens, so that reports can show a price without a market. */
function decimalsOf({ market, legs }: Plan): Pick<Intent, 'decimals'> {
  const [first] = legs
  const input = first && market.tokens.get(first.funds.denom)?.decimals
  const output = first && market.tokens.get(first.output)?.decimals
  return input === undefined || output === undefined ? {} : { decimals: [input, output] }
}

/** A leg of a plan as the journal stores it. */
const legRecord = (leg: PlannedLeg): LegRecord => ({
  funds: coinDocument(leg.funds),
  output: leg.output,
  expected: `${leg.expected}`,
  min_return: `${leg.least}`,
  quoted: `${leg.quoted}`,
  pairs: leg.pairs,
})
