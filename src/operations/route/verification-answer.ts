import type { TSchema } from 'typebox'
import * as Type from 'typebox'
import {
  atomicsOf,
  BlockHeight,
  closedObject,
  coinOf,
  type DocumentOf,
  flagOf,
  numberOrNull,
  objectOf,
  objectsOf,
  orNull,
  PairAddress,
  textOrNull,
} from '../document-schema.js'

/** The computed number beside the contract's, both in atomics of the output. */
export const comparisonMembers = {
  simulated_output: orNull(atomicsOf('The computed number.')),
  returned: orNull(atomicsOf('What the contract answers, after its fee.')),
  fee: orNull(atomicsOf('The fee of that.')),
  difference: textOrNull('The contract’s number less ours.'),
  difference_bps: numberOrNull('The difference in bps of our number.'),
  pair_by_pair: Type.Optional(
    Type.Literal(true, {
      description:
        'The node’s query limit is too small for the path: its pairs were queried one by one.',
    }),
  ),
  refused: textOrNull('Why the contract gave no number.'),
}

export const Agrees = orNull(flagOf('Whether both agree; null where that cannot be determined.'))

const Comparison = objectOf('The router’s `simulate` of the whole path.', {
  ...comparisonMembers,
  agrees: Agrees,
})
export type Comparison = DocumentOf<typeof Comparison>

/** The contracts' own numbers for one call: each pair's `simulate`, and the router's of the path. */
export const VerifiedCall = closedObject({
  agrees: Agrees,
  hops: objectsOf('Each pair’s `simulate` of what the hop offers it.', {
    address: PairAddress,
    input: coinOf('Offered to the pair.'),
    ...comparisonMembers,
    agrees: Agrees,
  }),
  router: Comparison,
})
export type VerifiedCall = DocumentOf<typeof VerifiedCall>

/** The verification of an answer, of routes or of splits. */
export const verificationOf = <Route extends TSchema>(route: Route) =>
  objectOf('What the contracts themselves simulate at this height.', {
    height: BlockHeight,
    agrees: Agrees,
    routes: Type.Array(route, { description: 'In the order of `routes`.' }),
  })
