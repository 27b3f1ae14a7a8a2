import type { Columns } from './columns.js'

/** Changes of resting orders, and the heights that were indexed by versions that did not store them. */
export const orders = ({ int, text, bytes, amount, growing }: Columns): readonly string[] => [
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
