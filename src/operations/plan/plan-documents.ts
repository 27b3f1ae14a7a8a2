import * as Type from 'typebox'
import * as Doc from '../document-schema.js'

/** The gain of a plan over selling everything at once, over several starts. */
const BacktestGain = Doc.object(
  'What the plan pays more than all at once; null where no run can be compared.',
  {
    worst_bps: Doc.number('The least gain.'),
    p5_bps: Doc.number('5 % of the runs gain at most so much.'),
    median_bps: Doc.number('Half of them.'),
    p95_bps: Doc.number('95 % of them.'),
    best_bps: Doc.number('The greatest gain.'),
    left_out: Doc.count('Runs without a gain: a slice, or all at once, found no market.'),
  },
)

/** What `swap tape backtest` prints (docs/tape.md#backtest). */
export const BacktestAnswer = Doc.closedObject({
  ...Doc.networkMembers,
  first: Doc.BlockHeight,
  last: Doc.BlockHeight,
  input: Doc.coin('The whole amount.'),
  output: Doc.DenomText,
  slices: Doc.count('Slices of the plan.'),
  gain: Doc.orNull(BacktestGain),
  runs: Doc.objects('In the order of their first blocks.', {
    height: Doc.BlockHeight,
    time: Doc.text('Time of the block on which the plan begins, RFC 3339.'),
    at_once: Doc.textOrNull(
      'Atomics that the whole amount pays on that block, less gas; null where it cannot.',
    ),
    in_time: Doc.text('Atomics that the slices pay together, less gas.'),
    failed: Doc.count('Slices that found no market for their amount.'),
    gain_bps: Doc.numberOrNull(
      'Gain of the division, rounded down to 0.01; null where either fails.',
    ),
  }),
})
export type BacktestAnswer = Doc.DocumentOf<typeof BacktestAnswer>

const Slice = {
  amount: Doc.atomics('What it sells, in atomics of the input.'),
  due: Type.String({
    description: 'When it may be executed, RFC 3339.',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  }),
}

/** The form of a plan's documents. */
export const PLAN_FORMAT = 'swap.plan/1'

const members = {
  format: Type.Literal(PLAN_FORMAT, { description: 'Form of this document.' }),
  id: Type.String({
    description: 'Id: executions of its slices are recorded under it.',
    pattern: '^p_[0-9a-f]{8}$',
  }),
  ...Doc.networkMembers,
  input: Doc.coin('The whole amount.'),
  output: Doc.DenomText,
}

/** The file of a plan: an amount divided in time. It never changes; executions are recorded in the journal. */
export const PlanDocument = Doc.closedObject({
  ...members,
  slices: Type.Array(Doc.closedObject(Slice), { minItems: 1, maxItems: 1000 }),
})
export type PlanDocument = Doc.DocumentOf<typeof PlanDocument>

/** The result of a number of slices on recorded blocks. */
const DivisionDocument = Doc.closedObject({
  slices: Doc.count('Number of slices.'),
  received: Doc.textOrNull(
    'Median of what all slices paid less gas, in atomics; null where they cannot.',
  ),
  failed: Doc.count('Starting blocks from which a slice found no market for its amount.'),
  gain: Doc.orNull(BacktestGain),
})
export type DivisionDocument = Doc.DocumentOf<typeof DivisionDocument>

/** What `swap plan twap` and `swap plan show` print, and `swap plan run` if nothing is due. */
export const PlanAnswer = Doc.closedObject({
  ...members,
  path: Doc.text('The file.'),
  address: Doc.textOrNull('The account whose executions are shown; null for none.'),
  received: Doc.atomics('Paid so far, in atomics of the output.'),
  slices: Doc.objects('In order; each is executed after the one before it.', {
    ...Slice,
    state: Type.Enum(['done', 'open', 'due', 'waiting'], {
      description: 'open: sent, and the outcome is not certain; waiting: not due yet.',
    }),
    received: Doc.textOrNull('Atomics that it paid; null before it is done.'),
    tx_hash: Doc.textOrNull('Its last transaction; null for none.'),
  }),
  estimate: Type.Optional(
    Doc.object('Quotes of the newest block: the gain of waiting lies between the two.', {
      at_once: Doc.textOrNull(
        'Atomics that the whole amount pays at once, less gas; null where it cannot.',
      ),
      apart: Doc.textOrNull(
        'Atomics that the slices pay less gas, if each finds the books of now; null where they cannot.',
      ),
      recorded: Type.Optional(Doc.orNull(BacktestGain)),
      divisions: Type.Optional(
        Doc.listOf(
          'Without `--slices`: what each number of slices was worth on the tape.',
          DivisionDocument,
        ),
      ),
    }),
  ),
})
export type PlanAnswer = Doc.DocumentOf<typeof PlanAnswer>
