import { ConfigRequest, ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import {
  QueryDelegatorDelegationsRequest,
  QueryDelegatorDelegationsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import type { ChainOptions } from '../../blocks/chain-options.js'
import { type Query, query } from './query.js'

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
export const nodeQueries: readonly Query[] = [
  query(
    '/cosmos.base.node.v1beta1.Service/Config',
    ConfigRequest,
    ConfigResponse,
    ({ node: { chain } }) => ({
      minimumGasPrice: minimumGasPrice(chain.options),
      pruningKeepRecent: String(chain.options.keep),
      pruningInterval: '1',
      haltHeight: 0n,
    }),
  ),
  query(
    '/cosmos.staking.v1beta1.Query/DelegatorDelegations',
    QueryDelegatorDelegationsRequest,
    QueryDelegatorDelegationsResponse,
    () => ({
      delegationResponses: [],
      pagination: { nextKey: new Uint8Array(), total: 0n },
    }),
  ),
]
