import { wholeFlag } from '../../flags/checked-flag.js'

const HEIGHTS = [1, 999_999_999_999] as const

export const blocksFlag = wholeFlag('--blocks <n>', 'end after so many blocks', HEIGHTS)
export const fromBlockFlag = wholeFlag('--from-block <n>', 'begin at this block', HEIGHTS, {
  fallback: 'the first',
})
export const runsFlag = wholeFlag('--runs <n>', 'begin on so many of its blocks', [1, 1_000], {
  usual: 20,
})
export const toBlockFlag = wholeFlag('--to-block <n>', 'end at this block', HEIGHTS, {
  fallback: 'the last',
})
