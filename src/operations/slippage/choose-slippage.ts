import type { Market } from '../../engine/market/market.js'
import { counted } from '../../engine/math/counted.js'
import { ratioText } from '../amount.js'
import { driftOf, nearestRank } from './replay-path.js'
import type { SlippageChoice } from './slippage-documents.js'

/** Recorded blocks, in the order of their heights, and the share of executions to cover. */
export type Evidence = {
  readonly markets: readonly Market[]
  readonly quantileBps: number
  /** Awaited between blocks: lets a service handle other events. */
  readonly turn?: () => Promise<void>
}

/**
 * The output of one leg of a quote on a market, or another number that decreases with it; `undefined` if the
 * leg would fail. Called with consecutive markets.
 */
export type LegReplay = (market: Market) => bigint | undefined

/** A quote: its legs, the slippage without `auto`, and the hop that uses most of its depth. */
export type QuotedLegs = {
  readonly legs: readonly LegReplay[]
  readonly chainId: string
  readonly height: number
  readonly configuredBps: number
  readonly thinnest: SlippageChoice['thinnest']
}

/** Maximum number of blocks between quote and execution. */
const AHEAD = 3

/** With fewer recorded blocks the 99th percentile would be too uncertain. */
const LEAST_BLOCKS = 100

/** Maximum gap between recorded blocks, and between the newest one and the quote, since prices move. */
const MOST_AGE = 1_000

/**
 * The slippage that executions of the same legs one to three blocks after their quotes suggest
 * (docs/tape.md#automatic-slippage); at least 1 bps, at most the configured one. Each leg is replayed on the books
 * as they were recorded, and the worst of them counts.
 */
export async function chooseSlippage(
  evidence: Evidence | undefined,
  quote: QuotedLegs,
): Promise<SlippageChoice> {
  const { configuredBps, thinnest, chainId, height } = quote
  const base = { configured_bps: configuredBps, thinnest }
  const recorded = (evidence?.markets ?? []).filter(
    (market) => market.chainId === chainId && market.height <= height,
  )
  const markets = marketsSinceGap(recorded, height)
  const { blocks, ...moves } = await replay(markets, quote.legs, evidence?.turn)
  const age = height - (recorded.at(-1)?.height ?? height)
  if (evidence === undefined || blocks < LEAST_BLOCKS) {
    const why =
      age > MOST_AGE
        ? `the newest recorded block is ${counted(age, 'block')} older than the quote`
        : `${blocks} of at least ${LEAST_BLOCKS} recorded blocks quote this route`
    return {
      source: 'configured',
      bps: configuredBps,
      ...base,
      evidence: null,
      reason: `${ratioText(configuredBps)} as configured: ${why}`,
    }
  }
  const { quantileBps } = evidence
  const { bps, move, isLimited, refused } = suitableSlippage(moves, {
    quantileBps,
    most: configuredBps,
  })
  const facts = {
    blocks,
    from_height: markets[0]!.height,
    to_height: markets.at(-1)!.height,
    executions: moves.forward.length,
    failed: moves.forward.filter((drift) => drift === Number.POSITIVE_INFINITY).length,
    refused,
    quantile_bps: quantileBps,
    move_bps: Number.isFinite(move) ? move / 100 : null,
  }
  return {
    source: isLimited ? 'limited' : 'recorded',
    bps,
    ...base,
    reason: reasonOf(bps, facts, quote, isLimited),
    evidence: facts,
  }
}

/** The recorded blocks up to a height, after the last long gap. */
function marketsSinceGap(markets: readonly Market[], height: number): readonly Market[] {
  let first = markets.length
  let next = height
  for (; first > 0 && next - markets[first - 1]!.height <= MOST_AGE; first--)
    next = markets[first - 1]!.height
  return markets.slice(first)
}

