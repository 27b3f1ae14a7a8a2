import type { RefusalReason } from '../../src/engine/market/refusal.js'

/** A line of the recorded contract answers. */
export type VectorMarket = {
  readonly id: string
  readonly regime: string
  readonly snapshot: { readonly pairs: readonly Record<string, unknown>[] } & Record<
    string,
    unknown
  >
  readonly cases: readonly VectorCase[]
}

export type VectorCoin = { readonly denom: string; readonly amount: string }

export type Failure = { readonly error: string; readonly message: string }

export type VectorCase = { readonly needs: readonly string[] } & (
  | {
      readonly kind: 'simulate'
      readonly pair: string
      readonly offer: VectorCoin
      readonly result: { readonly returned: string; readonly fee: string } | Failure
    }
  | {
      readonly kind: 'swap'
      readonly pair: string
      readonly offer: VectorCoin
      readonly simulate: { readonly returned: string; readonly fee: string } | Failure
      readonly result:
        | {
            readonly received: string
            readonly refunded: string
            readonly fee_address: Record<string, string>
            readonly trades_count: number
            readonly trades?: readonly {
              readonly rate: string
              readonly offer: string
              readonly bid: string
              readonly parts: readonly (readonly [string, string])[]
            }[]
          }
        | Failure
    }
  | {
      readonly kind: 'route'
      readonly path: readonly string[]
      readonly coin: VectorCoin
      readonly result: { readonly returned: string; readonly fee: string } | Failure
    }
  | {
      readonly kind: 'execute'
      readonly path: readonly string[]
      readonly coin: VectorCoin
      readonly stages: readonly { readonly address: string; readonly denom: string }[]
      readonly min_return: VectorCoin
      readonly affiliate_code: string | null
      readonly result:
        | {
            readonly recipient: string
            readonly fee_collector: string
            readonly affiliate: string
            readonly referral: string
            readonly router_left: Record<string, string>
          }
        | Failure
    }
  | {
      readonly kind: 'sequence'
      readonly mode: 'one_tx' | 'consecutive'
      readonly legs: readonly {
        readonly path: readonly string[]
        readonly coin: VectorCoin
        readonly min_return: VectorCoin
      }[]
      readonly results: readonly ({ readonly recipient: string } | Failure)[] | Failure
    }
)

/** The recorded class of each of our refusals. */
export const classOf: Record<RefusalReason, string> = {
  abort_window: 'abort',
  overflow: 'abort',
  zero_total: 'abort',
  pool_precision: 'distribution',
  empty_maker_message: 'empty_coins',
  maker_refuses: 'min_return',
  arb_capital: 'insufficient_funds',
  arb_endless: 'abort',
  fees_exceed_output: 'overflow',
  below_min_return: 'min_return',
  zero_output: 'no_balance',
  beyond_depth: 'depth',
  invalid_denom: 'invalid_denom',
  quarantined: 'quarantined',
}
