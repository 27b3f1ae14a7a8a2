import type { TSchema } from 'typebox'
import * as Type from 'typebox'
import * as Doc from '../document-schema.js'

/** The computed number beside the contract's, both in atomics of the output. */
export const comparisonMembers = {
  simulated_output: Doc.orNull(Doc.atomics('The computed number.')),
  returned: Doc.orNull(Doc.atomics('What the contract answers, after its fee.')),
  fee: Doc.orNull(Doc.atomics('The fee of that.')),
  difference: Doc.textOrNull('The contract’s number less ours.'),
  difference_bps: Doc.numberOrNull('The difference in bps of our number.'),
  pair_by_pair: Type.Optional(
    Type.Literal(true, {
      description:
        'The node’s query limit is too small for the path: its pairs were queried one by one.',
    }),
  ),
  refused: Doc.textOrNull('Why the contract gave no number.'),
}

export const Agrees = Doc.orNull(
  Doc.flag('Whether both agree; null where that cannot be determined.'),
)

const Comparison = Doc.object('The router’s `simulate` of the whole path.', {
  ...comparisonMembers,
  agrees: Agrees,
})
export type Comparison = Doc.DocumentOf<typeof Comparison>

/** The contracts' own numbers for one call: each pair's `simulate`, and the router's of the path. */
export const VerifiedCall = Doc.closedObject({
  agrees: Agrees,
  hops: Doc.objects('Each pair’s `simulate` of what the hop offers it.', {
    address: Doc.PairAddress,
    input: Doc.coin('Offered to the pair.'),
    ...comparisonMembers,
    agrees: Agrees,
  }),
  router: Comparison,
})
export type VerifiedCall = Doc.DocumentOf<typeof VerifiedCall>

/** The verification of an answer, of routes or of splits. */
export const verificationOf = <Route extends TSchema>(route: Route) =>
  Doc.object('What the contracts themselves simulate at this height.', {
    height: Doc.BlockHeight,
    agrees: Agrees,
    routes: Doc.listOf('In the order of `routes`.', route),
  })
