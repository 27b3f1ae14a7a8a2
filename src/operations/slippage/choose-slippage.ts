import type { Market } from '../../engine/market/market.js'
import { ratioText } from '../amount-text.js'
import { driftOf, nearestRank, type PathCall, payouts } from './replay-path.js'
import type { SlippageChoice } from './slippage-answer.js'

/** Recorded blocks, in the order of their heights, and the share of executions to cover. */
export type Evidence = {
  readonly markets: readonly Market[]
  readonly quantileBps: number
  /** Awaited between two blocks: lets a service handle other events. */
  readonly turn?: () => Promise<void>
}

/** A quote: its legs, the slippage without `auto`, and the hop that uses most of its depth. */
export type QuotedLegs = {
  readonly legs: readonly PathCall[]
  readonly chainId: string
  readonly height: number
  readonly configuredBps: number
  readonly thinnest: SlippageChoice['thinnest']
}

/** Blocks later at which an execution is expected at most. */
const AHEAD = 3

/** Fewer recorded blocks say too little about one execution in a hundred. */
const LEAST_BLOCKS = 100

/** The most blocks between the newest recorded one and the quote: prices move. */
const MOST_AGE = 1_000

/**
 * The smallest slippage that would have let the covered share of executions pass, of the same legs one to
 * three blocks after their quotes; at least 1 bps, at most the configured one. Each leg is replayed on the books as
 * they were recorded, and the worst of them counts.
 */
export async function chooseSlippage(
  evidence: Evidence | undefined,
  quote: QuotedLegs,
): Promise<SlippageChoice> {
  const { configuredBps, thinnest, chainId, height } = quote
  const base = { configured_bps: configuredBps, thinnest }
  const markets = (evidence?.markets ?? []).filter(
    (market) => market.chainId === chainId && market.height <= height,
  )
  const { drifts, blocks } = await replay(markets, quote.legs, evidence?.turn)
  const age = height - (markets.at(-1)?.height ?? height)
  if (evidence === undefined || blocks < LEAST_BLOCKS || age > MOST_AGE) {
    const why =
      age > MOST_AGE
        ? `the newest recorded block is ${age} blocks older than the quote`
        : `${blocks} of at least ${LEAST_BLOCKS} recorded blocks quote this route`
    return {
      ...{ source: 'configured', bps: configuredBps, ...base, evidence: null },
      reason: `${ratioText(configuredBps)} as configured: ${why}`,
    }
  }
  const { quantileBps } = evidence
  const sorted = Float64Array.from(drifts).sort()
  const move = nearestRank(sorted, quantileBps)
  const wanted = Math.max(1, Math.ceil(move / 100))
  const isWithin = wanted <= configuredBps
  const bps = isWithin ? wanted : configuredBps
  const failed = drifts.filter((drift) => drift === Number.POSITIVE_INFINITY).length
  const facts = {
    blocks,
    from_height: markets[0]!.height,
    to_height: markets.at(-1)!.height,
    executions: drifts.length,
    failed,
    quantile_bps: quantileBps,
    move_bps: Number.isFinite(move) ? move / 100 : null,
  }
  return {
    source: isWithin ? 'recorded' : 'limited',
    bps,
    ...base,
    reason: reasonOf(bps, facts, quote, isWithin),
    evidence: facts,
  }
}

type Facts = NonNullable<SlippageChoice['evidence']>

function reasonOf(bps: number, facts: Facts, { thinnest }: QuotedLegs, isWithin: boolean): string {
  const { move_bps: move, blocks, quantile_bps: quantile, failed } = facts
  const lost =
    move === null
      ? `${failed} of ${facts.executions} executions failed`
      : `paid at most ${ratioText(move)} less`
  const seen = `${ratioText(quantile)} of the executions 1 to ${AHEAD} blocks after ${blocks} recorded quotes ${lost}`
  const depth =
    thinnest === null ? '' : `; the thinnest hop uses ${thinnest.depth_used_percent} % of its depth`
  return `${ratioText(bps)}${isWithin ? '' : ' as configured'}: ${seen}${depth}`
}

/** The drifts of all executions, and the number of blocks with a quote that was executed later. */
async function replay(
  markets: readonly Market[],
  legs: readonly PathCall[],
  turn: Evidence['turn'],
) {
  const series: ReadonlyMap<number, bigint | undefined>[] = []
  for (const leg of legs) {
    const payout = payouts(leg)
    const paid = new Map<number, bigint | undefined>()
    for (const market of markets) {
      paid.set(market.height, payout(market))
      await turn?.()
    }
    series.push(paid)
  }
  const drifts: number[] = []
  let blocks = 0
  for (const { height } of markets) {
    const quoted = series.map((each) => each.get(height))
    if (legs.length === 0 || quoted.some((each) => each === undefined || each === 0n)) continue
    const later = Array.from({ length: AHEAD }, (_, i) => height + i + 1).filter((at) =>
      series[0]!.has(at),
    )
    for (const at of later)
      drifts.push(Math.max(...series.map((each, i) => driftOf(quoted[i]!, each.get(at)))))
    if (later.length > 0) blocks += 1
  }
  return { drifts, blocks }
}
