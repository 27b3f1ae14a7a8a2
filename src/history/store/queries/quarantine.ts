import type { Tx } from '../schema.js'
import type { QuarantinePage, Window } from '../swap-row.js'
import { readCounts, readIndexed } from './figures.js'

/** Events that could not be read as swaps, newest first. */
export async function readQuarantined(
  tx: Tx,
  chainId: string,
  window: Window,
): Promise<QuarantinePage> {
  const rows = await quarantineRows(tx, chainId, window).execute()
  return {
    total: (await readCounts(tx)).quarantined,
    items: rows.map(({ height, tx_index, event_index, reason, bytes }) => ({
      height,
      txIndex: tx_index,
      eventIndex: event_index,
      reason,
      bytes: new Uint8Array(bytes),
    })),
    indexed: await readIndexed(tx),
  }
}

/** The rows of a page, by the key of their table. */
export const quarantineRows = (tx: Tx, chainId: string, { page, limit }: Window) =>
  tx
    .selectFrom('quarantine')
    .selectAll()
    .where('chain_id', '=', chainId)
    .orderBy('height', 'desc')
    .orderBy('position', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
