import type { Static } from 'typebox'
import * as Type from 'typebox'
import { DEFAULTS } from '../defaults.js'
import {
  atomicsOf,
  closedObject,
  coinOf,
  countOf,
  DenomText,
  type DocumentOf,
  flagOf,
  marketHeadMembers,
  objectOf,
  orNull,
  wholeBetween,
} from '../document-schema.js'
import { DollarsText, ImpactBps, PriceText } from '../route/route-answer.js'
import { amountFor, RequestDenom } from '../route/route-request.js'
import { SplitRequest } from './split-documents.js'

const { via, exclude, affiliate, max_hops, max_legs } = SplitRequest.properties
const { split_step } = SplitRequest.properties.input.properties

const Output = objectOf('What is bought.', { denom: RequestDenom })
const Split = Type.Optional(flagOf('Divide each size over several paths.'))
const limits = { max_hops, max_legs, via, exclude, affiliate, split: Split }

/** Arguments of `swap curve`. */
export const CurveRequest = closedObject({
  input: objectOf('What is sold.', {
    denom: RequestDenom,
    from: Type.Optional(amountFor('The smallest size.')),
    to: Type.Optional(amountFor('The largest size.')),
    split_step,
  }),
  output: Output,
  points: Type.Optional(wholeBetween(2, 100, 'Number of sizes.', DEFAULTS.curvePoints)),
  ...limits,
})
export type CurveRequest = Static<typeof CurveRequest>

/** Arguments of `swap max`. */
export const MaxRequest = closedObject({
  input: objectOf('What is sold.', { denom: RequestDenom, split_step }),
  output: Output,
  max_impact_bps: wholeBetween(0, 10_000, 'The largest price impact.'),
  ...limits,
})
export type MaxRequest = Static<typeof MaxRequest>

const sizeMembers = {
  input: coinOf('The size.'),
  output: orNull(coinOf('What it pays; null where no path takes it.')),
  price: orNull(PriceText),
  price_impact_bps: ImpactBps,
}
const SizeDocument = closedObject(sizeMembers)
/** The result of one size; all but the input is `null` if no path takes it. */
export type SizeDocument = DocumentOf<typeof SizeDocument>

const IsSplit = flagOf('Whether splits were quoted, else single paths.')

/** The answer of `swap curve --json`: output and impact for a ladder of sizes, each quoted by itself. */
export const CurveAnswer = closedObject({
  ...marketHeadMembers,
  input: objectOf('What is sold, and its smallest and largest size.', {
    denom: DenomText,
    from: atomicsOf('The smallest size.'),
    to: atomicsOf('The largest size.'),
  }),
  output: objectOf('What is bought.', { denom: DenomText }),
  split: IsSplit,
  points: Type.Array(SizeDocument, { description: 'Smallest size first.' }),
})
export type CurveAnswer = DocumentOf<typeof CurveAnswer>

/** The answer of `swap max --json`: the largest input within the limit, and its output. */
export const MaxAnswer = closedObject({
  ...marketHeadMembers,
  max_impact_bps: countOf('The limit on the price impact.'),
  split: IsSplit,
  ...sizeMembers,
  input_usd: DollarsText,
  output_usd: DollarsText,
})
export type MaxAnswer = DocumentOf<typeof MaxAnswer>
