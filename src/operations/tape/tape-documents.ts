import * as Doc from '../document-schema.js'

const blockOf = (description: string) =>
  Doc.object(description, { height: Doc.BlockHeight, time: Doc.text('Block time, RFC 3339.') })

const dropped = Doc.textOrNull(
  'What was left out at the end of the file, and why; null for nothing.',
)

/** What `swap tape show` prints. */
export const TapeAnswer = Doc.closedObject({
  path: Doc.text('The file.'),
  bytes: Doc.count('Its size.'),
  ...Doc.networkMembers,
  blocks: Doc.count('Recorded blocks.'),
  first: blockOf('The first recorded block.'),
  last: blockOf('The last recorded block.'),
  missing: Doc.count('Blocks between the first and the last that were not recorded.'),
  snapshots: Doc.count('Blocks that are kept whole; the others are kept as changes.'),
  pairs: Doc.count('Open pairs of the last block.'),
  dropped,
})
export type TapeAnswer = Doc.DocumentOf<typeof TapeAnswer>

/** What `swap tape verify` prints: it fails where a block is altered. */
export const TapeVerifyAnswer = Doc.closedObject({
  path: Doc.text('The file.'),
  blocks: Doc.count('Blocks that have the bytes of the snapshot that was recorded.'),
  dropped,
})
export type TapeVerifyAnswer = Doc.DocumentOf<typeof TapeVerifyAnswer>

/** What `swap tape record` and `swap tape cut` print. */
export const TapeRecordAnswer = Doc.closedObject({
  path: Doc.text('The file.'),
  bytes: Doc.count('Its size.'),
  blocks: Doc.count('Blocks that this call has written.'),
  last: Doc.orNull(Doc.BlockHeight),
  dropped,
})
export type TapeRecordAnswer = Doc.DocumentOf<typeof TapeRecordAnswer>

const DriftFigures = Doc.closedObject({
  blocks_later: Doc.count('Blocks between the quote and its execution; 0 is always exactly 0.'),
  executions: Doc.count('Quotes whose block so many blocks later was recorded.'),
  failed: Doc.count('Executions that failed: they count as the worst.'),
  median_bps: Doc.numberOrNull(
    'Half of the executions paid at most so much less; null where it failed.',
  ),
  p95_bps: Doc.numberOrNull('95 % of the executions.'),
  p99_bps: Doc.numberOrNull('99 % of the executions.'),
  worst_bps: Doc.numberOrNull('All executions.'),
})
export type DriftFigures = Doc.DocumentOf<typeof DriftFigures>

/** What `swap tape drift` prints (docs/tape.md#drift). */
export const DriftAnswer = Doc.closedObject({
  ...Doc.networkMembers,
  first: Doc.BlockHeight,
  last: Doc.BlockHeight,
  blocks: Doc.count('Recorded blocks that were quoted on.'),
  routes: Doc.objects('In the order of the pairs, then of the sizes.', {
    input: Doc.DenomText,
    output: Doc.DenomText,
    size_usd: Doc.text('Dollars that are sold, at the mid prices of the block.'),
    quotes: Doc.count('Blocks on which a route was found.'),
    later: Doc.listOf('In the order of `--blocks`.', DriftFigures),
  }),
  sizes: Doc.objects('The executions of all routes of a size together.', {
    size_usd: Doc.text('Dollars that are sold.'),
    later: Doc.listOf('In the order of `--blocks`.', DriftFigures),
  }),
  all: Doc.listOf('The executions of all routes together.', DriftFigures),
  histogram: Doc.objects('How the drifts are distributed.', {
    above_bps: Doc.numberOrNull('Drifts above this; null for no bound.'),
    to_bps: Doc.numberOrNull('Drifts up to this; null for no bound, failures included.'),
    executions: Doc.count('Executions in between, at all distances of at least one block.'),
  }),
})
export type DriftAnswer = Doc.DocumentOf<typeof DriftAnswer>
