import type { StoreRow } from '../schema.js'
import type { Indexed } from '../swap-row.js'

/** The highest indexed block, from the store's row. */
export const indexedOf = (
  row: Pick<StoreRow, 'indexed_height' | 'indexed_time'>,
): Indexed | undefined =>
  row.indexed_height === null || row.indexed_time === null
    ? undefined
    : { height: row.indexed_height, time: row.indexed_time }
