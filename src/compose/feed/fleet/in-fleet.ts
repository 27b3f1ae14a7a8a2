import { openBoard } from '../../../history/fleet/board.js'
import type { NetworkWatch } from '../network-watch.js'
import type { FleetPlace } from './place.js'
import { type FleetOptions, watchFleet } from './watch-fleet.js'

/** Watches a network as a process of its fleet. */
export const inFleet = (
  node: NetworkWatch,
  { board, ...how }: FleetPlace,
  stands: FleetOptions['stands'],
): NetworkWatch => watchFleet(node, { ...how, stands, open: (woken) => openBoard(board, woken) })
