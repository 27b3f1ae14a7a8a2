import { MOST_STEPS } from '../../../engine/orders/ladder.js'
import { checkedFlag, ratioFlag, wholeFlag } from '../../flags/checked-flag.js'

export const maxCrossFlag = ratioFlag(
  '--max-cross <percent>',
  'refuse a price further across the best one of the other side',
  { usual: 500 },
)

export const stepsFlag = wholeFlag('--steps <n>', 'number of orders', [1, MOST_STEPS], { usual: 5 })

export const weightFlag = checkedFlag(
  '--weight <name>',
  {
    description: 'How the amount is divided; linear: step n gets n times what the first one gets',
    enum: ['flat', 'linear'],
  },
  { fallback: 'flat' },
)
