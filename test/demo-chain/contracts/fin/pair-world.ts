import { bowContract, bowGenesis } from '../../../../src/demo-chain/contracts/bow/bow-contract.js'
import type { BowConfig } from '../../../../src/demo-chain/contracts/bow/pool.js'
import { finContract } from '../../../../src/demo-chain/contracts/fin/fin-contract.js'
import type {
  GenesisOrder,
  GenesisPair,
} from '../../../../src/demo-chain/contracts/fin/fin-genesis.js'
import type { BookSide, OrderPrice } from '../../../../src/demo-chain/contracts/fin/price.js'
import type { Coin, Contract } from '../../../../src/demo-chain/modules/contract.js'
import type { Reader } from '../../../../src/demo-chain/store/state.js'
import {
  execute,
  type Placed,
  smartQuery,
  type World,
  worldOf,
} from '../../../support/contract-world.js'
import { finStorage, type GenesisPool } from '../../../support/fin-storage.js'
import { must } from '../../../support/matching.js'

export const PAIR = 'pair'
export const FEES = 'fees'

/** A constant-product maker of a world, its reserves in the pair's denoms. */
export type WorldMaker = {
  readonly address: string
  readonly x: bigint
  readonly y: bigint
  readonly step?: string
  readonly minQuote?: bigint
  readonly fee?: string
}

export type PairWorld = Partial<Omit<GenesisPair, 'makers' | 'oracles'>> & {
  readonly makers?: readonly WorldMaker[]
  readonly pools?: readonly GenesisPool[]
  readonly orders?: readonly GenesisOrder[]
  /** Quote per base, as the two assets of the oracle are priced. */
  readonly oracle?: readonly [base: string, quote: string]
  /** The balance of the pair besides the deposits of its orders. */
  readonly holds?: readonly Coin[]
  /** Other contracts, by address. */
  readonly others?: Readonly<Record<string, Contract>>
  /** Another contract in place of the pair. */
  readonly contract?: Contract
}

export const DENOMS = ['btc', 'usdc'] as const

/** A world of one pair `btc/usdc` with tick 6, without fees, and its makers, by default. */
export function pairWorld(given: PairWorld = {}): World {
  const { makers = [], pools = [], orders = [], oracle, version = '1.1' } = given
  const pair: GenesisPair = {
    denoms: DENOMS,
    tick: 6,
    feeTaker: must('0'),
    feeMaker: must('0'),
    feeAddress: FEES,
    ...given,
    version,
    makers: makers.map(({ address }) => address),
    oracles: oracle
      ? [
          { chain: 'BTC', symbol: 'BTC' },
          { chain: 'ETH', symbol: 'USDC' },
        ]
      : null,
  }
  const placed = new Map<string, Placed>([
    [
      PAIR,
      {
        contract: given.contract ?? finContract(version),
        storage: finStorage(pair, pools, orders),
        balances: blockRangeOf(pair, given),
      },
    ],
  ])
  for (const [address, contract] of Object.entries(given.others ?? {}))
    placed.set(address, { contract })
  for (const maker of makers) placed.set(maker.address, makerOf(pair, maker))
  const [base, quote] = oracle ?? ['1', '1']
  return worldOf(
    placed,
    new Map(
      oracle && [
        ['BTC.BTC', must(base)],
        ['ETH.USDC', must(quote)],
      ],
    ),
  )
}

function blockRangeOf(
  { denoms }: GenesisPair,
  { pools = [], orders = [], holds = [] }: PairWorld,
): Coin[] {
  return denoms.map((denom, at) => {
    const side: BookSide = at === 0 ? 'base' : 'quote'
    const given = [
      ...pools.filter((pool) => pool.side === side).map(({ total }) => total),
      ...orders.filter((order) => order.side === side).map(({ offer }) => offer),
      ...holds.filter((coin) => coin.denom === denom).map(({ amount }) => amount),
    ]
    return { denom, amount: given.reduce((sum, amount) => sum + amount, 0n) }
  })
}

function makerOf({ denoms }: GenesisPair, maker: WorldMaker): Placed {
  const config: BowConfig = {
    x: denoms[0],
    y: denoms[1],
    step: must(maker.step ?? '0.001'),
    minQuote: maker.minQuote ?? 1000n,
    fee: must(maker.fee ?? '0'),
  }
  const { storage, balances } = bowGenesis(config, { x: maker.x, y: maker.y, shares: 1n })
  return { contract: bowContract('1.1'), storage, balances }
}

/** A fixed price in the contract's encoding. */
export const at = (price: string): OrderPrice => ({ fixed: must(price) })

/** A pool of limit orders. */
export const pool = (side: BookSide, price: string | number, total: bigint): GenesisPool => ({
  side,
  price: typeof price === 'number' ? { oracle: price } : at(price),
  total,
})

/** An entry of an `order` message. */
export const entry = (
  side: BookSide,
  price: string | number,
  target: bigint | null,
): readonly unknown[] => [
  side,
  typeof price === 'number' ? { oracle: price } : { fixed: price },
  target === null ? null : `${target}`,
]

export const coin = (amount: bigint, denom: string): Coin => ({ denom, amount })

export const place = (
  world: World,
  state: Reader,
  owner: string,
  entries: readonly unknown[],
  funds: readonly Coin[] = [],
) => execute(world, state, PAIR, { order: [entries, null] }, funds, owner)

export const orderOf = (world: World, state: Reader, owner: string, side: string, price: string) =>
  smartQuery(world, PAIR, { order: [owner, side, { fixed: price }] }, state) as {
    readonly offer: string
    readonly remaining: string
    readonly filled: string
  }

/** `remaining filled` of each owner's order at one price. */
export const shares = (world: World, state: Reader, owners: readonly string[], price = '1000') =>
  owners.map((owner) => {
    const { remaining, filled } = orderOf(world, state, owner, 'base', price)
    return `${remaining} ${filled}`
  })

export const buy = (world: World, state: Reader, amount: bigint) =>
  execute(world, state, PAIR, { swap: {} }, [coin(amount, DENOMS[1])], 'taker')
