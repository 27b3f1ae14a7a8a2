import type { Columns } from './columns.js'

/** How often the index was deleted to be rebuilt, and the heights that the last rebuild has to index. */
export const rebuilds = ({ int }: Columns): readonly string[] => [
  `alter table store add column rebuilds ${int} not null default 0`,
  `alter table store add column rebuild_first ${int}`,
  `alter table store add column rebuild_last ${int}`,
]
