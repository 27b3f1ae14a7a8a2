import type { FinRules } from '../../../engine/market/venues/fin-rules.js'
import type { Decimal } from '../../../engine/math/decimal.js'
import type { QueryCall } from '../../wasm/contract.js'
import {
  type FinConfig,
  type FinVersion,
  loadConfig,
  oracleIfAny,
  oraclePrice,
  rulesOf,
} from './config.js'

/** A pair as one call sees it: its configuration, the oracle's price, and what it may ask. */
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

/** In executions an oracle that does not answer only matters to oracle orders, but for FIN 1.0. */
export const executeView = (version: FinVersion, call: QueryCall): View =>
  viewWith(version, call, version === '1.0' ? oraclePrice : oracleIfAny)
