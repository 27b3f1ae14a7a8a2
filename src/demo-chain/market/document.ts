import { parseDecimal } from '../../engine/math/decimal.js'

/** Limit orders at one fixed price (quote per base), and the total that they give, in atomics. */
export type DemoPool = { readonly price: string; readonly total: string }

/** A constant-product maker in the format of its `strategy` answer: config, then state (atomics). */
export type DemoMaker = {
  readonly address: string
  readonly strategy: {
    readonly xyk: readonly [
      {
        readonly x: string
        readonly y: string
        readonly step: string
        readonly min_quote: string
        readonly fee: string
      },
      { readonly x: string; readonly y: string; readonly k: string; readonly shares: string },
    ]
  }
}

/** One pair in the terms of the chain: orders of `base` give base (asks), those of `quote` give quote (bids). */
export type DemoPair = {
  readonly address: string
  readonly base: string
  readonly quote: string
  readonly tick: number
  readonly fee_taker: string
  readonly fee_maker: string
  readonly fin_version: string
  readonly oracles: null
  /** Best price first on both sides. */
  readonly pools: { readonly base: readonly DemoPool[]; readonly quote: readonly DemoPool[] }
  readonly makers: readonly DemoMaker[]
  /** The contract's bank balances in atomics: its resting orders and some surplus. */
  readonly balances: { readonly base: string; readonly quote: string }
  readonly status: 'open' | 'halted'
  /** Why a pair is not open; absent on an open one. */
  readonly reason?: string
}

/** A token in the format of the snapshot. */
export type DemoToken = {
  readonly denom: string
  readonly decimals: number
  readonly symbol: string
  readonly name: string
  readonly chain: string
  readonly kind: 'secured' | 'native' | 'factory'
  readonly contract: string | null
  readonly logo_uri: null
}

/** An affiliate of the router: its own fee, and its share of the router's. */
export type DemoAffiliate = {
  readonly affiliate_fee_bps: number
  readonly referral_fee_share_bps: number
}

/**
 * The market snapshot of the demo network without `book`: the books follow from `pools` and `makers`. Amounts are
 * decimal strings of atomics.
 */
export type DemoDocument = {
  readonly format: 'swap.snapshot/1'
  readonly network: 'demo'
  readonly chain_id: 'demo-1'
  readonly height: number
  readonly time: string
  readonly tokens: readonly DemoToken[]
  readonly usd: string
  readonly router: {
    readonly address: string
    readonly dialect: 'forward'
    readonly fee_bps: number
    readonly affiliates: { readonly [code: string]: DemoAffiliate }
    readonly affiliate_rounding: 'down'
  }
  readonly gas: { readonly percent: number }
  readonly arbs: readonly { readonly denom: string; readonly amount: string }[]
  readonly pairs: readonly DemoPair[]
}

/** Gas of the demo chain in percent of the recorded node's (docs/chain.md#gas-estimates). */
export const GAS_PERCENT = 300

/** The error of every call of a pair's contract; `undefined` for a working pair. */
export const faultOf = ({ status, reason, fee_taker }: DemoPair): string | undefined =>
  status !== 'open'
    ? `${status}: ${reason ?? ''}`
    : parseDecimal(fee_taker) === undefined
      ? 'Error parsing into type rujira_fin::config::Config: Error parsing decimal'
      : undefined

/** The snapshot entry of a pair whose contract fails every call, as read through a node. */
export const refusedPair = (address: string, fault: string): object => ({
  address,
  status: fault.startsWith('halted: ') ? 'halted' : 'unreadable',
  retired: true,
  reason: `its configuration was refused: ${fault}: query wasm contract failed: unknown request`,
})

/** The document of a new chain's market, as read through a node. */
export const readable = (market: DemoDocument): object => ({
  ...market,
  pairs: market.pairs.map((pair) => {
    const fault = faultOf(pair)
    return fault === undefined ? pair : refusedPair(pair.address, fault)
  }),
})
