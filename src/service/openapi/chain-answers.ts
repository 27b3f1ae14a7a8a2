import { Type } from 'typebox'
import { AmountAnswer, CoinAnswer, closedObject, marketHead, orNull } from './market-schemas.js'

/** A number of ours beside the contract's; what a contract refuses is `null`. */
const comparison = {
  simulated_output: orNull(AmountAnswer),
  returned: orNull(AmountAnswer),
  fee: orNull(AmountAnswer),
  difference: orNull(Type.String({ description: 'The contract’s number less ours.' })),
  difference_bps: orNull(Type.Number()),
  refused: orNull(Type.String({ description: 'Why the contract gave no number.' })),
}

const Agrees = orNull(
  Type.Boolean({ description: 'Whether both say the same; null where that cannot be told.' }),
)

const call = {
  agrees: Agrees,
  hops: Type.Array(
    closedObject({ address: Type.String(), input: CoinAnswer, ...comparison, agrees: Agrees }),
  ),
  router: closedObject({ ...comparison, agrees: Agrees }),
}

/** The contracts' own numbers for routes. */
export const VerifiedRoutes = closedObject({
  height: Type.Integer(),
  agrees: Agrees,
  routes: Type.Array(closedObject({ id: Type.String(), ...call })),
})

/** The contracts' own numbers for divisions, leg by leg. */
export const VerifiedSplits = closedObject({
  height: Type.Integer(),
  agrees: Agrees,
  routes: Type.Array(
    closedObject({ id: Type.String(), agrees: Agrees, legs: Type.Array(closedObject(call)) }),
  ),
})

/** The answer of `POST /swap/simulate`. */
export const SimulateAnswer = closedObject({
  ...marketHead,
  at_quote: Type.Boolean({ description: 'True: both numbers are of this height.' }),
  output: closedObject({ denom: Type.String() }),
  legs: Type.Array(
    closedObject({
      coin: CoinAnswer,
      stages: Type.Array(closedObject({ address: Type.String(), denom: Type.String() })),
      ...comparison,
      tolerance_bps: Type.Integer(),
      within: Agrees,
    }),
  ),
  within: Agrees,
})
