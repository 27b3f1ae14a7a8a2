import {
  BlockHeight,
  closedObject,
  countOf,
  type DocumentOf,
  orNull,
  textOf,
} from '../document-schema.js'

const dropped = orNull(
  textOf('What was left out at the end of the file, and why; null for nothing.'),
)

/** What `swap tape show` prints. */
export const TapeAnswer = closedObject({
  path: textOf('The file.'),
  bytes: countOf('Its size.'),
  network: textOf('Name of the network.'),
  chain_id: textOf('Chain id of the network.'),
  blocks: countOf('Recorded blocks.'),
  first: closedObject({ height: BlockHeight, time: textOf('Block time, RFC 3339.') }),
  last: closedObject({ height: BlockHeight, time: textOf('Block time, RFC 3339.') }),
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
