import { authQueries } from './auth.js'
import { bankQueries } from './bank.js'
import { nodeQueries } from './node-service.js'
import type { Query } from './query.js'
import { tendermintQueries } from './tendermint.js'
import { txQueries } from './tx-queries.js'
import { codeQueries } from './wasm-codes.js'
import { contractQueries } from './wasm-contracts.js'

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
