import type { Draft } from '../../chain/tx/unsigned-tx.js'
import type { Coin, Token } from '../../engine/market/token.js'
import type { Plan } from './plan.js'
import type { Tolerance } from './tolerance.js'

/** What is shown before signing: decoded from the bytes to be signed, with details of the quote. */
export type SigningView = {
  readonly network: string
  readonly real: boolean
  readonly keyName: string | null
  /** The decoded bytes. */
  readonly decoded: Draft
  /** SHA-256 of the sign document, hex. */
  readonly fingerprint: string
  /** The decoded calls. */
  readonly calls: readonly DecodedCall[]
  readonly tokens: ReadonlyMap<string, Token>
  /** Expected output by the current books, in atomics of the denom bought. */
  readonly expected: bigint
  readonly quoted: bigint
  readonly impactBps: number | null
  readonly tolerance: Tolerance
  readonly market: { readonly height: number }
  readonly mode: 'batch' | 'legs'
  /** Legs of later transactions. */
  readonly later: readonly {
    readonly funds: Coin
    readonly least: bigint
    readonly output: string
  }[]
  /** Value sold, in millionths of a dollar. */
  readonly worthMicroUsd: bigint | undefined
  readonly gasUsed: bigint | undefined
  /** Numbers, from 1, of the legs that use a book deeply. */
  readonly deep: readonly number[]
}

/** One decoded call. */
export type DecodedCall = {
  readonly contract: string
  readonly funds: Coin
  readonly least: Coin
  readonly stages: readonly { readonly address: string; readonly denom: string }[]
  /** `undefined`: the signer. */
  readonly recipient: string | undefined
  readonly affiliate: string | undefined
}

type Swap = {
  readonly swap: {
    readonly stages: DecodedCall['stages']
    readonly min_return: { readonly denom: string; readonly amount: string }
    readonly recipient?: string
    readonly affiliate_code?: string
  }
}

/** The calls of a decoded transaction that was compared with the plan. */
export const decodedCalls = ({ calls }: Pick<Draft, 'calls'>): readonly DecodedCall[] =>
  calls.map(({ contract, message, funds }) => {
    const { swap } = JSON.parse(message) as Swap
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
export function totalsOf({ legs }: Pick<Plan, 'legs'>): {
  readonly sold: Coin
  readonly expected: bigint
  readonly quoted: bigint
  readonly least: bigint
} {
  const sum = (of: (leg: Plan['legs'][number]) => bigint) =>
    legs.reduce((total, leg) => total + of(leg), 0n)
  return {
    sold: { denom: legs[0]!.funds.denom, amount: sum(({ funds }) => funds.amount) },
    expected: sum(({ expected }) => expected),
    quoted: sum(({ quoted }) => quoted),
    least: sum(({ least }) => least),
  }
}
