import { sql } from 'kysely'
import type { Flavour, Tables, Tx } from './schema.js'

/** All that is made of blocks. The prices stay, so that a rebuild gives the same volumes. */
const made: readonly (keyof Tables)[] = [
  'swap',
  'affiliate_swap',
  'tally',
  'top',
  'quarantine',
  'block',
  'done',
  'pruned',
]

type Forgetting = {
  readonly flavour: Flavour
  readonly decoder: string
  /** Whether the prices stay. */
  readonly prices: boolean
}

/** Empties the tables and takes up our decoder, within the leader's transaction. */
export async function forget(tx: Tx, { flavour, decoder, prices }: Forgetting): Promise<void> {
  const tables = prices ? made : ([...made, 'price'] as const)
  // Deleting ten million rows one by one takes PostgreSQL minutes; SQLite drops the pages at once.
  if (flavour === 'postgres') await sql.raw(`truncate table ${tables.join(', ')}`).execute(tx)
  else for (const table of tables) await tx.deleteFrom(table).execute()
  await tx
    .updateTable('store')
    .set({ decoder, indexed_height: null, indexed_time: null, indexed_ms: null })
    .execute()
}
