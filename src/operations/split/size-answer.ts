import * as Type from 'typebox'
import {
  AmountText,
  closedObject,
  coinOf,
  DenomText,
  type DocumentOf,
  marketHeadMembers,
  orNull,
} from '../document-schema.js'
import { DollarsText, ImpactBps, PriceText } from '../route/route-answer.js'

const sizeMembers = {
  input: coinOf('The size.'),
  output: orNull(coinOf('What it pays; null where no path takes it.')),
  price: orNull(PriceText),
  price_impact_bps: ImpactBps,
}
const SizeDocument = closedObject(sizeMembers)
/** What one size pays; all but the input is `null` where no path takes it. */
export type SizeDocument = DocumentOf<typeof SizeDocument>

const IsSplit = Type.Boolean({ description: 'Whether splits were quoted, else single paths.' })

/** The answer of `swap curve --json`: output and impact for a ladder of sizes, each by itself. */
export const CurveAnswer = closedObject({
  ...marketHeadMembers,
  input: closedObject({ denom: DenomText, from: AmountText, to: AmountText }),
  output: closedObject({ denom: DenomText }),
  split: IsSplit,
  points: Type.Array(SizeDocument, { description: 'Smallest size first.' }),
})
export type CurveAnswer = DocumentOf<typeof CurveAnswer>

/** The answer of `swap max --json`: the largest input within the limit, and what it pays. */
export const MaxAnswer = closedObject({
  ...marketHeadMembers,
  max_impact_bps: Type.Integer({ description: 'The limit on the price impact.' }),
  split: IsSplit,
  ...sizeMembers,
  input_usd: DollarsText,
  output_usd: DollarsText,
})
export type MaxAnswer = DocumentOf<typeof MaxAnswer>
