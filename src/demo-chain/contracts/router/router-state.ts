import { ceilDiv } from '../../../engine/math/decimal.js'
import { ContractError, type QueryCall, versionEntry } from '../../modules/contract.js'
import { GAS } from '../../modules/gas.js'

/** The configuration in storage and in the answer to `config`. */
type RouterConfig = {
  readonly fee_collector: string
  /** Of the gross output, rounded up. */
  readonly fee_bps: number
  readonly max_affiliate_fee_bps: number
}

/** An affiliate in storage and in the answer to `affiliate`. */
export type RouterAffiliate = {
  readonly affiliate_code: string
  /** Share of the platform fee, rounded down. */
  readonly referral_fee_share_bps: number
  /** Share of the gross output in addition to the platform fee, rounded down. */
  readonly affiliate_fee_bps: number
  readonly referral_payment_address: string
  readonly affiliate_payment_address: string
}

const CONFIG = 'config'
/** The key prefix of the map in the layout of cw-storage-plus: length and name. */
const AFFILIATES = '\u0000\u000aaffiliates'

type Reading = Pick<QueryCall, 'storage' | 'gas'>

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

/** Affiliates in the byte order of their codes, starting after `after`. */
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
  versionEntry('liquidy-swap', '0.0.0'),
  [CONFIG, config],
  ...affiliates.map((affiliate) => [AFFILIATES + affiliate.affiliate_code, affiliate] as const),
]

/** The builds of the router that differ (docs/venues.md#router-builds). */
export type RouterBuild = 'source' | 'published'

/** How a gross output is divided, in its atomics; the platform's share is its fee without the referral. */
export type Shares = ReturnType<typeof divide>

const BPS = 10_000n

/** @throws ContractError `Cannot Sub with given operands` when the fees exceed the output. */
export function divide(
  { fee_bps }: RouterConfig,
  affiliate: RouterAffiliate | undefined,
  gross: bigint,
  build: RouterBuild = 'source',
) {
  const base = platformFee({ fee_bps }, gross)
  if (affiliate === undefined)
    return { user: less(gross, base), platform: base, referral: 0n, affiliate: 0n }
  const referral = (base * BigInt(affiliate.referral_fee_share_bps)) / BPS
  const product = gross * BigInt(affiliate.affiliate_fee_bps)
  const extra = build === 'published' ? ceilDiv(product, BPS) : product / BPS
  return {
    user: less(less(gross, base), extra),
    platform: less(base, referral),
    referral,
    affiliate: extra,
  }
}

/** The platform's fee on a gross output, rounded up. */
export const platformFee = ({ fee_bps }: Pick<RouterConfig, 'fee_bps'>, gross: bigint): bigint =>
  ceilDiv(gross * BigInt(fee_bps), BPS)

/** @throws ContractError with the text of `checked_sub` */
export function less(from: bigint, amount: bigint): bigint {
  if (amount > from) throw new ContractError('Cannot Sub with given operands')
  return from - amount
}
