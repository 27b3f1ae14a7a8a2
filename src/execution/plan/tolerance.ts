import { minReturnOf } from '../../engine/routing/route.js'
import type { MarketView } from '../../operations/context.js'
import { sroute } from '../../operations/split/split.js'
import type { RequestedSwap, SwapTerms } from '../task.js'

/** A slippage tolerance and its source. */
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
 * The tolerance that applies. If a person confirms: the flag, else the quote, else the configuration.
 * Unattended: the tightest of them; a fresh quote only repeats the setting it was made with.
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
 * The minimum of a fresh quote for the same trade on the same market: the paths of an external quote
 * may be poor. Arbitrage loops have to return their input.
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
