import { Type } from 'typebox'
import { AmountAnswer, CoinAnswer, Exactly, marketHead, orNull } from './market-schemas.js'

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
    Exactly({ address: Type.String(), input: CoinAnswer, ...comparison, agrees: Agrees }),
  ),
  router: Exactly({ ...comparison, agrees: Agrees }),
}

/** The contracts' own numbers for routes. */
export const VerifiedRoutes = Exactly({
  height: Type.Integer(),
  agrees: Agrees,
  routes: Type.Array(Exactly({ id: Type.String(), ...call })),
})

/** The contracts' own numbers for divisions, leg by leg. */
export const VerifiedSplits = Exactly({
  height: Type.Integer(),
  agrees: Agrees,
  routes: Type.Array(
    Exactly({ id: Type.String(), agrees: Agrees, legs: Type.Array(Exactly(call)) }),
  ),
})

/** The answer of `POST /swap/simulate`. */
export const SimulateAnswer = Exactly({
  ...marketHead,
  at_quote: Type.Boolean({ description: 'True: both numbers are of this height.' }),
  output: Exactly({ denom: Type.String() }),
  legs: Type.Array(
    Exactly({
      coin: CoinAnswer,
      stages: Type.Array(Exactly({ address: Type.String(), denom: Type.String() })),
      ...comparison,
      tolerance_bps: Type.Integer(),
      within: Agrees,
    }),
  ),
  within: Agrees,
})