function reasonOf(
  bps: number,
  facts: NonNullable<SlippageChoice['evidence']>,
  { thinnest }: QuotedLegs,
  isLimited: boolean,
): string {
  const { move_bps: move, blocks, quantile_bps: quantile, executions, refused } = facts
  const share = `${quantile / 100} % of them`
  const covered =
    move === null
      ? `less than ${share} succeeded`
      : `${share} were at most ${ratioText(move)} worse`
  const depth =
    thinnest === null ? '' : `; the thinnest hop uses ${thinnest.depth_used_percent} % of its depth`
  const evidenceText = `refuses ${refused} of ${counted(executions, 'execution')} 1 to ${AHEAD} blocks after ${counted(blocks, 'recorded quote')}`
  return `${ratioText(bps)}${isLimited ? ' as configured' : ''}: ${evidenceText}; ${covered}${depth}`
}

/** The drifts of all executions, and the number of blocks with a quote and a later execution. */
async function replay(
  markets: readonly Market[],
  legs: readonly LegReplay[],
  turn: Evidence['turn'],
): Promise<Moves & { readonly blocks: number }> {
  const series: ReadonlyMap<number, bigint | undefined>[] = []
  for (const leg of legs) {
    const paid = new Map<number, bigint | undefined>()
    for (const market of markets) {
      paid.set(market.height, leg(market))
      await turn?.()
    }
    series.push(paid)
  }
  /** The drift of the worst leg; `undefined` if a leg has no quote. */
  const drift = (quotedAt: number, executedAt: number): number | undefined => {
    const quoted = series.map((outputs) => outputs.get(quotedAt))
    if (quoted.some((output) => !output)) return undefined
    return Math.max(...series.map((outputs, i) => driftOf(quoted[i]!, outputs.get(executedAt))))
  }
  const [forward, backward]: [number[], number[]] = [[], []]
  let blocks = 0
  for (const { height } of legs.length === 0 ? [] : markets) {
    const before = forward.length
    for (let at = height + 1; at <= height + AHEAD; at++) {
      const driftForward = series[0]!.has(at) ? drift(height, at) : undefined
      if (driftForward === undefined) continue
      forward.push(driftForward)
      const driftBackward = drift(at, height)
      if (driftBackward !== undefined) backward.push(driftBackward)
    }
    if (forward.length > before) blocks += 1
  }
  return {
    blocks,
    forward: Float64Array.from(forward).sort(),
    backward: Float64Array.from(backward).sort(),
  }
}

/** Drifts of the same executions, in hundredths of a basis point, ascending. */
type Moves = {
  readonly forward: Float64Array
  /** Drifts with quote and execution exchanged: prices can fall as much as they rose. */
  readonly backward: Float64Array
}

/** A basis point more has to let one more of so many moves pass. Chosen on seeds 201 to 208 (docs/tape.md). */
const MOVES_PER_BPS = 2_000

/**
 * The least slippage that lets the covered share of the executions pass, raised as long as that pays: to where
 * its basis points and 2,000 times the share of moves beyond it have the least sum. At least 1, at most `most`.
 */
export function suitableSlippage(
  { forward, backward }: Moves,
  { quantileBps, most }: { readonly quantileBps: number; readonly most: number },
) {
  const move = nearestRank(forward, quantileBps)
  const least = Math.max(1, Math.ceil(move / 100))
  const isLimited = least > most
  const costOf = (bps: number) =>
    bps * (forward.length + backward.length) +
    MOVES_PER_BPS * (countAbove(forward, bps * 100) + countAbove(backward, bps * 100))
  let bps = isLimited ? most : least
  let cost = costOf(bps)
  for (let higher = bps + 1; higher <= most; higher++) {
    const higherCost = costOf(higher)
    if (higherCost >= cost) continue
    bps = higher
    cost = higherCost
  }
  return {
    bps,
    /** Drift of the covered executions in hundredths of a basis point; may be infinite. */
    move,
    /** Whether the covered share needs more than the limit. */
    isLimited,
    /** Number of executions that the slippage refuses. */
    refused: countAbove(forward, bps * 100),
  }
}

/** The number of sorted values above a bound. */
function countAbove(sorted: Float64Array, bound: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! > bound) high = middle
    else low = middle + 1
  }
  return sorted.length - low
}
