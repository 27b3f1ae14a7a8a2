import { Type } from 'typebox'
import { closedObject, marketHead, orNull } from './market-schemas.js'

/** The answer of `GET /swap/tokens`. */
export const TokensAnswer = closedObject({
  ...marketHead,
  tokens: Type.Array(
    closedObject({
      denom: Type.String(),
      decimals: Type.Integer(),
      symbol: Type.String(),
      name: Type.String(),
      chain: Type.String(),
      kind: Type.String({ description: 'native, secured or factory' }),
      contract: orNull(Type.String()),
      logo_uri: orNull(Type.String()),
      price_usd: orNull(
        Type.String({ description: 'From the mid prices of the books; a decimal, rounded down.' }),
      ),
      pairs: Type.Integer({ description: 'Books that trade it.' }),
    }),
  ),
})
