import type { Static } from 'typebox'
import * as Type from 'typebox'
import * as Doc from '../document-schema.js'
import { StageDocument } from '../route/route-documents.js'
import { RequestCoin, RequestDenom } from '../route/route-request.js'
import { Agrees, comparisonMembers } from '../route/verification-documents.js'

const coin = Doc.object('The `funds` of a route or of a leg.', RequestCoin.properties)
const stages = Type.Array(
  Doc.closedObject({
    address: Doc.text('Contract address of the pair.'),
    denom: RequestDenom,
  }),
  {
    minItems: 1,
    maxItems: 12,
    description: 'As in the `tx` of a route or of a leg. They are in the dialect of the router.',
  },
)

/** Body of `POST /swap/simulate` (docs/api.md#simulate): one message, or those of a split. */
export const SimulateRequest = Doc.closedObject({
  coin: Type.Optional(coin),
  stages: Type.Optional(stages),
  legs: Type.Optional(
    Type.Array(Doc.closedObject({ coin, stages }), {
      minItems: 1,
      maxItems: 32,
      description:
        'In place of `coin` and `stages`: several messages. Each is simulated by itself.',
    }),
  ),
  tolerance_bps: Type.Optional(
    Doc.wholeBetween(
      0,
      10_000,
      'How far off a leg may be. By default 0 where our number is exact, else 5.',
    ),
  ),
})
export type SimulateRequest = Static<typeof SimulateRequest>

/** One leg: our number and the router's. */
const SimulatedLeg = Doc.closedObject({
  coin: Doc.coin('The coin that is attached.'),
  stages: Doc.listOf('As in the request.', StageDocument),
  ...comparisonMembers,
  tolerance_bps: Doc.count('How far apart both may be, in bps.'),
  within: Agrees,
})
export type SimulatedLeg = Doc.DocumentOf<typeof SimulatedLeg>

/** The answer of `POST /swap/simulate` (docs/api.md#simulate). */
export const SimulateAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  at_quote: Doc.flag('True: both numbers are of this height.'),
  output: Doc.object('What is bought.', { denom: Doc.DenomText }),
  legs: Doc.listOf('In the order of the request.', SimulatedLeg),
  within: Agrees,
})

/** A coin of which the account has less than the transaction needs. */
const Shortage = Doc.closedObject({
  denom: Doc.DenomText,
  required: Doc.atomics('What the transaction needs.'),
  available: Doc.atomics('What the account holds.'),
})

const TransactionDocument = Doc.object('Simulation of the quoted transaction by the node.', {
  from: Doc.text('Address of the account.'),
  succeeds: Doc.flag('Whether the transaction would be executed.'),
  gas_used: Doc.textOrNull('Gas that the node counted.'),
  gas_limit: Doc.textOrNull(
    'Gas to ask for: 1.4 times the gas used, at most the limit of the network; null where that is too little.',
  ),
  fee: Doc.orNull(Doc.coin('Fee for the gas limit at the price of the network.')),
  balances: Doc.coins('What the account holds of what is spent.'),
  short: Doc.listOf('Coins that the account lacks.', Shortage),
  min_return: Doc.coin('Sum over the messages.'),
  received: Doc.orNull(Doc.coin('Paid to the recipient; null where the transaction fails.')),
  min_return_met: Doc.orNull(Doc.flag('Null where the transaction fails before that is known.')),
  error: Doc.textOrNull('Why it would fail: the words of the node, or that it needs too much gas.'),
})
export type TransactionDocument = Doc.DocumentOf<typeof TransactionDocument>

/** The answer of `swap simulate --json`; `transaction` with `--from`. */
export const SimulateCommandAnswer = Doc.closedObject({
  ...SimulateAnswer.properties,
  transaction: Type.Optional(TransactionDocument),
})
export type SimulateAnswer = Doc.DocumentOf<typeof SimulateCommandAnswer>
