import { type Migration, sql } from 'kysely'
import type { Flavour } from './schema.js'

/** Column types of each database. Text compares bytewise in both. */
type Columns = {
  readonly int: string
  readonly text: string
  readonly bytes: string
  /** Up to 2^128 - 1. */
  readonly amount: string
  /** 18 decimals; zero-padded in SQLite for columns that are sorted. */
  readonly volume: string
  /** Suffix of a table that consists of its key. */
  readonly keyed: string
  /** Suffix of an append-only table: keeps index-only scans of its newest pages possible. */
  readonly growing: string
}

export const columnsOf: Readonly<Record<Flavour, Columns>> = {
  sqlite: {
    int: 'integer',
    text: 'text',
    bytes: 'blob',
    amount: 'text',
    volume: 'text',
    keyed: 'without rowid',
    growing: '',
  },
  postgres: {
    int: 'bigint',
    text: 'text collate "C"',
    bytes: 'bytea',
    amount: 'numeric(39,0)',
    volume: 'numeric(60,0)',
    keyed: '',
    growing:
      'with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000)',
  },
}

/** Swaps with their keys, the ranges of indexed heights, and counters. */
export const swaps = ({
  int,
  text,
  bytes,
  amount,
  volume,
  keyed,
  growing,
}: Columns): readonly string[] => [
  `create table store (
    id ${int} primary key check (id = 1),
    chain_id ${text} not null,
    decoder ${text},
    epoch ${int} not null,
    leader_host ${text},
    leader_pid ${int},
    indexed_height ${int},
    indexed_time ${text},
    indexed_ms ${int}
  )`,
  `create table done (
    first ${int} primary key,
    last ${int} not null,
    parent_hash ${bytes} not null,
    last_hash ${bytes} not null,
    check (first <= last)
  )`,
  `create table pruned (
    first ${int} primary key,
    last ${int} not null,
    check (first <= last)
  )`,
  `create table block (
    chain_id ${text} not null,
    height ${int} not null,
    time ${text} not null,
    time_ms ${int} not null,
    hash ${bytes} not null,
    primary key (chain_id, height)
  )`,
  'create index block_by_time on block (time_ms, height)',
  `create table price (
    height ${int} not null,
    denom ${text} not null,
    numerator ${text} not null,
    denominator ${text} not null,
    primary key (height, denom)
  ) ${keyed}`,
  `create table swap (
    chain_id ${text} not null,
    height ${int} not null,
    tx_index ${int} not null,
    msg_index ${int} not null,
    event_index ${int} not null,
    tx_hash ${bytes} not null,
    type ${text} not null,
    sender ${text} not null,
    recipient ${text} not null,
    affiliate_code ${text},
    affiliate_address ${text},
    input_denom ${text} not null,
    input_amount ${amount} not null,
    output_denom ${text} not null,
    output_amount ${amount} not null,
    path ${text} not null,
    hops ${text} not null,
    fee_protocol ${amount} not null,
    fee_referral ${amount} not null,
    fee_affiliate ${amount} not null,
    volume_usd ${volume},
    primary key (chain_id, height, tx_index, msg_index, event_index)
  ) ${growing}`,
  'create index swap_by_type on swap (type, height, tx_index, msg_index, event_index)',
  'create index swap_by_sender on swap (sender, height, tx_index, msg_index, event_index)',
  'create index swap_by_transaction on swap (tx_hash)',
  `create table affiliate_swap (
    affiliate ${text} not null,
    height ${int} not null,
    tx_index ${int} not null,
    msg_index ${int} not null,
    event_index ${int} not null,
    primary key (affiliate, height, tx_index, msg_index, event_index)
  ) ${keyed || growing}`,
  `create table tally (
    scope ${text} not null,
    name ${text} not null,
    swaps ${int} not null,
    primary key (scope, name)
  ) ${keyed}`,
  `create table top (
    period ${text} not null,
    sender ${text} not null,
    swaps ${int} not null,
    priced ${int} not null,
    volume ${volume} not null,
    primary key (period, sender)
  ) ${keyed}`,
  'create index top_by_volume on top (period, volume desc, sender)',
  `create table quarantine (
    chain_id ${text} not null,
    height ${int} not null,
    position ${int} not null,
    tx_index ${int} not null,
    event_index ${int} not null,
    reason ${text} not null,
    bytes ${bytes} not null,
    primary key (chain_id, height, position)
  )`,
]

