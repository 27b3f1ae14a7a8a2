import type { Draft } from '../../chain/tx/unsigned-tx.js'
import type { Coin, Token } from '../../engine/market/token.js'
import { type OrderEntry, parseOrderMessage } from '../../engine/orders/order-message.js'
import type { RouterMessage, Stage } from '../../engine/routing/message.js'
import type { PlannedOrder } from '../../operations/orders/order-preview.js'
import type { Plan } from './plan.js'
import type { Tolerance } from './tolerance.js'

/** The content shown before every signature, decoded from the bytes to sign, with details of the market. */
export type SignedContent = {
  readonly network: string
  readonly keyName: string | null
  /** The decoded bytes. */
  readonly decoded: Draft
  /** SHA-256 of the sign document, hex. */
  readonly fingerprint: string
  readonly tokens: ReadonlyMap<string, Token>
  readonly market: { readonly height: number }
  /** Value sold by this and later transactions, in millionths of a dollar. */
  readonly worthMicroUsd: bigint | undefined
}

/** The content shown before a swap is signed. */
export type SwapView = SignedContent & {
  readonly kind: 'swap'
  readonly calls: readonly DecodedCall[]
  /** Expected output by the current books, in atomics of the denom bought. */
  readonly expected: bigint
  readonly quoted: bigint
  readonly impactBps: number | null
  readonly tolerance: Tolerance
  /** Legs of later transactions. */
  readonly later: readonly { readonly funds: Coin; readonly least: Coin }[]
  /** Numbers, from 1, of the legs that use a book deeply. */
  readonly deep: readonly number[]
}

/** The content shown before order messages are signed. */
export type OrderView = SignedContent & {
  readonly kind: 'order'
  /** The decoded messages with their previews. */
  readonly messages: readonly { readonly decoded: DecodedOrder; readonly planned: PlannedOrder }[]
  /** Number of messages of later transactions. */
  readonly later: number
}

export type SigningView = SwapView | OrderView

export type DecodedCall = {
  readonly contract: string
  readonly funds: Coin
  readonly least: Coin
  readonly stages: readonly Stage[]
  /** `undefined`: the signer. */
  readonly recipient: string | undefined
  readonly affiliate: string | undefined
}

/** The calls of a decoded transaction that was compared with the plan. */
export const decodedCalls = ({ calls }: Pick<Draft, 'calls'>): readonly DecodedCall[] =>
  calls.map(({ contract, message, funds }) => {
    const { swap } = JSON.parse(message) as RouterMessage
    const { denom, amount } = swap.min_return
    return {
      contract,
      funds: funds[0]!,
      least: { denom, amount: BigInt(amount) },
      stages: swap.stages,
      recipient: swap.recipient,
      affiliate: swap.affiliate_code,
    }
  })

/** Totals over all legs of a plan. */
export function totalsOf({ legs }: Pick<Plan, 'legs'>) {
  const sum = (name: 'expected' | 'quoted' | 'least') =>
    legs.reduce((total, leg) => total + leg[name], 0n)
  return { expected: sum('expected'), quoted: sum('quoted'), least: sum('least') }
}

/** One decoded order message. */
export type DecodedOrder = {
  readonly pair: string
  readonly funds: readonly Coin[]
  readonly entries: readonly OrderEntry[]
}

/** The order messages of a decoded transaction that was compared with the plan. */
export const decodedOrders = ({ calls }: Pick<Draft, 'calls'>): readonly DecodedOrder[] =>
  calls.map(({ contract, message, funds }) => {
    const entries = parseOrderMessage(JSON.parse(message))
    if (entries === undefined) throw new Error('a compared message cannot be decoded')
    return { pair: contract, funds, entries }
  })
