import { paysNothing } from '../../engine/market/venues/resting-pool.js'
import { type Decimal, formatDecimal } from '../../engine/math/decimal.js'
import { scaledText } from '../../engine/math/scaled.js'
import { type Chain, newestState, rfc3339 } from '../blocks/chain.js'
import { readStateFile, restore } from '../blocks/state-file.js'
import { environmentOf } from '../contracts/codes.js'
import { CONFIG_KEY, type FinConfig, oraclePrice } from '../contracts/fin/config.js'
import { type BookSide, marketSide, rateOf } from '../contracts/fin/price.js'
import { loadPool, poolPrices } from '../contracts/fin/storage.js'
import { type DemoDocument, type DemoMaker, refusedPair } from '../market/document.js'
import { type DemoAffiliate, GAS_PERCENT } from '../market/pair-facts.js'
import { balanceOf, balancesOf } from '../modules/bank.js'
import type { ReadStorage } from '../modules/contract.js'
import {
  askContract,
  type ContractRecord,
  contractInfo,
  type Machine,
  pairContracts,
  storageOf,
} from '../modules/dispatch.js'
import type { Reader } from '../store/state.js'

/** Market facts outside the contracts, written at genesis. */
export type MarketNotes = Pick<DemoDocument, 'network' | 'tokens' | 'usd' | 'arbs'> & {
  readonly router: string
  readonly dialect: string
  readonly affiliates: readonly string[]
}

export const MARKET_NOTES = ['demo', 'market'] as const

export function marketNotes(state: Reader): MarketNotes {
  const notes = state.get<MarketNotes>(...MARKET_NOTES)
  if (!notes) throw new Error('the chain has no market')
  return notes
}

/** The read-only part of a chain. */
type ChainView = Pick<Chain, 'options' | 'height' | 'stateAt' | 'machineAt'>

/** The market snapshot of the newest block in a state file; `undefined` if there is no file. */
export function marketInFile(path: string): object | undefined {
  const saved = readStateFile(path)
  if (saved === undefined) return undefined
  const { options, store, archive } = restore(saved, path)
  const { height } = store
  return marketSnapshotOf({
    options,
    height,
    stateAt: (height) => store.at(height),
    machineAt: (height) => ({
      ...environmentOf(options),
      chainId: options.chainId,
      height,
      time: archive.get(height)?.header.time ?? 0n,
    }),
  })
}

/** The market snapshot of the newest height, read from the contracts' own storage. */
export function marketSnapshotOf(chain: ChainView): object {
  const { height } = chain
  const state = newestState(chain)
  const notes = marketNotes(state)
  const machine = chain.machineAt(height)
  return {
    format: 'swap.snapshot/1',
    network: notes.network,
    chain_id: chain.options.chainId,
    height,
    time: rfc3339(machine.time),
    tokens: notes.tokens,
    usd: notes.usd,
    router: routerOf(machine, state, notes),
    gas: { percent: GAS_PERCENT },
    arbs: notes.arbs,
    pairs: pairsOf(state).map(([address, record]) => pairOf(machine, state, address, record)),
  }
}

/** Pairs in the order in which they were created. */
function pairsOf(state: Reader): readonly (readonly [string, ContractRecord])[] {
  return pairContracts(state)
    .flatMap((address) => {
      const record = contractInfo(state, address)
      return record ? [[address, record] as const] : []
    })
    .sort(([, a], [, b]) => a.height - b.height || a.txIndex - b.txIndex)
}

function routerOf(machine: Machine, state: Reader, notes: MarketNotes): object {
  const config = askContract(machine, state, notes.router, { config: {} }) as { fee_bps: number }
  const affiliates = notes.affiliates.map((code) => {
    const each = askContract(machine, state, notes.router, { affiliate: { affiliate_code: code } })
    const { affiliate } = each as { readonly affiliate: DemoAffiliate }
    const { affiliate_fee_bps, referral_fee_share_bps } = affiliate
    return [code, { affiliate_fee_bps, referral_fee_share_bps }]
  })
  const balances = [...balancesOf(state, notes.router)]
  return {
    address: notes.router,
    dialect: notes.dialect,
    fee_bps: config.fee_bps,
    affiliates: Object.fromEntries(affiliates),
    affiliate_rounding: contractInfo(state, notes.router)?.code.endsWith('-published')
      ? 'up'
      : 'down',
    ...(balances.length > 0 && {
      balances: Object.fromEntries(balances.map(({ denom, amount }) => [denom, `${amount}`])),
    }),
  }
}

function pairOf(machine: Machine, state: Reader, address: string, record: ContractRecord): object {
  if (record.halted !== undefined) return refusedPair(address, record.halted)
  const storage = storageOf(state, address)
  const config = storage.get<FinConfig>(CONFIG_KEY)
  if (!config) throw new Error(`the pair ${address} has no configuration`)
  const [base, quote] = config.denoms
  const oracle = oraclePrice(config, {
    oracle: (chain, symbol) => machine.oracle(state, chain, symbol),
  })
  return {
    address,
    base,
    quote,
    tick: config.tick,
    fee_taker: formatDecimal(config.feeTaker),
    fee_maker: formatDecimal(config.feeMaker),
    fin_version: record.code === 'fin-1.0' ? '1.0.0' : '1.1.0',
    oracles: config.oracles,
    pools: {
      base: poolsOf(storage, 'base', oracle),
      quote: poolsOf(storage, 'quote', oracle),
    },
    makers: config.makers.map((maker) => makerOf(machine, state, maker)),
    balances: {
      base: `${balanceOf(state, address, base)}`,
      quote: `${balanceOf(state, address, quote)}`,
    },
    status: 'open',
  }
}

const makerOf = (machine: Machine, state: Reader, address: string): DemoMaker => ({
  address,
  strategy: askContract(machine, state, address, { strategy: {} }) as DemoMaker['strategy'],
})

/** A side's pools: those at fixed prices, then those at oracle prices, each best first. */
const poolsOf = (
  storage: ReadStorage,
  side: BookSide,
  oracle: Decimal | undefined,
): readonly object[] =>
  (['fixed', 'oracle'] as const).flatMap((kind) =>
    [...poolPrices(storage, side, kind)].flatMap((price) => {
      const rate = rateOf(price, oracle)
      // As in a market that is read from a node.
      if (paysNothing(marketSide(side), rate)) return []
      const { total, sum, product } = loadPool(storage, { side, price })
      const isFresh = sum.mantissa === 0n
      return {
        price: formatDecimal(rate),
        total: `${total}`,
        ...('oracle' in price && { bps: price.oracle }),
        ...(!isFresh && { sum: scaledText(sum), product: scaledText(product) }),
      }
    }),
  )