/** Published snapshots of a fleet: the compressed market of each of the newest few heights. */
const snapshots = ({ int, text, bytes }: Columns): readonly string[] => [
  `create table snapshot (
    chain_id ${text} not null,
    height ${int} not null,
    epoch ${int} not null,
    published_ms ${int} not null,
    document ${bytes} not null,
    primary key (chain_id, height)
  )`,
]

/** Changes of resting orders, and the heights that were indexed by versions that did not store them. */
const orders = ({ int, text, bytes, amount, growing }: Columns): readonly string[] => [
  `create table order_change (
    chain_id ${text} not null,
    height ${int} not null,
    tx_index ${int} not null,
    msg_index ${int} not null,
    event_index ${int} not null,
    tx_hash ${bytes} not null,
    pair ${text} not null,
    owner ${text} not null,
    action ${text} not null,
    side ${text} not null,
    price ${text} not null,
    offer_denom ${text} not null,
    receive_denom ${text} not null,
    sold ${amount} not null,
    added ${amount} not null,
    returned ${amount} not null,
    received ${amount} not null,
    fee ${amount} not null,
    primary key (chain_id, height, tx_index, msg_index, event_index)
  ) ${growing}`,
  ...['owner', 'pair'].map(
    (name) =>
      `create index order_change_by_${name} on order_change (${name}, height, tx_index, msg_index, event_index)`,
  ),
  'create index order_change_by_transaction on order_change (tx_hash)',
  `create table without_orders (
    first ${int} primary key,
    last ${int} not null,
    check (first <= last)
  )`,
]

/** A change that places an empty order. */
const EMPTY = `action = 'place' and sold = '0' and added = '0' and received = '0'`

/**
 * Removes the empty orders that earlier versions stored for the cancel of a completely filled immediate order, and
 * subtracts them from the counters (docs/chain.md#executed-orders).
 */
const emptyOrders = (): readonly string[] => [
  `update tally set swaps = swaps - (
    select count(*) from order_change where ${EMPTY} and (
      tally.scope = 'orders'
      or (tally.scope = 'owner' and order_change.owner = tally.name)
      or (tally.scope = 'pair' and order_change.pair = tally.name)
    )
  ) where scope in ('orders', 'owner', 'pair')`,
  `delete from order_change where ${EMPTY}`,
]

/** The identifier of the leading process: containers can share process ids and host names. */
const leaderProcess = ({ text }: Columns): readonly string[] => [
  `alter table store add column leader_process ${text}`,
]

/** The number of rebuilds of the index, and the heights that the last one has to index. */
const rebuilds = ({ int }: Columns): readonly string[] => [
  `alter table store add column rebuilds ${int} not null default 0`,
  `alter table store add column rebuild_first ${int}`,
  `alter table store add column rebuild_last ${int}`,
]

/** The root over the results of the last block of a run: the next header commits to it. */
const results = ({ bytes }: Columns): readonly string[] => [
  `alter table done add column last_results ${bytes}`,
]

/** In order. A released migration is never edited; changes are new migrations. */
const statements: Readonly<Record<string, (columns: Columns) => readonly string[]>> = {
  '0001-swaps': swaps,
  '0002-snapshots': snapshots,
  '0003-orders': orders,
  '0004-empty-orders': emptyOrders,
  '0005-leader-process': leaderProcess,
  '0006-rebuilds': rebuilds,
  '0007-results': results,
}

/** The migrations of a database by name. */
export const migrationsOf = (flavour: Flavour): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(statements).map(([name, statementsOf]) => [
      name,
      {
        async up(db) {
          for (const statement of statementsOf(columnsOf[flavour]))
            await sql.raw(statement).execute(db)
        },
      },
    ]),
  )
