import { sql } from 'kysely'
import type { Heights } from '../../operations/history/history-port.js'
import { checkedCells } from './cells.js'
import { keepBlocks, type Writer } from './commit.js'
import { type Database, inReadTransaction, type WriteLock } from './database.js'
import { withStoreFaults } from './fault.js'
import { fence, lostLead, nextEpoch } from './fence.js'
import { forgetBlocks } from './forget.js'
import type { HistoryStore, Leadership } from './history-store.js'
import { readTop } from './leaderboard.js'
import { readDay } from './queries/day.js'
import { readFigures } from './queries/figures.js'
import { readOrders, readPage, readQuarantined } from './queries/page.js'
import {
  readGaps,
  readHolding,
  readKnownBlock,
  readLeader,
  readPrices,
  readRebuild,
  readState,
} from './queries/state.js'
import type { Flavour, Tables, Tx } from './schema.js'

/** Tables derived from blocks, first the one that readers lock. Prices are kept, so that a rebuild has equal volumes. */
const derivedTables: readonly (keyof Tables)[] = [
  'swap',
  'affiliate_swap',
  'tally',
  'top',
  'order_change',
  'without_orders',
  'quarantine',
  'block',
  'done',
  'pruned',
]

/** Empties the tables and records the current decoder, inside the leader's transaction. */
async function empty(
  tx: Tx,
  flavour: Flavour,
  decoder: string,
  { prices, within }: Parameters<HistoryStore['reindex']>[1],
): Promise<void> {
  const tables = prices ? derivedTables : ([...derivedTables, 'price'] as const)
  // Deleting ten million rows takes PostgreSQL minutes; truncate is immediate. SQLite drops pages at once.
  if (flavour === 'postgres') await sql.raw(`truncate table ${tables.join(', ')}`).execute(tx)
  else for (const table of tables) await tx.deleteFrom(table).execute()
  await tx
    .updateTable('store')
    .set((column) => ({
      decoder,
      indexed_height: null,
      indexed_time: null,
      indexed_ms: null,
      rebuilds: column('rebuilds', '+', 1),
      rebuild_first: within?.from ?? null,
      rebuild_last: within?.to ?? null,
    }))
    .execute()
}

const insertPruned = (tx: Tx, { from, to }: Heights) =>
  tx
    .insertInto('pruned')
    .values({ first: from, last: to })
    .onConflict((conflict) =>
      conflict.column('first').doUpdateSet({ last: to }).where('pruned.last', '<', to),
    )
    .execute()

/** The chain and decoder of a store's rows. */
type Origin = Omit<Writer, 'epoch'>

/** The store over an open database. */
export function storeOf(database: Database, origin: Origin): HistoryStore {
  const { chainId, decoder } = origin
  const { flavour } = database
  const reads = database.reads.withPlugin(checkedCells)
  const locks = new Map<Leadership, WriteLock>()
  const ask = <T>(read: (tx: Tx) => Promise<T>): Promise<T> =>
    withStoreFaults(() => inReadTransaction({ reads, flavour }, read), database.faultOf)
  const write = <T>(leadership: Leadership, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const lock = locks.get(leadership)
    if (lock === undefined || lock.lost.aborted) return Promise.reject(lostLead())
    return withStoreFaults(() => lock.writes.transaction().execute(work), database.faultOf)
  }
  const writeFenced = (leadership: Leadership, work: (tx: Tx) => Promise<unknown>): Promise<void> =>
    write(leadership, async (tx) => {
      await fence(tx, leadership.epoch)
      await work(tx)
    })
  return {
    state: () => ask((tx) => readState(tx, origin)),
    figures: () => ask((tx) => readFigures(tx, chainId)),
    leader: () => ask(readLeader),
    lead: () => withStoreFaults(() => takeLead(database, locks), database.faultOf),
    commitBlocks: (leadership, blocks) =>
      write(leadership, (tx) => keepBlocks(tx, { ...origin, epoch: leadership.epoch }, blocks)),
    gaps: (within) => ask((tx) => readGaps(tx, within)),
    notePruned: (leadership, range) => writeFenced(leadership, (tx) => insertPruned(tx, range)),
    forgetPruned: (leadership) =>
      writeFenced(leadership, (tx) => tx.deleteFrom('pruned').execute()),
    prices: (height) => ask((tx) => readPrices(tx, height)),
    page: (of, window) => ask((tx) => readPage(tx, chainId, of, window)),
    orders: (of, window) => ask((tx) => readOrders(tx, origin, of, window)),
    top: (period, window) => ask((tx) => readTop(tx, period, window)),
    day: (untilMs) => ask((tx) => readDay(tx, chainId, untilMs)),
    quarantined: (window) => ask((tx) => readQuarantined(tx, chainId, window)),
    holding: (within) => ask((tx) => readHolding(tx, chainId, within)),
    rebuild: () => ask(readRebuild),
    isReplaced: database.isReplaced,
    knownBlock: (atMost) => ask((tx) => readKnownBlock(tx, chainId, atMost)),
    forget: (leadership, base, to) =>
      writeFenced(leadership, (tx) => forgetBlocks(tx, chainId, base, to)),
    reindex: (leadership, keeps) =>
      writeFenced(leadership, (tx) => empty(tx, flavour, decoder, keeps)),
    close: async () => {
      for (const leadership of [...locks.keys()]) await leadership.release()
      await database.close()
    },
  }
}

async function takeLead(
  database: Database,
  locks: Map<Leadership, WriteLock>,
): Promise<Leadership> {
  const lock = await database.lead()
  try {
    const epoch = await lock.writes.transaction().execute(nextEpoch)
    const leadership: Leadership = {
      epoch,
      lost: lock.lost,
      release: async () => {
        if (locks.delete(leadership)) await lock.release()
      },
    }
    locks.set(leadership, lock)
    return leadership
  } catch (error) {
    await lock.release()
    throw error
  }
}
