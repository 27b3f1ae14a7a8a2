import type { SnapshotTable, SnapshotTableStatus } from '../../../history/fleet/snapshot-table.js'
import { StoreFault } from '../../../history/store/fault.js'

/** The newest published height, and when it was published by a monotonic clock. */
export type NewestPublished = { readonly height: number; readonly at: number }

type FleetStatus = {
  readonly newest: NewestPublished | undefined
  readonly epoch: SnapshotTableStatus['epoch']
}

/** A snapshot table that reconnects after database failures. */
export type Connection = {
  /** The status; `undefined` while the table is unreachable. Waits for the first connection only. */
  status(): Promise<FleetStatus | undefined>
  /** Runs an operation on the table. @throws its failure, `StoreFault` without a connection */
  use<T>(action: (table: SnapshotTable) => Promise<T>): Promise<T>
  /** The failure that makes the table unreachable, if any. */
  fault(): unknown
  close(): void
}

type ConnectionOptions = {
  open(onNotify: () => void): Promise<SnapshotTable>
  /** Called when something may have been published, and after reconnecting. */
  changed(): void
  now(): number
}

/** Interval in milliseconds of polls without a notification, and of attempts to reconnect. */
const POLL_MS = 1_000

/** Keeps a connection to the table open. The status is read once a second, or on notification. */
export function connectionOf({ open, changed, now }: ConnectionOptions): Connection {
  let table: SnapshotTable | undefined
  let isOpening = false
  let isClosed = false
  let isFirst = true
  let fault: unknown
  let status: FleetStatus | undefined
  let lastOpenAt = Number.NEGATIVE_INFINITY
  let lastStatusAt = Number.NEGATIVE_INFINITY
  let isStale = true

  const call = () => {
    isStale = true
    changed()
  }
  const drop = (from: SnapshotTable, why: unknown) => {
    if (table !== from) return
    fault = why
    table = undefined
    status = undefined
    from.close()
  }
  const connect = async (): Promise<void> => {
    if (isOpening || isClosed || now() - lastOpenAt < POLL_MS) return
    isOpening = true
    lastOpenAt = now()
    try {
      const newTable = await open(call)
      if (isClosed) return newTable.close()
      table = newTable
      fault = undefined
      newTable.lost.addEventListener('abort', () => drop(newTable, connectionLost()))
      call()
    } catch (error) {
      fault = error
    } finally {
      isOpening = false
    }
  }
  const use: Connection['use'] = async (action) => {
    const current = table
    if (current === undefined) throw fault ?? connectionLost()
    try {
      return await action(current)
    } catch (error) {
      // A lost lead is reported by a working table.
      if (!(error instanceof StoreFault && error.kind === 'lost')) drop(current, error)
      isStale = true
      throw error
    }
  }
  return {
    use,
    async status() {
      if (table === undefined) {
        const connecting = connect()
        if (!isFirst) return undefined
        isFirst = false
        await connecting
        if (table === undefined) return undefined
      }
      if (!isStale && now() - lastStatusAt < POLL_MS) return status
      isStale = false
      lastStatusAt = now()
      try {
        status = statusOf(await use((from) => from.status()), lastStatusAt)
      } catch {
        status = undefined
      }
      return status
    },
    fault: () => (table === undefined ? fault : undefined),
    close() {
      isClosed = true
      table?.close()
      table = undefined
    },
  }
}

/** Dates the publication before the query, so that it never counts as younger than it is. */
const statusOf = ({ newest, epoch }: SnapshotTableStatus, queriedAt: number): FleetStatus => ({
  newest: newest && { height: newest.height, at: queriedAt - newest.ageMs },
  epoch,
})

const connectionLost = (): StoreFault =>
  new StoreFault('down', 'the database of the fleet cannot be used', {
    why: 'the connection was lost',
    hint: 'it is tried again every second',
  })
