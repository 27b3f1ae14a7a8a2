import type { Draft } from '../../chain/tx/unsigned-tx.js'
import type { Coin, Token } from '../../engine/market/token.js'
import type { Plan } from './plan.js'
import type { Tolerance } from './tolerance.js'

/** What somebody is shown before they sign: read back from the very bytes, with notes beside it. */
export type SigningView = {
  readonly network: string
  readonly real: boolean
  readonly keyName: string | null
  /** What the bytes say. */
  readonly decoded: Draft
  /** SHA-256 of the sign document, hex. */
  readonly fingerprint: string
  /** The calls of the bytes, taken apart. */
  readonly calls: readonly DecodedCall[]
  readonly tokens: ReadonlyMap<string, Token>
  /** What the books say that it will pay, in atomics of the denom bought. */
  readonly expected: bigint
  readonly quoted: bigint
  readonly impactBps: number | null
  readonly tolerance: Tolerance
  readonly market: { readonly height: number }
  readonly mode: 'batch' | 'legs'
  /** Legs that come in transactions of their own after this one. */
  readonly later: readonly {
    readonly funds: Coin
    readonly least: bigint
    readonly output: string
  }[]
  /** Worth of what is sold, in millionths of a dollar. */
  readonly worthMicroUsd: bigint | undefined
  readonly gasUsed: bigint | undefined
  /** Legs, by number from 1, that take most of what a book holds. */
  readonly deep: readonly number[]
}

/** One call as its bytes have it. */
export type DecodedCall = {
  readonly contract: string
  readonly funds: Coin
  readonly least: Coin
  readonly stages: readonly { readonly address: string; readonly denom: string }[]
  /** `undefined`: who signs. */
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

/** The calls of bytes that were read back. They have been compared with the plan before. */
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

/** What all legs of a plan sell, expect and demand together. */
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
