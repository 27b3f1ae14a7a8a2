import * as Type from 'typebox'
import {
  atomicsOf,
  BlockHeight,
  closedObject,
  coinOf,
  countOf,
  DenomText,
  type DocumentOf,
  networkMembers,
  numberOf,
  numberOrNull,
  objectOf,
  objectsOf,
  orNull,
  textOf,
  textOrNull,
} from '../document-schema.js'

/** The gain of a plan over selling everything at once, over several starts. */
const BacktestGain = objectOf(
  'What the plan pays more than all at once; null where no run can be compared.',
  {
    worst_bps: numberOf('The least gain.'),
    p5_bps: numberOf('5 % of the runs gain at most so much.'),
    median_bps: numberOf('Half of them.'),
    p95_bps: numberOf('95 % of them.'),
    best_bps: numberOf('The greatest gain.'),
  },
)

/** What `swap tape backtest` prints (docs/tape.md#backtest). */
export const BacktestAnswer = closedObject({
  ...networkMembers,
  first: BlockHeight,
  last: BlockHeight,
  input: coinOf('The whole amount.'),
  output: DenomText,
  slices: countOf('Slices of the plan.'),
  gain: orNull(BacktestGain),
  runs: objectsOf('In the order of their first blocks.', {
    height: BlockHeight,
    time: textOf('Time of the block on which the plan begins, RFC 3339.'),
    at_once: textOrNull('Atomics that the whole amount pays on that block; null where it cannot.'),
    in_time: textOf('Atomics that the slices pay together.'),
    failed: countOf('Slices that found no market for their amount.'),
    gain_bps: numberOrNull('Gain of the division, rounded down to 0.01; null where either fails.'),
  }),
})
export type BacktestAnswer = DocumentOf<typeof BacktestAnswer>

const Slice = {
  amount: atomicsOf('What it sells, in atomics of the input.'),
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
  ...networkMembers,
  input: coinOf('The whole amount.'),
  output: DenomText,
}

/** The file of a plan: an amount divided in time. It never changes; executions are recorded in the journal. */
export const PlanDocument = closedObject({
  ...members,
  slices: Type.Array(closedObject(Slice), { minItems: 1, maxItems: 1000 }),
})
export type PlanDocument = DocumentOf<typeof PlanDocument>

/** The result of a number of slices on recorded blocks. */
const DivisionDocument = closedObject({
  slices: countOf('Number of slices.'),
  received: textOrNull('Median of what all slices paid, in atomics; null where they cannot.'),
  gain: orNull(BacktestGain),
})
export type DivisionDocument = DocumentOf<typeof DivisionDocument>

/** What `swap plan twap` and `swap plan show` print, and `swap plan run` if nothing is due. */
export const PlanAnswer = closedObject({
  ...members,
  path: textOf('The file.'),
  address: textOrNull('The account whose executions are shown; null for none.'),
  received: atomicsOf('Paid so far, in atomics of the output.'),
  slices: objectsOf('In order; each is executed after the one before it.', {
    ...Slice,
    state: Type.Enum(['done', 'open', 'due', 'waiting'], {
      description: 'open: sent, and the outcome is not certain; waiting: not due yet.',
    }),
    received: textOrNull('Atomics that it paid; null before it is done.'),
    tx_hash: textOrNull('Its last transaction; null for none.'),
  }),
  estimate: Type.Optional(
    objectOf('Quotes of the newest block: the gain of waiting lies between the two.', {
      at_once: textOrNull('Atomics that the whole amount pays at once; null where it cannot.'),
      apart: textOrNull(
        'Atomics that the slices pay if each finds the books of now; null where they cannot.',
      ),
      recorded: Type.Optional(orNull(BacktestGain)),
      divisions: Type.Optional(
        Type.Array(DivisionDocument, {
          description: 'Without `--slices`: what each number of slices was worth on the tape.',
        }),
      ),
    }),
  ),
})
export type PlanAnswer = DocumentOf<typeof PlanAnswer>
