import { ContractError, type QueryCall, type ReadStorage } from '../../wasm/contract.js'
import { GAS } from '../../wasm/gas.js'

/** As stored and as the `config` query answers. */
export type RouterConfig = {
  readonly fee_collector: string
  /** Of the gross output, rounded up. */
  readonly fee_bps: number
  readonly max_affiliate_fee_bps: number
}

/** A partner as stored and as the `affiliate` query answers. */
export type RouterAffiliate = {
  readonly affiliate_code: string
  /** Share of the platform fee, rounded down. */
  readonly referral_fee_share_bps: number
  /** Of the gross output, on top, rounded down. */
  readonly affiliate_fee_bps: number
  readonly referral_payment_address: string
  readonly affiliate_payment_address: string
}

const CONFIG = 'config'
/** The name of the map with its length before it, as cw-storage-plus writes keys. */
const AFFILIATES = '\u0000\u000aaffiliates'

type Reading = { readonly storage: ReadStorage; readonly gas: QueryCall['gas'] }

export function configOf({ storage, gas }: Reading): RouterConfig {
  gas.charge(GAS.read, 'ReadFlat')
  const config = storage.get<RouterConfig>(CONFIG)
  if (config === undefined)
    throw new ContractError('type: liquidy_swap::config::Config; key: config not found')
  return config
}

export function affiliateOf({ storage, gas }: Reading, code: string): RouterAffiliate | undefined {
  gas.charge(GAS.read, 'ReadFlat')
  return storage.get<RouterAffiliate>(AFFILIATES + code)
}

/** Partners in the byte order of their codes, beginning behind `after`. */
export function affiliatesOf(
  { storage, gas }: Reading,
  limit: number,
  after: string | undefined,
): readonly (readonly [code: string, affiliate: RouterAffiliate])[] {
  const found: [string, RouterAffiliate][] = []
  for (const key of storage.keys(AFFILIATES)) {
    if (found.length === limit) break
    const code = key.slice(AFFILIATES.length)
    if (after !== undefined && code <= after) continue
    gas.charge(GAS.read, 'ReadFlat')
    const affiliate = storage.get<RouterAffiliate>(key)
    if (affiliate) found.push([code, affiliate])
  }
  return found
}

/** Keys and values of a router's own storage at the start of a chain. */
export const routerGenesis = (
  config: RouterConfig,
  affiliates: readonly RouterAffiliate[],
): readonly (readonly [key: string, value: unknown])[] => [
  ['contract_info', { contract: 'liquidy-swap', version: '0.0.0' }],
  [CONFIG, config],
  ...affiliates.map((affiliate) => [AFFILIATES + affiliate.affiliate_code, affiliate] as const),
]
