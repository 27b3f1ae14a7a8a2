import { Gauge, type Registry } from 'prom-client'
import type { FleetRole, MarketFeed } from '../feed/market-feed.js'
import type { ServedHistory } from '../routes/history.js'

/** A gauge that is read on request; unknown values are NaN. */
export type GaugeSource = readonly [name: string, help: string, value: () => number | undefined]

/** Gauges of the history, and of what its leader publishes. */
export function historyGauges(
  history: ServedHistory | undefined,
  feed: MarketFeed,
): readonly GaugeSource[] {
  if (history === undefined) return []
  const figures = () => history.figures()
  // That of the indexer is as old as its round, which may last minutes.
  const head = () => {
    const heights = [figures().head, feed.nodeHeight()].filter((height) => height !== undefined)
    return heights.length === 0 ? undefined : Math.max(...heights)
  }
  return [
    ['swap_history_height', 'Newest block of the history.', () => history.indexed()],
    ['swap_history_head', 'Newest block of the chain, as far as this process knows.', head],
    [
      'swap_history_lag_blocks',
      'Blocks between the head and the newest block of the history.',
      () => lagOf(head(), history.indexed()),
    ],
    [
      'swap_history_missing',
      'Blocks up to the head that are still to be indexed, where this process does that.',
      () => figures().missing,
    ],
    ['swap_history_legs', 'Executed legs that are kept.', () => figures().legs],
    [
      'swap_history_quarantined',
      'Events that could not be read as swaps or orders and are kept aside.',
      () => figures().quarantined,
    ],
    [
      'swap_history_forgotten',
      'Indexed blocks that differed from the chain, which this process removed.',
      () => figures().forgotten,
    ],
    ['swap_history_leader', '1 while this process indexes.', () => Number(figures().leads)],
    [
      'swap_history_epoch',
      'Number of leaders so far, including the current one.',
      () => figures().epoch,
    ],
    [
      'swap_history_stopped',
      '1 while indexing has ended: the index is of another chain, decoder or version, or corrupt.',
      () => Number(figures().stopped),
    ],
    [
      'swap_fleet_height_published',
      'Newest height that a leader published for its fleet.',
      () => figures().published?.height,
    ],
    [
      'swap_fleet_heights_published',
      'Published heights that are kept.',
      () => figures().published?.heights,
    ],
  ]
}

/** The head may have been polled before the last indexed block. */
const lagOf = (head: number | undefined, indexed: number | undefined): number | undefined =>
  head === undefined || indexed === undefined ? undefined : Math.max(0, head - indexed)

const ROLES: readonly FleetRole['is'][] = ['leads', 'follows', 'alone']

/** The role of a process in its fleet; no gauge without a fleet. */
export function roleGauge(role: () => FleetRole['is'] | undefined, registers: Registry[]): void {
  new Gauge({
    name: 'swap_fleet_role',
    help: '1 for what this process does in its fleet: it reads the nodes for the others, follows, or is alone.',
    labelNames: ['role'],
    registers,
    collect() {
      this.reset()
      const is = role()
      if (is !== undefined) for (const role of ROLES) this.set({ role }, Number(role === is))
    },
  })
}
