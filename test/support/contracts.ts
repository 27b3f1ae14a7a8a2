import { bowGenesis } from '../../src/demo-chain/contracts/bow/bow-contract.js'
import { codeContracts } from '../../src/demo-chain/contracts/codes.js'
import { routerGenesis } from '../../src/demo-chain/contracts/router/router-state.js'
import {
  asBinary,
  fieldsOf,
  parseVariant,
  read,
  writeJson,
} from '../../src/demo-chain/contracts/serde.js'
import { type Contract, ContractError } from '../../src/demo-chain/modules/contract.js'
import type { Market } from '../../src/engine/market/market.js'
import type { Maker, PairState, QuotedMaker, RestingPool } from '../../src/engine/market/pair.js'
import { ceilDiv, formatDecimal, ONE } from '../../src/engine/math/decimal.js'
import { type Placed, type World, worldOf } from './contract-world.js'
import { finStorage } from './fin-storage.js'

/** The recipients of fees in these worlds. */
export const FEES = 'fees'
export const COLLECTOR = 'collector'
export const affiliateAddress = (code: string): string => `affiliate-${code}`
export const referralAddress = (code: string): string => `referral-${code}`

/** More than any test withdraws. */
export const AMPLE = 1n << 120n

/** A market's contracts. */
export type MarketWorld = World & { readonly router: string }

/**
 * The pairs, makers and router of a market as contracts. Pairs hold the balances of the market, makers more
 * than enough.
 */
export function marketWorld(market: Market, bowCode: 'bow' | 'bow-1.0' = 'bow'): MarketWorld {
  const placed = new Map<string, Placed>()
  const oracles = new Map<string, bigint>()
  placed.set(market.router.address, routerOf(market))
  for (const [address, { state }] of market.books) {
    const { base, quote, version } = state.pair
    placed.set(address, {
      contract: codeContracts[version?.startsWith('1.0') ? 'fin-1.0' : 'fin-1.1'],
      storage: pairGenesis(state, oracles),
      balances: [
        { denom: base, amount: state.balances?.base ?? AMPLE },
        { denom: quote, amount: state.balances?.quote ?? AMPLE },
      ],
    })
    for (const maker of state.makers)
      placed.set(maker.address, {
        contract: makerContract(maker, state, bowCode),
        balances: [base, quote].map((denom) => ({ denom, amount: AMPLE })),
        ...(maker.kind === 'xyk' && {
          storage: bowGenesis(maker, { x: maker.reserveX, y: maker.reserveY, shares: 1n }).storage,
        }),
      })
  }
  return { ...worldOf(placed, oracles), router: market.router.address }
}

const routerOf = ({ router }: Market): Placed => ({
  contract:
    codeContracts[
      `router-${router.dialect}${router.affiliateRounding === 'up' ? '-published' : ''}`
    ],
  storage: routerGenesis(
    { fee_collector: COLLECTOR, fee_bps: Number(router.feeBps), max_affiliate_fee_bps: 10_000 },
    [...router.affiliates].map(([code, affiliate]) => ({
      affiliate_code: code,
      referral_fee_share_bps: Number(affiliate.referralFeeShareBps),
      affiliate_fee_bps: Number(affiliate.affiliateFeeBps),
      referral_payment_address: referralAddress(code),
      affiliate_payment_address: affiliateAddress(code),
    })),
  ),
  balances: [...router.balances].map(([denom, amount]) => ({ denom, amount })),
})

/** Every pair gets its own oracle assets, at the price of its oracle pools. */
function pairGenesis(state: PairState, oracles: Map<string, bigint>) {
  const { pair } = state
  const sides = [
    ['base', state.asks],
    ['quote', state.bids],
  ] as const
  if (pair.oracles) {
    oracles.set(`A.${pair.address}`, oraclePrice([...state.asks.oracle, ...state.bids.oracle]))
    oracles.set(`B.${pair.address}`, ONE)
  }
  return finStorage(
    {
      denoms: [pair.base, pair.quote],
      tick: pair.tick,
      feeTaker: pair.takerFee,
      feeMaker: pair.makerFee,
      feeAddress: FEES,
      makers: state.makers.map(({ address }) => address),
      oracles: pair.oracles && [
        { chain: 'A', symbol: pair.address },
        { chain: 'B', symbol: pair.address },
      ],
      version: pair.version?.startsWith('1.0') ? '1.0' : '1.1',
    },
    sides.flatMap(([side, resting]) =>
      [...resting.fixed, ...resting.oracle].map((pool) => ({
        side,
        price: pool.bps === undefined ? { fixed: pool.rate } : { oracle: pool.bps },
        total: pool.total,
        ...(pool.sum && { sum: pool.sum }),
        ...(pool.product && { product: pool.product }),
      })),
    ),
  )
}

/** The lowest price that gives every pool its recorded rate. */
function oraclePrice(pools: readonly RestingPool[]): bigint {
  let price = 1n
  for (const { rate, bps = 0 } of pools) {
    const least = ceilDiv(rate * 10_000n, BigInt(10_000 + bps))
    if (least > price) price = least
  }
  return price
}

function makerContract(maker: Maker, state: PairState, bowCode: 'bow' | 'bow-1.0'): Contract {
  if (maker.kind === 'xyk') return codeContracts[bowCode]
  return maker.kind === 'quoted' ? quotedContract(maker, state) : silentContract
}

/** A maker that fails every query. */
const silentContract: Contract = {
  execute: () => {
    throw new ContractError('silent')
  },
  query: () => {
    throw new ContractError('silent')
  },
}

/** A maker with recorded answers to `quote` only: the n-th answer returns n as data. */
const quotedContract = (maker: QuotedMaker, { pair }: PairState): Contract => ({
  ...silentContract,
  query(_call, message) {
    const { body } = parseVariant('Query', message, ['quote'])
    const fields = fieldsOf('Query', body)
    const levels = fields.text('offer_denom') === pair.quote ? maker.asks : maker.bids
    const before = fields.optional('data', read.binary)
    const at = before === undefined ? 0 : Number(Buffer.from(before).toString())
    const level = levels[at]
    if (level === undefined) return 'null'
    const data = asBinary(at + 1)
    return writeJson({ price: formatDecimal(level.price), size: level.size, data })
  },
})
