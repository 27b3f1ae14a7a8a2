import type { SnapshotTable, SnapshotTableStatus } from '../../../history/fleet/snapshot-table.js'
import { StoreFault } from '../../../history/store/fault.js'

/** The status of a fleet, with the publication time by a monotonic clock. */
type FleetStatus = {
  readonly newest: { readonly height: number; readonly at: number } | undefined
  readonly epoch: SnapshotTableStatus['epoch']
}

/** A snapshot table that reconnects after database failures. */
export type Connection = {
  /** The status; `undefined` while the table is unreachable. Waits for the first connection only. */
  status(): Promise<FleetStatus | undefined>
  /** Runs an operation on the table. @throws its failure, `StoreFault` without a connection */
  use<T>(act: (table: SnapshotTable) => Promise<T>): Promise<T>
  /** The failure that makes the table unreachable, if any. */
  fault(): unknown
  close(): void
}

type ConnectionOptions = {
  open(woken: () => void): Promise<SnapshotTable>
  /** Called when something may have been published, and after reconnecting. */
  changed(): void
  now(): number
}

/** Interval in milliseconds of polls without a notification, and of attempts to reconnect. */
const POLL_MS = 1_000

/** Keeps a connection to the table open. The status is read once a second, or on notification. */
export function connectionOf({ open, changed, now }: ConnectionOptions): Connection {
  let table: SnapshotTable | undefined
  let opening = false
  let closed = false
  let isFirst = true
  let fault: unknown
  let status: FleetStatus | undefined
  let [tried, asked, isStale] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, true]

  const call = () => {
    isStale = true
    changed()
  }
  const drop = (from: SnapshotTable, why: unknown) => {
    if (table !== from) return
    fault = why
    ;[table, status] = [undefined, undefined]
    from.close()
  }
  const connect = async (): Promise<void> => {
    if (opening || closed || now() - tried < POLL_MS) return
    ;[opening, tried] = [true, now()]
    try {
      const opened = await open(call)
      if (closed) return opened.close()
      ;[table, fault] = [opened, undefined]
      opened.lost.addEventListener('abort', () => drop(opened, connectionLost()))
      call()
    } catch (error) {
      fault = error
    } finally {
      opening = false
    }
  }
  const use: Connection['use'] = async (act) => {
    const used = table
    if (used === undefined) throw fault ?? connectionLost()
    try {
      return await act(used)
    } catch (error) {
      // A lost lead is reported by a working table.
      if (!(error instanceof StoreFault && error.kind === 'lost')) drop(used, error)
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
      if (!isStale && now() - asked < POLL_MS) return status
      ;[isStale, asked] = [false, now()]
      try {
        status = statusOf(await use((from) => from.status()), asked)
      } catch {
        status = undefined
      }
      return status
    },
    fault: () => (table === undefined ? fault : undefined),
    close() {
      closed = true
      table?.close()
      table = undefined
    },
  }
}

/** Dates the publication before the query, so that it never counts as younger than it is. */
const statusOf = ({ newest, epoch }: SnapshotTableStatus, asked: number): FleetStatus => ({
  newest: newest && { height: newest.height, at: asked - newest.ageMs },
  epoch,
})

const connectionLost = (): StoreFault =>
  new StoreFault('down', 'the database of the fleet cannot be used', {
    why: 'the connection was lost',
    hint: 'it is tried again every second',
  })
