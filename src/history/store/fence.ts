import { processId, thisProcess } from '../../platform/process-identity.js'
import { StoreFault } from './fault.js'
import type { StoreRow, Tx } from './schema.js'

/** The one row that describes the store. */
export const storeRow = (tx: Tx): Promise<StoreRow> =>
  tx.selectFrom('store').selectAll().executeTakeFirstOrThrow()

/** Raises the epoch and records its owner: fences off every earlier leader. */
export async function nextEpoch(tx: Tx): Promise<number> {
  const { pid, host } = thisProcess()
  const { epoch } = await tx
    .updateTable('store')
    .set((column) => ({
      epoch: column('epoch', '+', 1),
      leader_host: host,
      leader_pid: pid,
      leader_process: processId(),
    }))
    .returning('epoch')
    .executeTakeFirstOrThrow()
  return epoch
}

/**
 * Begins a leader's transaction: locks the store's row, which excludes transactions of other leaders, and
 * returns it.
 *
 * @throws StoreFault `BUSY` if another process has led since
 */
export async function fence(tx: Tx, epoch: number): Promise<StoreRow> {
  const row = await tx
    .updateTable('store')
    .set({ epoch })
    .where('epoch', '=', epoch)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw lostLead()
  return row
}

export const lostLead = (): StoreFault =>
  new StoreFault('lost', 'this process no longer leads the history database', {
    why: 'another process took over, or the connection was lost',
    hint: 'complete blocks are kept; if no other process indexes, continue: swap history --sync',
  })
