import type { Columns } from './columns.js'

/** Published snapshots of a fleet: the compressed market of each of the newest few heights. */
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
