import { Type } from 'typebox'
import { BlockHeight, closedObject, type DocumentOf, orNull } from '../document-schema.js'

const text = (description: string) => Type.String({ description })
const count = (description: string) => Type.Integer({ description })

const dropped = orNull(text('What was left out at the end of the file, and why; null for nothing.'))

/** What `swap tape show` prints. */
export const TapeAnswer = closedObject({
  path: text('The file.'),
  bytes: count('Its size.'),
  network: text('Name of the network.'),
  chain_id: text('Chain id of the network.'),
  blocks: count('Recorded blocks.'),
  first: closedObject({ height: BlockHeight, time: text('Block time, RFC 3339.') }),
  last: closedObject({ height: BlockHeight, time: text('Block time, RFC 3339.') }),
  missing: count('Blocks between the first and the last that were not recorded.'),
  snapshots: count('Blocks that are kept whole; the others are kept as changes.'),
  pairs: count('Open pairs of the last block.'),
  dropped,
})
export type TapeAnswer = DocumentOf<typeof TapeAnswer>

/** What `swap tape verify` prints: it fails where a block is altered. */
export const TapeVerifyAnswer = closedObject({
  path: text('The file.'),
  blocks: count('Blocks that have the bytes of the snapshot that was recorded.'),
  dropped,
})
export type TapeVerifyAnswer = DocumentOf<typeof TapeVerifyAnswer>

/** What `swap tape record` and `swap tape cut` print. */
export const TapeRecordAnswer = closedObject({
  path: text('The file.'),
  bytes: count('Its size.'),
  blocks: count('Blocks that this call has written.'),
  last: orNull(BlockHeight),
  dropped,
})
export type TapeRecordAnswer = DocumentOf<typeof TapeRecordAnswer>
