import { ConfigRequest, ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import {
  QueryDelegatorDelegationsRequest,
  QueryDelegatorDelegationsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import type { ChainOptions } from '../../blocks/chain-options.js'
import { authQueries, bankQueries } from './account-queries.js'
import { type Query, query } from './query.js'
import { txQueries } from './tx-queries.js'
import { codeQueries, contractQueries } from './wasm.js'

/** Digits of a gas price behind the point, as the options count it. */
const PRICE_DIGITS = 8
/** Digits that the SDK prints. */
const DECIMALS = 18

/** `0.020000000000000000rune`; empty when any fee will do. */
function minimumGasPrice({ gasPrice, feeDenom }: ChainOptions): string {
  if (gasPrice === 0n) return ''
  const digits = String(gasPrice).padStart(PRICE_DIGITS + 1, '0')
  return `${digits.slice(0, -PRICE_DIGITS)}.${digits.slice(-PRICE_DIGITS).padEnd(DECIMALS, '0')}${feeDenom}`
}

/** The node's own settings, and the delegations of an account, which has none. */
const nodeQueries: readonly Query[] = [
  query(ConfigRequest, ConfigResponse, ({ node: { chain } }) => ({
    minimumGasPrice: minimumGasPrice(chain.options),
    pruningKeepRecent: String(chain.options.keep),
    pruningInterval: '1',
    haltHeight: 0n,
  })),
  query(QueryDelegatorDelegationsRequest, QueryDelegatorDelegationsResponse, () => ({
    delegationResponses: [],
    pagination: { nextKey: new Uint8Array(), total: 0n },
  })),
]

/** Every query that the chain answers, by its gRPC path: those of cosmjs and of this program. */
export const queries: ReadonlyMap<string, Query> = new Map(
  [
    ...authQueries,
    ...bankQueries,
    ...contractQueries,
    ...codeQueries,
    ...txQueries,
    ...nodeQueries,
  ].map((each) => [each.path, each]),
)
