import * as Type from 'typebox'
import {
  closedObject,
  countOf,
  DenomText,
  type DocumentOf,
  marketHeadMembers,
  textOf,
  textOrNull,
} from '../document-schema.js'

/** A token (docs/api.md#tokens). */
const TokenDocument = closedObject({
  denom: DenomText,
  decimals: countOf('Digits between atomics and a displayed unit.'),
  symbol: textOf('Short name; not unique.'),
  name: textOf('Full name.'),
  chain: textOf('The chain that the asset comes from.'),
  kind: textOf('native, secured or factory'),
  contract: textOrNull('Contract of the asset on its own chain.'),
  logo_uri: textOrNull('Address of an image.'),
  price_usd: textOrNull('From the mid prices of the books; a decimal, rounded down.'),
  pairs: countOf('Books that trade it.'),
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
