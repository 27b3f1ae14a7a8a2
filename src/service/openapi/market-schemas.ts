import { type TObject, type TProperties, Type } from 'typebox'

const closed = { additionalProperties: false } as const

/** An object of an answer: exactly these members. */
export const closedObject = <T extends TProperties>(
  members: T,
  options: { readonly description?: string } = {},
): TObject<T> => Type.Object(members, { ...closed, ...options })

/** A number or a text that may be unknown, which is `null`. */
export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** An amount in an answer: always a string of digits. */
export const AmountAnswer = Type.String({
  pattern: '^(0|[1-9][0-9]*)$',
  description: 'Atomics (smallest units) of the denom.',
})

export const CoinAnswer = closedObject({ denom: Type.String(), amount: AmountAnswer })

/** What every answer that was computed from the market begins with. */
export const marketHead = {
  network: Type.String(),
  chain_id: Type.String(),
  height: Type.Integer({ description: 'The block that everything in the answer is of.' }),
  time: Type.String({ description: 'Of that block, RFC 3339.' }),
  excluded: Type.Array(closedObject({ address: Type.String(), reason: Type.String() }), {
    description: 'Pairs that were left out of the market, and why.',
  }),
} as const
