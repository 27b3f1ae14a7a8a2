import { minReturnOf } from '../../engine/routing/route.js'
import type { MarketView } from '../../operations/context.js'
import { sroute } from '../../operations/split/split.js'
import { type Intent, legsLeft } from '../journal/intent.js'
import type { RequestedSwap, SwapTerms, Task } from '../task.js'

export type Tolerance = {
  readonly bps: number
  readonly source: '--slippage' | 'quote' | 'configuration' | 'default'
}

/** Whether a quote is external and no person confirms. */
export const isUntrusted = (
  { unattended }: Pick<SwapTerms, 'unattended'>,
  { isExternal }: Pick<RequestedSwap, 'isExternal'>,
): boolean => unattended && isExternal

/**
 * The effective tolerance. If a person confirms: the flag, otherwise the quote, otherwise the configuration.
 * Unattended: the tightest of them; that of a fresh quote is ignored, since it repeats the setting.
 */
export function toleranceOf(
  terms: Pick<SwapTerms, 'slippage' | 'unattended'>,
  requested: RequestedSwap,
): Tolerance {
  const { flag, configured, builtIn } = terms.slippage
  const set = (source: Tolerance['source'], bps: number | undefined): readonly Tolerance[] =>
    bps === undefined ? [] : [{ bps, source }]
  const quoted = set('quote', requested.slippageBps)
  const all = [...set('--slippage', flag), ...quoted, ...set('configuration', configured)]
  const [first = { bps: builtIn, source: 'default' }] = all
  if (!terms.unattended) return first
  const binding = isUntrusted(terms, requested)
    ? all
    : all.filter(({ source }) => source !== 'quote')
  return binding.reduce(
    (tightest, each) => (each.bps < tightest.bps ? each : tightest),
    binding[0] ?? first,
  )
}

/**
 * The minimum of a fresh quote for the same trade on the same market, since an external quote may have poor paths.
 * Arbitrage loops have to return their input.
 */
export async function ownMinimum(
  venue: MarketView,
  { legs }: Pick<RequestedSwap, 'legs'>,
  { bps, affiliate }: { readonly bps: number; readonly affiliate: string | undefined },
): Promise<bigint> {
  const [first] = legs
  const amount = legs.reduce((sum, { funds }) => sum + funds.amount, 0n)
  if (first === undefined || first.funds.denom === first.output) return amount
  const { routes } = await sroute(
    { openMarket: async () => venue },
    {
      input: { denom: first.funds.denom, amount: `${amount}` },
      output: { denom: first.output },
      limit: 1,
      ...(affiliate !== undefined && { affiliate }),
    },
  )
  return minReturnOf(BigInt(routes[0]!.expected_output), bps)
}

/** The minimum total output that the caller requests; 0 if none. */
export function requestedMinimum(
  { legs }: { readonly legs: readonly Pick<RequestedSwap['legs'][number], 'funds'>[] },
  { minOut, minProfit }: Pick<SwapTerms, 'minOut' | 'minProfit'>,
): bigint {
  const paid = legs.reduce((sum, { funds }) => sum + funds.amount, 0n)
  const requested = minProfit === undefined ? 0n : paid + minProfit
  return minOut !== undefined && minOut > requested ? minOut : requested
}

/**
 * The minimum total output of all legs of an execution in several transactions; 0 if none. A resumed execution keeps
 * its minimum; one that is requested with the resumption applies to the remaining legs.
 */
export function totalMinimum(task: Task, resumed: Intent | undefined): bigint {
  if ('plan' in task) return 0n
  if (resumed === undefined) return requestedMinimum(task.requested, task.terms)
  const kept = BigInt(resumed.min_out ?? 0)
  const left = legsLeft(resumed)
  const legs = left.map((i) => task.requested.legs[i]!)
  const asked = requestedMinimum({ legs }, task.terms)
  const total = asked > 0n ? asked + minimumOfOthers(resumed, left) : 0n
  return total > kept ? total : kept
}

/** The legs of an execution that are prepared next. */
type Remaining = {
  /** The result of `totalMinimum`. */
  readonly total: bigint
  /** Indexes of the legs. */
  readonly legs: readonly number[]
  /** Whether the minimums of these legs, as the intent has them, were confirmed. */
  readonly isConfirmed: boolean
}

/**
 * The task with the minimum of the given legs, so that all legs together reach the total minimum. The age of the quote
 * is checked for the first leg only: later ones are bound by the confirmed minimums. Executed legs count with the
 * minimum that the chain enforced: the amounts that a node reports prove nothing.
 */
export function withRest(
  task: Task,
  intent: Intent | undefined,
  { total, legs, isConfirmed }: Remaining,
): Task {
  if ('plan' in task || intent === undefined) return task
  const others = minimumOfOthers(intent, legs)
  const confirmed = isConfirmed ? minimumOfOthers(intent, []) - others : 0n
  const minOut = total - others > confirmed ? total - others : confirmed
  const requested = { ...task.requested, time: undefined }
  return {
    ...task,
    requested,
    terms: { ...task.terms, minOut, minProfit: undefined, shareOf: undefined },
  }
}

/** The minimum of the other legs of an intent, executed and later ones. */
const minimumOfOthers = ({ legs }: Intent, places: readonly number[]): bigint =>
  legs.reduce((sum, leg, i) => (places.includes(i) ? sum : sum + BigInt(leg.min_return)), 0n)
