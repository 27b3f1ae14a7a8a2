import { sql } from 'kysely'
import { fence } from '../store/fence.js'
import type { Tx } from '../store/schema.js'

/** What a leader publishes. */
export type Publication = {
  readonly chainId: string
  readonly epoch: number
  readonly height: number
  readonly document: Uint8Array
}

/** Woken by whoever publishes. */
export const CHANNEL = 'swap_snapshot'

/** Heights that stay published: for who is just reading one. */
const KEPT = 8

/** Heights above the newest that nobody has published for so long are of a chain that was reset. */
const RESET_MS = 60_000

/** Milliseconds by the clock of the database. */
const clock = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * Publishes a snapshot within the leader's transaction, which no other leader's can run beside, and
 * takes the oldest away. Published heights only rise. @returns `behind` where this one would not.
 *
 * @throws StoreFault `BUSY` when another has led since
 */
export async function publish(
  tx: Tx,
  { chainId, epoch, height, document }: Publication,
): Promise<'published' | 'behind'> {
  await fence(tx, epoch)
  const newest = await tx
    .selectFrom('snapshot')
    .select((column) => ['height', sql<number>`${clock} - ${column.ref('published_ms')}`.as('age')])
    .where('chain_id', '=', chainId)
    .orderBy('height', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest !== undefined && newest.height >= height && newest.age <= RESET_MS) return 'behind'
  const ofChain = tx.deleteFrom('snapshot').where('chain_id', '=', chainId)
  await ofChain.where('height', '>=', height).execute()
  await tx
    .insertInto('snapshot')
    .values({ chain_id: chainId, height, epoch, document, published_ms: clock })
    .execute()
  await ofChain
    .where('height', '<=', ({ selectFrom }) =>
      selectFrom('snapshot as other')
        .select('other.height')
        .where('other.chain_id', '=', chainId)
        .orderBy('other.height', 'desc')
        .offset(KEPT)
        .limit(1),
    )
    .execute()
  await sql`select pg_notify(${CHANNEL}, ${String(height)})`.execute(tx)
  return 'published'
}
