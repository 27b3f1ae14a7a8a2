import * as Type from 'typebox'
import {
  AmountText,
  CoinDocument,
  closedObject,
  coinOf,
  DenomText,
  type DocumentOf,
  marketHeadMembers,
  orNull,
} from '../document-schema.js'
import { StageDocument } from '../route/route-answer.js'
import { Agrees, comparisonMembers } from '../route/verification-answer.js'

/** One leg: our number beside the router's. */
const SimulatedLeg = closedObject({
  coin: CoinDocument,
  stages: Type.Array(StageDocument, { description: 'As they were asked for.' }),
  ...comparisonMembers,
  tolerance_bps: Type.Integer({ description: 'How far apart both may be, in bps.' }),
  within: Agrees,
})
export type SimulatedLeg = DocumentOf<typeof SimulatedLeg>

/** The answer of `POST /swap/simulate` (docs/api.md#simulate). */
export const SimulateAnswer = closedObject({
  ...marketHeadMembers,
  at_quote: Type.Boolean({ description: 'True: both numbers are of this height.' }),
  output: closedObject({ denom: DenomText }),
  legs: Type.Array(SimulatedLeg, { description: 'In the order of the request.' }),
  within: Agrees,
})

const Shortage = closedObject({
  denom: DenomText,
  required: AmountText,
  available: AmountText,
})
/** A coin of which the account holds less than the transaction needs. */
export type Shortage = DocumentOf<typeof Shortage>

/** Simulation of the quoted transaction by the node. */
const TransactionDocument = closedObject({
  from: Type.String({ description: 'Address of the account.' }),
  succeeds: Type.Boolean({ description: 'Whether the transaction would be executed.' }),
  gas_used: orNull(Type.String({ description: 'Gas that the node counted.' })),
  gas_limit: orNull(Type.String({ description: 'Gas to ask for: 1.4 times the gas used.' })),
  fee: orNull(coinOf('Fee for the gas limit at the price of the network.')),
  balances: Type.Array(CoinDocument, { description: 'What the account holds of what is spent.' }),
  short: Type.Array(Shortage, { description: 'Coins that the account lacks.' }),
  min_return: coinOf('Sum over the messages.'),
  received: orNull(coinOf('Paid to the recipient; null where the transaction fails.')),
  min_return_met: orNull(
    Type.Boolean({ description: 'Null where the transaction fails before that is known.' }),
  ),
  error: orNull(Type.String({ description: 'Why it would fail, in the words of the node.' })),
})
export type TransactionDocument = DocumentOf<typeof TransactionDocument>

/** The answer of `swap simulate --json`; `transaction` with `--from`. */
export const SimulateCommandAnswer = closedObject({
  ...SimulateAnswer.properties,
  transaction: Type.Optional(TransactionDocument),
})
export type SimulateAnswer = DocumentOf<typeof SimulateCommandAnswer>
