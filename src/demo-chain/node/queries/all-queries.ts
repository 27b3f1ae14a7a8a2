import { authQueries, bankQueries } from './account-queries.js'
import type { Query } from './query.js'
import { nodeQueries, tendermintQueries } from './tendermint.js'
import { txQueries } from './tx-queries.js'
import { codeQueries, contractQueries } from './wasm.js'

/** Every query that the chain answers, by its gRPC path. */
export const queries: ReadonlyMap<string, Query> = new Map(
  [
    ...authQueries,
    ...bankQueries,
    ...contractQueries,
    ...codeQueries,
    ...txQueries,
    ...tendermintQueries,
    ...nodeQueries,
  ].map((each) => [each.path, each]),
)
