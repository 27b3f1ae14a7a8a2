import type { BoardPlace } from '../../../history/fleet/board.js'
import { isServer } from '../../../history/store/open.js'
import type { FleetOptions } from './watch-fleet.js'

/** A fleet that a process belongs to, and how. */
export type FleetPlace = Pick<FleetOptions, 'mayLead' | 'patienceMs'> & {
  readonly board: BoardPlace
}

/** What decides whether there is a fleet. */
export type FleetConfig = {
  readonly database: string | undefined
  readonly chainId: string
  readonly blockTimeMs: number
  /** Milliseconds after which a market is too old, where that was said. */
  readonly maxAge: number | undefined
  /** Whether the process fills the history where nobody else does. */
  readonly mayLead: boolean
}

/** What is published is waited for this many blocks, and no less than this in milliseconds. */
const BLOCKS = 2
const LEAST_MS = 5_000

/** The fleet of a process: there is one where the history is kept by a server. */
export function fleetPlace(given: FleetConfig): FleetPlace | undefined {
  const { database, chainId, blockTimeMs, maxAge = Number.POSITIVE_INFINITY, mayLead } = given
  if (database === undefined || !isServer(database)) return undefined
  const patienceMs = Math.min(Math.max(LEAST_MS, BLOCKS * blockTimeMs), maxAge / 2)
  return { board: { url: database, chainId }, mayLead, patienceMs }
}
