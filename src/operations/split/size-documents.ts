import type { Static } from 'typebox'
import * as Type from 'typebox'
import { DEFAULTS } from '../defaults.js'
import * as Doc from '../document-schema.js'
import { DollarsText, ImpactBps, PriceText } from '../route/route-documents.js'
import { amountFor, RequestDenom } from '../route/route-request.js'
import { SplitRequest } from './split-documents.js'

const { via, exclude, affiliate, max_hops, max_legs } = SplitRequest.properties
const { split_step } = SplitRequest.properties.input.properties

const Output = Doc.object('What is bought.', { denom: RequestDenom })
const Split = Type.Optional(Doc.flag('Divide each size over several paths.'))
const limits = { max_hops, max_legs, via, exclude, affiliate, split: Split }

/** Arguments of `swap curve`. */
export const CurveRequest = Doc.closedObject({
  input: Doc.object('What is sold.', {
    denom: RequestDenom,
    from: Type.Optional(amountFor('The smallest size.')),
    to: Type.Optional(amountFor('The largest size.')),
    split_step,
  }),
  output: Output,
  points: Type.Optional(Doc.wholeBetween(2, 100, 'Number of sizes.', DEFAULTS.curvePoints)),
  ...limits,
})
export type CurveRequest = Static<typeof CurveRequest>

/** Arguments of `swap max`. */
export const MaxRequest = Doc.closedObject({
  input: Doc.object('What is sold.', { denom: RequestDenom, split_step }),
  output: Output,
  max_impact_bps: Doc.wholeBetween(0, 10_000, 'The largest price impact.'),
  ...limits,
})
export type MaxRequest = Static<typeof MaxRequest>

const sizeMembers = {
  input: Doc.coin('The size.'),
  output: Doc.orNull(Doc.coin('What it pays; null where no path takes it.')),
  price: Doc.orNull(PriceText),
  price_impact_bps: ImpactBps,
  exact: Doc.orNull(
    Doc.flag('False where the output is an estimate, since a book is not fully known.'),
  ),
}
const SizeDocument = Doc.closedObject(sizeMembers)
/** The result of one size; all but the input is `null` if no path takes it. */
export type SizeDocument = Doc.DocumentOf<typeof SizeDocument>

const IsSplit = Doc.flag('Whether splits were quoted, else single paths.')

/** The answer of `swap curve --json`: output and impact for a ladder of sizes, each quoted by itself. */
export const CurveAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  input: Doc.object('What is sold, and its smallest and largest size.', {
    denom: Doc.DenomText,
    from: Doc.atomics('The smallest size.'),
    to: Doc.atomics('The largest size.'),
  }),
  output: Doc.object('What is bought.', { denom: Doc.DenomText }),
  split: IsSplit,
  points: Doc.listOf('Smallest size first.', SizeDocument),
})
export type CurveAnswer = Doc.DocumentOf<typeof CurveAnswer>

/** The answer of `swap max --json`: the largest input within the limit, and its output. */
export const MaxAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  max_impact_bps: Doc.count('The limit on the price impact.'),
  split: IsSplit,
  ...sizeMembers,
  input_usd: DollarsText,
  output_usd: DollarsText,
})
export type MaxAnswer = Doc.DocumentOf<typeof MaxAnswer>
