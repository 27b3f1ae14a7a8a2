import {
  ConfigRequest,
  ConfigResponse,
  StatusRequest,
  StatusResponse,
} from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import {
  QueryDelegatorDelegationsRequest,
  QueryDelegatorDelegationsResponse,
  QueryParamsRequest,
  QueryParamsResponse,
  QueryPoolRequest,
  QueryPoolResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { Params } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { ChainOptions } from '../../blocks/chain-options.js'
import { POWER } from '../../blocks/hashing.js'
import { timestampOf } from '../../blocks/time.js'
import { type Query, query } from './query.js'

const NODE = '/cosmos.base.node.v1beta1.Service'
const STAKING = '/cosmos.staking.v1beta1.Query'

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

/** One voting power stands for this many staked atomics. */
const PER_POWER = 1_000_000n
const DAY = 86_400n

/** Queries about the node's own settings, and the few of x/staking that clients ask without staking. */
export const nodeQueries: readonly Query[] = [
  query(`${NODE}/Config`, ConfigRequest, ConfigResponse, ({ node: { chain } }) => ({
    minimumGasPrice: minimumGasPrice(chain.options),
    pruningKeepRecent: String(chain.options.keep),
    pruningInterval: '1',
    haltHeight: 0n,
  })),
  query(`${NODE}/Status`, StatusRequest, StatusResponse, ({ node: { chain }, height }) => {
    const header = chain.block(height)?.header
    return StatusResponse.fromPartial({
      height: BigInt(height),
      ...(header && {
        timestamp: timestampOf(header.time),
        appHash: Buffer.from(header.appHash, 'hex'),
        validatorHash: Buffer.from(header.nextValidatorsHash, 'hex'),
      }),
    })
  }),
  query(`${STAKING}/Params`, QueryParamsRequest, QueryParamsResponse, ({ node: { chain } }) => ({
    params: Params.fromPartial({
      unbondingTime: { seconds: 21n * DAY, nanos: 0 },
      maxValidators: 100,
      maxEntries: 7,
      historicalEntries: 10_000,
      bondDenom: chain.options.feeDenom,
      minCommissionRate: '0',
    }),
  })),
  query(`${STAKING}/Pool`, QueryPoolRequest, QueryPoolResponse, () => ({
    pool: { notBondedTokens: '0', bondedTokens: String(POWER * PER_POWER) },
  })),
  query(
    `${STAKING}/DelegatorDelegations`,
    QueryDelegatorDelegationsRequest,
    QueryDelegatorDelegationsResponse,
    () => ({
      delegationResponses: [],
      pagination: { nextKey: new Uint8Array(), total: 0n },
    }),
  ),
]
