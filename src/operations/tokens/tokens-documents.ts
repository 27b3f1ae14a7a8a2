import * as Doc from '../document-schema.js'

/** A token (docs/api.md#tokens). */
const TokenDocument = Doc.closedObject({
  denom: Doc.DenomText,
  decimals: Doc.count('Digits between atomics and a displayed unit.'),
  symbol: Doc.text('Short name; not unique.'),
  name: Doc.text('Full name.'),
  chain: Doc.text('The chain that the asset comes from.'),
  kind: Doc.text('native, secured or factory'),
  contract: Doc.textOrNull('Contract of the asset on its own chain.'),
  logo_uri: Doc.textOrNull('Address of an image.'),
  price_usd: Doc.textOrNull('From the mid prices of the books; a decimal, rounded down.'),
  pairs: Doc.count('Books that trade it.'),
})
export type TokenDocument = Doc.DocumentOf<typeof TokenDocument>

/** The answer of `GET /swap/tokens` and of `swap tokens --json`. */
export const TokensAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  tokens: Doc.listOf(
    'By what rests of them within 2 % of the mid prices, in dollars, descending; then by denom.',
    TokenDocument,
  ),
})
export type TokensAnswer = Doc.DocumentOf<typeof TokensAnswer>
