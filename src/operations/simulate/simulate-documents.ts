import type { Static } from 'typebox'
import * as Type from 'typebox'
import {
  atomicsOf,
  CoinDocument,
  closedObject,
  coinOf,
  countOf,
  DenomText,
  type DocumentOf,
  flagOf,
  marketHeadMembers,
  objectOf,
  orNull,
  textOf,
  textOrNull,
  wholeBetween,
} from '../document-schema.js'
import { StageDocument } from '../route/route-answer.js'
import { RequestCoin, RequestDenom } from '../route/route-request.js'
import { Agrees, comparisonMembers } from '../route/verification-answer.js'

const coin = objectOf('The `funds` of a route or of a leg.', RequestCoin.properties)
const stages = Type.Array(
  closedObject({
    address: textOf('Contract address of the pair.'),
    denom: RequestDenom,
  }),
  {
    minItems: 1,
    maxItems: 12,
    description: 'As in the `tx` of a route or of a leg. They are in the dialect of the router.',
  },
)

/** Body of `POST /swap/simulate` (docs/api.md#simulate): one message, or those of a split. */
export const SimulateRequest = closedObject({
  coin: Type.Optional(coin),
  stages: Type.Optional(stages),
  legs: Type.Optional(
    Type.Array(closedObject({ coin, stages }), {
      minItems: 1,
      maxItems: 32,
      description:
        'In place of `coin` and `stages`: several messages. Each is simulated by itself.',
    }),
  ),
  tolerance_bps: Type.Optional(
    wholeBetween(
      0,
      10_000,
      'How far off a leg may be. By default 0 where our number is exact, else 5.',
    ),
  ),
})
export type SimulateRequest = Static<typeof SimulateRequest>

/** One leg: our number and the router's. */
const SimulatedLeg = closedObject({
  coin: coinOf('The coin that is attached.'),
  stages: Type.Array(StageDocument, { description: 'As in the request.' }),
  ...comparisonMembers,
  tolerance_bps: countOf('How far apart both may be, in bps.'),
  within: Agrees,
})
export type SimulatedLeg = DocumentOf<typeof SimulatedLeg>

/** The answer of `POST /swap/simulate` (docs/api.md#simulate). */
export const SimulateAnswer = closedObject({
  ...marketHeadMembers,
  at_quote: flagOf('True: both numbers are of this height.'),
  output: objectOf('What is bought.', { denom: DenomText }),
  legs: Type.Array(SimulatedLeg, { description: 'In the order of the request.' }),
  within: Agrees,
})

/** A coin of which the account has less than the transaction needs. */
const Shortage = closedObject({
  denom: DenomText,
  required: atomicsOf('What the transaction needs.'),
  available: atomicsOf('What the account holds.'),
})

const TransactionDocument = objectOf('Simulation of the quoted transaction by the node.', {
  from: textOf('Address of the account.'),
  succeeds: flagOf('Whether the transaction would be executed.'),
  gas_used: textOrNull('Gas that the node counted.'),
  gas_limit: textOrNull(
    'Gas to ask for: 1.4 times the gas used, at most the limit of the network; null where that is too little.',
  ),
  fee: orNull(coinOf('Fee for the gas limit at the price of the network.')),
  balances: Type.Array(CoinDocument, { description: 'What the account holds of what is spent.' }),
  short: Type.Array(Shortage, { description: 'Coins that the account lacks.' }),
  min_return: coinOf('Sum over the messages.'),
  received: orNull(coinOf('Paid to the recipient; null where the transaction fails.')),
  min_return_met: orNull(flagOf('Null where the transaction fails before that is known.')),
  error: textOrNull('Why it would fail: the words of the node, or that it needs too much gas.'),
})
export type TransactionDocument = DocumentOf<typeof TransactionDocument>

/** The answer of `swap simulate --json`; `transaction` with `--from`. */
export const SimulateCommandAnswer = closedObject({
  ...SimulateAnswer.properties,
  transaction: Type.Optional(TransactionDocument),
})
export type SimulateAnswer = DocumentOf<typeof SimulateCommandAnswer>
