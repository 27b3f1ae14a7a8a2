import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { driverFault, TRY_AGAIN } from './fault.js'
import type { Db, Tables } from './schema.js'

/** Longest wait for the connection, in milliseconds. */
const WAIT_MS = 5_000

/** Serializes the uses of one connection: first come, first served. */
function workQueue() {
  let isTaken = false
  const waiters: (() => void)[] = []
  return {
    /** @throws StoreFault `OVERLOADED` after the longest wait */
    wait: (): Promise<void> => {
      if (!isTaken) {
        isTaken = true
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        const waiter = (): void => {
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(() => {
          waiters.splice(waiters.indexOf(waiter), 1)
          reject(driverFault('slow', `no turn came within ${WAIT_MS / 1000} seconds`, TRY_AGAIN))
        }, WAIT_MS)
        waiters.push(waiter)
      })
    },
    next: (): void => {
      const waiter = waiters.shift()
      if (waiter === undefined) isTaken = false
      else waiter()
    },
  }
}

/** A connection that serves one transaction after the other. */
type QueuedConnection = {
  run<R>(query: CompiledQuery): Promise<QueryResult<R>>
  /** The statement that begins a transaction. */
  beginning(settings: TransactionSettings): string
  execute(sql: string): Promise<void>
  destroy(): Promise<void>
}

/** The query builder over one connection. */
export const queuedDb = (
  flavour: Omit<Dialect, 'createDriver'>,
  connection: QueuedConnection,
): Db =>
  new Kysely<Tables>({ dialect: { ...flavour, createDriver: () => queuedDriver(connection) } })

/** Drives one connection, used by one transaction at a time. */
function queuedDriver({ run, beginning, execute, destroy }: QueuedConnection): Driver {
  const queue = workQueue()
  const connection: DatabaseConnection = {
    executeQuery: run,
    streamQuery: () => {
      throw new Error('rows of this database are not streamed')
    },
  }
  return {
    init: async () => {},
    acquireConnection: async () => {
      await queue.wait()
      return connection
    },
    beginTransaction: (_, settings) => execute(beginning(settings)),
    commitTransaction: () => execute('commit'),
    // If the error has ended the transaction, there is nothing to roll back.
    rollbackTransaction: () => execute('rollback').catch(() => {}),
    releaseConnection: async () => queue.next(),
    destroy,
  }
}
