import type { Static, TObject, TProperties, TSchema } from 'typebox'
import * as Type from 'typebox'

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

/** The readonly type of a document, derived from its schema. */
export type DocumentOf<Schema extends TSchema> = Frozen<Static<Schema>>

/** The `$schema` of printed schemas. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** The members of a JSON Schema that this program uses. */
export type JsonSchema = {
  readonly type?: string
  readonly description?: string
  readonly const?: unknown
  readonly default?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly maxItems?: number
  readonly anyOf?: readonly JsonSchema[]
}

/** An object with exactly these members. */
export const closedObject = <T extends TProperties>(members: T): TObject<T> =>
  Type.Object(members, { additionalProperties: false })

/** An object with exactly these members, with its description. */
export const object = <T extends TProperties>(description: string, members: T): TObject<T> =>
  Type.Object(members, { additionalProperties: false, description })

/** An array of objects with exactly these members, with its description. */
export const objects = <T extends TProperties>(description: string, members: T) =>
  listOf(description, closedObject(members))

export const listOf = <T extends TSchema>(description: string, items: T) =>
  Type.Array(items, { description })

/** Optional members. `Type.Partial` would load TypeBox's engine of computed types. */
export const optionals = <T extends TProperties>(members: T) =>
  Object.fromEntries(
    Object.entries(members).map(([name, each]) => [name, Type.Optional(each)]),
  ) as { [Name in keyof T]: Type.TOptional<T[Name]> }

/** A value that is `null` if unknown or not applicable. */
export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

export const text = (description: string) => Type.String({ description })

/** A text with a few possible words, which the description lists. */
export const word = <Word extends string>(description: string) =>
  Type.Unsafe<Word>(text(description))

export const textOrNull = (description: string) => orNull(text(description))

export const flag = (description: string) => Type.Boolean({ description })

export const number = (description: string) => Type.Number({ description })

export const numberOrNull = (description: string) => orNull(number(description))

export const countOrNull = (description: string) => orNull(count(description))

/** A whole number with its description. */
export const count = (description: string) => Type.Integer({ description })

/** An integer of a request; `usual` is its default. */
export const wholeBetween = (
  minimum: number,
  maximum: number,
  description: string,
  usual?: number,
) => Type.Integer({ minimum, maximum, ...(usual !== undefined && { default: usual }), description })

/** One of several words. */
export const oneOf = <const Word extends string>(words: readonly Word[], description: string) =>
  Type.Unsafe<Word>(
    Type.Union(
      words.map((word) => Type.Literal(word)),
      { description },
    ),
  )

/** An amount in an answer: always a string of digits. */
export const AmountText = Type.String({
  pattern: '^(0|[1-9][0-9]*)$',
  description: 'Atomics (smallest units) of the denom.',
})

export const DenomText = text('Bank denom of a token.')
export const PairAddress = text('Contract address of the pair.')
export const SpreadBps = numberOrNull(
  'Best ask less best bid over the mid price; negative where the book is crossed.',
)
export const BlockHeight = Type.Integer({ description: 'Block height.' })

export const CoinDocument = closedObject({ denom: DenomText, amount: AmountText })
export type CoinDocument = DocumentOf<typeof CoinDocument>

export const atomics = (description: string) => Type.String({ ...AmountText, description })

export const coins = (description: string) => listOf(description, CoinDocument)

/** A coin with its own description. */
export const coin = (description: string) =>
  object(description, { denom: DenomText, amount: AmountText })

/** Display data of a token. */
export const tokenMembers = {
  symbol: text('Short name; not unique.'),
  decimals: count('Digits between atomics and a displayed unit.'),
}

/** The network of a document. */
export const networkMembers = {
  network: text('Name of the network.'),
  chain_id: text('Chain id of the network.'),
}

/** The members that every answer computed from the market begins with. */
export const marketHeadMembers = {
  quote_id: Type.Optional(
    text('Id under which the command line keeps a quote, for execute and simulate.'),
  ),
  ...networkMembers,
  height: Type.Integer({ description: 'The block that everything in the answer is of.' }),
  time: Type.String({ description: 'Of that block, RFC 3339.' }),
  excluded: objects('Pairs that were left out of the market, and why.', {
    address: PairAddress,
    reason: text('Why the pair is left out.'),
  }),
} as const
const MarketHead = closedObject(marketHeadMembers)
export type MarketHead = DocumentOf<typeof MarketHead>

/** Denoms from the input to the output. */
export const DenomPath = listOf(
  'Denoms from the input to the output, in order of execution.',
  DenomText,
)

export const OrderSide = oneOf(
  ['buy', 'sell'],
  'buy: gives the quote denom and wants the base denom. sell: the other way round.',
)
