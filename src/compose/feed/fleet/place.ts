import type { SnapshotTablePlace } from '../../../history/fleet/snapshot-table.js'
import { isServer } from '../../../history/store/open.js'
import type { FleetOptions } from './watch-fleet.js'

/** The fleet of a process, and its part in it. */
export type FleetPlace = Pick<FleetOptions, 'mayLead' | 'patienceMs'> & {
  readonly table: SnapshotTablePlace
}

/** What decides whether there is a fleet. */
export type FleetConfig = {
  readonly database: string | undefined
  readonly chainId: string
  readonly blockTimeMs: number
  /** Milliseconds after which a market is too old, if configured. */
  readonly maxAge: number | undefined
  /** Whether the process may lead: fill the history and read the nodes for the others. */
  readonly mayLead: boolean
}

/** Blocks to wait for a publication, and the minimum in milliseconds. */
const BLOCKS = 2
const LEAST_MS = 5_000

/** The fleet of a process, if its history is kept by a database server. */
export function fleetPlace(given: FleetConfig): FleetPlace | undefined {
  const { database, chainId, blockTimeMs, maxAge = Number.POSITIVE_INFINITY, mayLead } = given
  if (database === undefined || !isServer(database)) return undefined
  const patienceMs = Math.min(Math.max(LEAST_MS, BLOCKS * blockTimeMs), maxAge / 2)
  return { table: { url: database, chainId }, mayLead, patienceMs }
}
