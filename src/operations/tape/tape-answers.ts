import * as Type from 'typebox'
import {
  BlockHeight,
  closedObject,
  countOf,
  DenomText,
  type DocumentOf,
  networkMembers,
  numberOrNull,
  objectOf,
  objectsOf,
  orNull,
  textOf,
  textOrNull,
} from '../document-schema.js'

const blockOf = (description: string) =>
  objectOf(description, { height: BlockHeight, time: textOf('Block time, RFC 3339.') })

const dropped = textOrNull('What was left out at the end of the file, and why; null for nothing.')

/** What `swap tape show` prints. */
export const TapeAnswer = closedObject({
  path: textOf('The file.'),
  bytes: countOf('Its size.'),
  ...networkMembers,
  blocks: countOf('Recorded blocks.'),
  first: blockOf('The first recorded block.'),
  last: blockOf('The last recorded block.'),
  missing: countOf('Blocks between the first and the last that were not recorded.'),
  snapshots: countOf('Blocks that are kept whole; the others are kept as changes.'),
  pairs: countOf('Open pairs of the last block.'),
  dropped,
})
export type TapeAnswer = DocumentOf<typeof TapeAnswer>

/** What `swap tape verify` prints: it fails where a block is altered. */
export const TapeVerifyAnswer = closedObject({
  path: textOf('The file.'),
  blocks: countOf('Blocks that have the bytes of the snapshot that was recorded.'),
  dropped,
})
export type TapeVerifyAnswer = DocumentOf<typeof TapeVerifyAnswer>

/** What `swap tape record` and `swap tape cut` print. */
export const TapeRecordAnswer = closedObject({
  path: textOf('The file.'),
  bytes: countOf('Its size.'),
  blocks: countOf('Blocks that this call has written.'),
  last: orNull(BlockHeight),
  dropped,
})
export type TapeRecordAnswer = DocumentOf<typeof TapeRecordAnswer>

const DriftFigures = closedObject({
  blocks_later: countOf('Blocks between the quote and its execution; 0 is always exactly 0.'),
  executions: countOf('Quotes whose block so many blocks later was recorded.'),
  failed: countOf('Executions that failed: they count as the worst.'),
  median_bps: numberOrNull(
    'Half of the executions paid at most so much less; null where it failed.',
  ),
  p95_bps: numberOrNull('95 % of the executions.'),
  p99_bps: numberOrNull('99 % of the executions.'),
  worst_bps: numberOrNull('All executions.'),
})
export type DriftFigures = DocumentOf<typeof DriftFigures>

/** What `swap tape drift` prints (docs/tape.md#drift). */
export const DriftAnswer = closedObject({
  ...networkMembers,
  first: BlockHeight,
  last: BlockHeight,
  blocks: countOf('Recorded blocks that were quoted on.'),
  routes: objectsOf('In the order of the pairs, then of the sizes.', {
    input: DenomText,
    output: DenomText,
    size_usd: textOf('Dollars that are sold, at the mid prices of the block.'),
    quotes: countOf('Blocks on which a route was found.'),
    later: Type.Array(DriftFigures, { description: 'In the order of `--blocks`.' }),
  }),
  sizes: objectsOf('The executions of all routes of a size together.', {
    size_usd: textOf('Dollars that are sold.'),
    later: Type.Array(DriftFigures, { description: 'In the order of `--blocks`.' }),
  }),
  all: Type.Array(DriftFigures, { description: 'The executions of all routes together.' }),
  histogram: objectsOf('How the drifts are distributed.', {
    above_bps: numberOrNull('Drifts above this; null for no bound.'),
    to_bps: numberOrNull('Drifts up to this; null for no bound, failures included.'),
    executions: countOf('Executions in between, at all distances of at least one block.'),
  }),
})
export type DriftAnswer = DocumentOf<typeof DriftAnswer>
