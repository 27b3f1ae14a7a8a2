import * as Type from 'typebox'
import {
  AmountText,
  CoinDocument,
  closedObject,
  countOf,
  DenomText,
  type DocumentOf,
  orNull,
  textOf,
} from '../document-schema.js'
import { BacktestGain } from './backtest-answer.js'

const Slice = {
  amount: Type.String({ ...AmountText, description: 'What it sells, in atomics of the input.' }),
  due: Type.String({
    description: 'When it may be executed, RFC 3339.',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  }),
}

const members = {
  format: Type.Literal('swap.plan/1', { description: 'Form of this document.' }),
  id: Type.String({
    description: 'Id: executions of its slices are recorded under it.',
    pattern: '^p_[0-9a-f]{8}$',
  }),
  network: textOf('Name of the network.'),
  chain_id: textOf('Chain id of the network.'),
  input: CoinDocument,
  output: DenomText,
}

/** The file of a plan: an amount divided in time. It never changes; what was executed is in the journal. */
export const PlanDocument = closedObject({
  ...members,
  slices: Type.Array(closedObject(Slice), { minItems: 1, maxItems: 1000 }),
})
export type PlanDocument = DocumentOf<typeof PlanDocument>

/** What a number of slices would have paid on recorded blocks. */
const DivisionDocument = closedObject({
  slices: countOf('Number of slices.'),
  received: orNull(textOf('Median of what all slices paid, in atomics; null where they cannot.')),
  gain: orNull(BacktestGain),
})
export type DivisionDocument = DocumentOf<typeof DivisionDocument>

/** What `swap plan twap` and `swap plan show` print, and `swap plan run` where nothing is due. */
export const PlanAnswer = closedObject({
  ...members,
  path: textOf('The file.'),
  address: orNull(textOf('The account whose executions are shown; null for none.')),
  received: Type.String({ ...AmountText, description: 'Paid so far, in atomics of the output.' }),
  slices: Type.Array(
    closedObject({
      ...Slice,
      state: Type.Enum(['done', 'open', 'due', 'waiting'], {
        description: 'open: sent, and the outcome is not certain; waiting: not due yet.',
      }),
      received: orNull(textOf('Atomics that it paid; null before it is done.')),
      tx_hash: orNull(textOf('Its last transaction; null for none.')),
    }),
    { description: 'In order; each is executed after the one before it.' },
  ),
  estimate: Type.Optional(
    closedObject(
      {
        at_once: orNull(
          textOf('Atomics that the whole amount pays at once; null where it cannot.'),
        ),
        apart: orNull(
          textOf(
            'Atomics that the slices pay if each finds the books of now; null where they cannot.',
          ),
        ),
        recorded: Type.Optional(orNull(BacktestGain)),
        divisions: Type.Optional(
          Type.Array(DivisionDocument, {
            description: 'Without `--slices`: what each number of slices was worth on the tape.',
          }),
        ),
      },
      { description: 'Quotes of the newest block: the gain of waiting lies between the two.' },
    ),
  ),
})
export type PlanAnswer = DocumentOf<typeof PlanAnswer>
