import type { Columns } from './columns.js'

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
