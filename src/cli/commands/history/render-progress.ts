import type { IndexProgress, IndexRun } from '../../../operations/history/history-port.js'
import { counted, groupThousands } from '../../../render/amount.js'
import { glyphsOf, type Style } from '../../../render/style.js'
import { truncate } from '../../../render/width.js'

/** One line of how far an index is. @example 'indexing · 1,200 blocks done · 340 left · 85/s · 4 s' */
export function renderProgress(progress: IndexProgress, style: Style): string {
  const { done, left, rate, leftMs, swaps } = progress
  const { dot } = glyphsOf(style)
  const pieces = [
    'indexing',
    `${counted(done, 'block')} done`,
    `${count(left)} left`,
    `${rateText(rate)}/s`,
    ...(leftMs === undefined || left === 0 ? [] : [`${durationText(leftMs)} to go`]),
    counted(swaps, 'swap'),
  ]
  return truncate(pieces.join(` ${dot} `), Math.max(20, style.width - 1))
}

/** What a run did, one sentence each. */
export function renderRun(run: IndexRun): readonly string[] {
  const { done, left, rate, ms, swaps, quarantined, pruned, complete } = run
  const speed = done > 0 ? `, ${rateText(rate)} a second` : ''
  return [
    `indexed ${counted(done, 'block')} with ${counted(swaps, 'swap')} in ${durationText(ms)}${speed}`,
    ...pruned.map(
      ({ from, to }) =>
        `blocks ${from} to ${to} are missing: no node has them any more; an archive node would (--rpc)`,
    ),
    ...(quarantined > 0
      ? [
          `${counted(quarantined, 'event')} could not be read as swaps and are kept aside: swap history --quarantine`,
        ]
      : []),
    ...(complete ? [] : [`stopped with ${count(left)} blocks left; go on: swap history --sync`]),
  ]
}

const count = (n: number): string => groupThousands(`${n}`)

const rateText = (rate: number): string => (rate >= 10 ? count(Math.round(rate)) : rate.toFixed(1))

/** @example '4 s' '12 min' '3.5 h' */
function durationText(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 100) return `${Math.round(seconds)} s`
  if (seconds < 6_000) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3_600).toFixed(1)} h`
}
