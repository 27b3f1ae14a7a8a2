import * as Type from 'typebox'
import {
  BlockHeight,
  closedObject,
  countOf,
  DenomText,
  type DocumentOf,
  orNull,
} from '../document-schema.js'

const bps = (description: string) => orNull(Type.Number({ description }))

const DriftFigures = closedObject({
  blocks_later: countOf('Blocks between the quote and its execution; 0 is always exactly 0.'),
  executions: countOf('Quotes whose block so many blocks later was recorded.'),
  failed: countOf('Executions that failed: they count as the worst.'),
  median_bps: bps('Half of the executions paid at most so much less; null where it failed.'),
  p95_bps: bps('95 % of the executions.'),
  p99_bps: bps('99 % of the executions.'),
  worst_bps: bps('All executions.'),
})
export type DriftFigures = DocumentOf<typeof DriftFigures>

/** What `swap tape drift` prints (docs/tape.md#drift). */
export const DriftAnswer = closedObject({
  network: Type.String({ description: 'Name of the network.' }),
  chain_id: Type.String({ description: 'Chain id of the network.' }),
  first: BlockHeight,
  last: BlockHeight,
  blocks: countOf('Recorded blocks that were quoted on.'),
  routes: Type.Array(
    closedObject({
      input: DenomText,
      output: DenomText,
      size_usd: Type.String({
        description: 'Dollars that are sold, at the mid prices of the block.',
      }),
      quotes: countOf('Blocks on which a route was found.'),
      later: Type.Array(DriftFigures, { description: 'In the order of `--blocks`.' }),
    }),
    { description: 'In the order of the pairs, then of the sizes.' },
  ),
  sizes: Type.Array(
    closedObject({
      size_usd: Type.String({ description: 'Dollars that are sold.' }),
      later: Type.Array(DriftFigures, { description: 'In the order of `--blocks`.' }),
    }),
    { description: 'The executions of all routes of a size together.' },
  ),
  all: Type.Array(DriftFigures, { description: 'The executions of all routes together.' }),
  histogram: Type.Array(
    closedObject({
      above_bps: bps('Drifts above this; null for no bound.'),
      to_bps: bps('Drifts up to this; null for no bound, failures included.'),
      executions: countOf('Executions in between, at all distances of at least one block.'),
    }),
    { description: 'How the drifts are distributed.' },
  ),
})
export type DriftAnswer = DocumentOf<typeof DriftAnswer>
