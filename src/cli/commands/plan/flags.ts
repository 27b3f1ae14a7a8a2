import { durationFlag, wholeFlag } from '../../flags/checked-flag.js'

export const slicesFlag = wholeFlag('--slices <n>', 'number of slices', [2, 1000])
export const everyFlag = durationFlag(
  '--every <time>',
  'time between two of them',
  [1_000, 86_400_000],
  {
    example: '5m',
  },
)
