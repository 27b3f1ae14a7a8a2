import * as Type from 'typebox'
import {
  closedObject,
  DenomText,
  type DocumentOf,
  marketHeadMembers,
  orNull,
} from '../document-schema.js'

/** A token (docs/api.md#tokens). */
const TokenDocument = closedObject({
  denom: DenomText,
  decimals: Type.Integer({ description: 'Digits between atomics and a displayed unit.' }),
  symbol: Type.String({ description: 'Short name; not unique.' }),
  name: Type.String({ description: 'Full name.' }),
  chain: Type.String({ description: 'The chain that the asset comes from.' }),
  kind: Type.String({ description: 'native, secured or factory' }),
  contract: orNull(Type.String({ description: 'Contract of the asset on its own chain.' })),
  logo_uri: orNull(Type.String({ description: 'Address of an image.' })),
  price_usd: orNull(
    Type.String({ description: 'From the mid prices of the books; a decimal, rounded down.' }),
  ),
  pairs: Type.Integer({ description: 'Books that trade it.' }),
})
export type TokenDocument = DocumentOf<typeof TokenDocument>

/** The answer of `GET /swap/tokens` and of `swap tokens --json`. */
export const TokensAnswer = closedObject({
  ...marketHeadMembers,
  tokens: Type.Array(TokenDocument, {
    description:
      'By what rests of them within 2 % of the mid prices, in dollars, descending; then by denom.',
  }),
})
export type TokensAnswer = DocumentOf<typeof TokensAnswer>
