import { checkedFlag, wholeFlag } from '../../flags/checked-flag.js'
import { TAX_FORMATS } from './tax-formats.js'

export const formatFlag = checkedFlag('--format <name>', {
  description: 'CSV for a tax program, oldest first',
  enum: TAX_FORMATS,
})

export const fromHeightFlag = wholeFlag(
  '--from-height <n>',
  "begin at this block, by default the router's first",
  [1, 2_000_000_000],
)
