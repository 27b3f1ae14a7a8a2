import { wholeFlag } from '../../flags/checked-flag.js'

/** A CSV has all of them. */
export const limitFlag = wholeFlag('--limit <n>', 'so many at most', [1, 100_000], { usual: 20 })
