import { wholeFlag } from '../../flags/checked-flag.js'

export const levelsFlag = wholeFlag('--levels <n>', 'levels of each side', [1, 1000], { usual: 10 })
