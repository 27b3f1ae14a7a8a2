import type { MarketView } from '../../operations/context.js'
import type { ServiceLog } from './log.js'

/** Seconds that the time of a block and the clock of this machine may be apart. */
const APART_S = 60

/**
 * Says when the clock of this machine and the time of the blocks are a minute or more apart, and when
 * they are together again. Nothing else depends on either: ages are counted by a monotonic clock.
 *
 * @param wall the clock of this machine, in milliseconds since 1970
 */
export function clockWatch(
  { event }: Pick<ServiceLog, 'event'>,
  wall: () => number = Date.now,
): (market: MarketView['market']) => void {
  let apart = false
  return ({ time, height }) => {
    const ahead = Math.round((wall() - Date.parse(time)) / 1_000)
    const before = apart
    apart = Math.abs(ahead) > APART_S
    const facts = { height, block_time: time, clock_ahead_s: ahead }
    if (apart && !before) event('warn', 'this clock and the time of the blocks are apart', facts)
    if (!apart && before) event('info', 'this clock and the time of the blocks agree again', facts)
  }
}
