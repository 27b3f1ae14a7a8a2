import { documentOf, pairOf } from '../../support/markets.js'

export const bids = [
  ['2', '1000'],
  ['1', '500'],
] as const
export const validPair = pairOf(['sound', 'a', 'b'], { asks: [['3', '70']], bids })
export const other = pairOf(['other', 'b', 'c'], { bids })
/** A market of both. */
export const whole = documentOf([validPair, other])
