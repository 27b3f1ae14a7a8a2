import { openSnapshotTable } from '../../../history/fleet/snapshot-table.js'
import type { NetworkWatch } from '../network-watch.js'
import type { FleetPlace } from './place.js'
import { type FleetOptions, watchFleet } from './watch-fleet.js'

/** Watches a network as a process of its fleet. */
export const watchInFleet = (
  node: NetworkWatch,
  { table, ...how }: FleetPlace,
  roleChanged: FleetOptions['roleChanged'],
): NetworkWatch =>
  watchFleet(node, { ...how, roleChanged, open: (woken) => openSnapshotTable(table, woken) })
