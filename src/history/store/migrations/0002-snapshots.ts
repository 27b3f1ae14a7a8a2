import type { Columns } from './columns.js'

/** What a leader publishes for its fleet: the market of each of the newest few heights, compressed. */
export const snapshots = ({ int, text, bytes }: Columns): readonly string[] => [
  `create table snapshot (
    chain_id ${text} not null,
    height ${int} not null,
    epoch ${int} not null,
    published_ms ${int} not null,
    document ${bytes} not null,
    primary key (chain_id, height)
  )`,
]
