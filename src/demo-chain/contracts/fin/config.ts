import { type FinRules, finRules } from '../../../engine/market/venues/fin-rules.js'
import { type Decimal, decimal, formatDecimal, ONE, uint128 } from '../../../engine/math/decimal.js'
import { attempt } from '../../../platform/attempt.js'
import {
  Abort,
  ContractError,
  type Querier,
  type QueryCall,
  type ReadStorage,
} from '../../modules/contract.js'
import type { BookSide } from './price.js'

/** The emulated versions of the contract. */
export type FinVersion = '1.0' | '1.1'

/** An asset of the oracle; both names in upper case. */
export type OracleAsset = { readonly chain: string; readonly symbol: string }

/** The state space of oracle prices in dollars, by `CHAIN.SYMBOL`. */
export const ORACLE_SPACE = 'oracle'

/** A pair's configuration. Fees are shares; `makers` in query order. */
export type FinConfig = {
  readonly denoms: readonly [base: string, quote: string]
  readonly oracles: readonly [OracleAsset, OracleAsset] | null
  readonly makers: readonly string[]
  /** Significant figures of a price. */
  readonly tick: number
  readonly feeTaker: Decimal
  readonly feeMaker: Decimal
  readonly feeAddress: string
}

export const CONFIG_KEY = 'config'

function loadConfig(storage: ReadStorage): FinConfig {
  const config = storage.get<FinConfig>(CONFIG_KEY)
  if (config === undefined)
    throw new ContractError('type: config; key: [63, 6F, 6E, 66, 69, 67] not found')
  return config
}

/** The matching rules of each version (docs/venues.md#versions). */
const rulesOf = { '1.0': finRules('1.0.0'), '1.1': finRules('1.1.0') } as const

/** The denom that the resting orders of a side give. */
export const givenDenom = ({ denoms }: FinConfig, side: BookSide): string =>
  side === 'base' ? denoms[0] : denoms[1]

/** The denom that the resting orders of a side want. */
export const wantedDenom = ({ denoms }: FinConfig, side: BookSide): string =>
  side === 'base' ? denoms[1] : denoms[0]

/** The side that an offer of a denom consumes. @throws ContractError when it is not of the pair. */
export function sideTaking({ denoms }: FinConfig, offered: string): BookSide {
  if (offered === denoms[0]) return 'quote'
  if (offered === denoms[1]) return 'base'
  throw new ContractError('Generic error: invalid denom')
}

/**
 * The oracle's price, quote per base, rounded down to 18 digits; `undefined` if the pair has no oracle.
 *
 * @throws ContractError if its oracle does not answer
 */
export function oraclePrice(
  config: FinConfig,
  querier: Pick<Querier, 'oracle'>,
): Decimal | undefined {
  if (config.oracles === null) return undefined
  const base = dollars(config.oracles[0], querier)
  const quote = dollars(config.oracles[1], querier)
  if (quote === 0n) throw new Abort('attempt to divide by zero')
  return decimal(uint128((base * ONE) / quote))
}

function dollars({ chain, symbol }: OracleAsset, querier: Pick<Querier, 'oracle'>): bigint {
  const price = querier.oracle(chain, symbol)
  if (price === undefined)
    throw new ContractError(`GRPC query error: /types.Query/Pool ${chain}.${symbol}`)
  return price
}

/** The oracle's price in executions, where an oracle that does not answer counts as absent. */
const oracleIfAny: typeof oraclePrice = (config, querier) =>
  attempt(() => oraclePrice(config, querier), ContractError)

/** The `config` answer, members in the order of the real one. */
export const configAnswer = (version: FinVersion, config: FinConfig): unknown => ({
  denoms: config.denoms,
  oracles: config.oracles,
  ...(version === '1.0'
    ? { market_maker: config.makers[0] ?? null }
    : { market_makers: config.makers }),
  tick: config.tick,
  fee_taker: formatDecimal(config.feeTaker),
  fee_maker: formatDecimal(config.feeMaker),
  fee_address: config.feeAddress,
})

/** The context of one call: the pair's configuration, the oracle's price, and the call. */
export type View = {
  readonly version: FinVersion
  readonly rules: FinRules
  readonly config: FinConfig
  /** Quote per base; `undefined` when there is none. */
  readonly oracle: Decimal | undefined
  readonly call: QueryCall
}

const viewWith = (version: FinVersion, call: QueryCall, oracleOf: typeof oraclePrice): View => {
  const config = loadConfig(call.storage)
  return { version, rules: rulesOf[version], config, oracle: oracleOf(config, call.querier), call }
}

/** @throws ContractError when the pair's oracle does not answer: then every query fails. */
export const queryView = (version: FinVersion, call: QueryCall): View =>
  viewWith(version, call, oraclePrice)

/** In executions an oracle that does not answer only matters to oracle orders, except in FIN 1.0. */
export const executeView = (version: FinVersion, call: QueryCall): View =>
  viewWith(version, call, version === '1.0' ? oraclePrice : oracleIfAny)
