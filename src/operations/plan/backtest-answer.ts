import * as Type from 'typebox'
import {
  BlockHeight,
  CoinDocument,
  closedObject,
  countOf,
  DenomText,
  type DocumentOf,
  orNull,
  textOf,
} from '../document-schema.js'

const bps = (description: string) => Type.Number({ description })

/** What a plan pays more than all at once, over several starts. */
export const BacktestGain = closedObject(
  {
    worst_bps: bps('The least gain.'),
    p5_bps: bps('5 % of the runs gain at most so much.'),
    median_bps: bps('Half of them.'),
    p95_bps: bps('95 % of them.'),
    best_bps: bps('The greatest gain.'),
  },
  { description: 'What the plan pays more than all at once; null where no run can be compared.' },
)

/** What `swap tape backtest` prints (docs/tape.md#backtest). */
export const BacktestAnswer = closedObject({
  network: textOf('Name of the network.'),
  chain_id: textOf('Chain id of the network.'),
  first: BlockHeight,
  last: BlockHeight,
  input: CoinDocument,
  output: DenomText,
  slices: countOf('Slices of the plan.'),
  gain: orNull(BacktestGain),
  runs: Type.Array(
    closedObject({
      height: BlockHeight,
      time: textOf('Time of the block on which the plan begins, RFC 3339.'),
      at_once: orNull(
        textOf('Atomics that the whole amount pays on that block; null where it cannot.'),
      ),
      in_time: textOf('Atomics that the slices pay together.'),
      failed: countOf('Slices that found no market for their amount.'),
      gain_bps: orNull(bps('Gain of the division, rounded down to 0.01; null where either fails.')),
    }),
    { description: 'In the order of their first blocks.' },
  ),
})
export type BacktestAnswer = DocumentOf<typeof BacktestAnswer>
