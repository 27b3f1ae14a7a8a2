import type { Columns } from './columns.js'

/** The identifier of the leading process: containers share process numbers and names of hosts. */
export const leaderProcess = ({ text }: Columns): readonly string[] => [
  `alter table store add column leader_process ${text}`,
]
