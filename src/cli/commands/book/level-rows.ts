import { type Decimal, decimal, ONE } from '../../../engine/math/decimal.js'
import type { BookAnswer, BookLevelDocument } from '../../../operations/book/book-documents.js'
import { fixedAmounts } from '../../../render/amount.js'
import type { Names } from '../../../render/names.js'
import { bar } from '../../../render/picture.js'
import type { Style } from '../../../render/style.js'
import type { Columns } from '../../../render/table.js'
import { sourceNames } from '../../quotes/route/route-view.js'

/** Terminal columns of the longest bar. */
const BAR = 16
/** Least columns of a terminal that has bars. */
const WIDTH_OF_BARS = 80

/** A decimal string as 18 digits; further digits are dropped. */
export function decimalOf(text: string): Decimal {
  const [whole = '0', fraction = ''] = text.split('.')
  return decimal(BigInt(whole + fraction.slice(0, 18).padEnd(18, '0')))
}

type Side = 'ask' | 'bid'

/** A level with its amounts in base atomics. */
type Level = {
  readonly side: Side
  readonly rate: string
  readonly amount: bigint
  /** From the best level up to this one. */
  readonly total: bigint
  /** Names of the sources. */
  readonly from: string
}

/** The levels of a side in base atomics, best first: what buyers offer divided by its rate, rounded down. */
function levelsOf(
  side: Side,
  levels: readonly BookLevelDocument[],
  nameOf: (source: string) => string,
): readonly Level[] {
  let total = 0n
  return levels.map(({ rate, amount: { amount: text }, sources }) => {
    const amount = side === 'ask' ? BigInt(text) : (BigInt(text) * ONE) / decimalOf(rate)
    total += amount
    const from = sources.map(({ source }) => nameOf(source)).join(', ')
    return { side, rate, amount, total, from }
  })
}

/** A book, both sides in base units: asks from the highest down, then bids. */
type LevelTable = { readonly levels: readonly Level[]; readonly columns: Columns<Level> }

export function levelTable(
  { pair, asks, bids }: Pick<BookAnswer, 'pair' | 'asks' | 'bids'>,
  names: Names,
  style: Style,
): LevelTable {
  const [base, quote] = [names.symbol(pair.base), names.symbol(pair.quote)]
  // The address of a maker says something only where there are several.
  const nameOf = (source: string) =>
    sourceNames.get(source) ?? (pair.makers < 2 ? 'maker' : `maker ${names.short(source, 14)}`)
  const levels = [
    ...levelsOf('ask', asks.levels, nameOf).toReversed(),
    ...levelsOf('bid', bids.levels, nameOf),
  ]
  const amountColumn = (name: 'amount' | 'total') => {
    const all = levels.map((level) => level[name])
    const texts = fixedAmounts(all, names.decimals(pair.base), style)
    return (_: Level, i: number) => texts[i]!
  }
  const deepest = levels.reduce((most, { total }) => (total > most ? total : most), 0n)
  const hasBars = style.width >= WIDTH_OF_BARS
  const hasSources = new Set(levels.map(({ from }) => from)).size > 1
  const columns: Columns<Level> = [
    ['', ({ side }) => style[side === 'ask' ? 'sell' : 'buy'](side)],
    [`PRICE ${quote}`, ({ rate }) => names.price(rate, pair), { align: 'point' }],
    [`AMOUNT ${base}`, amountColumn('amount'), { align: 'right' }],
    [`TOTAL ${base}`, amountColumn('total'), { align: 'right', drop: 1 }],
    hasBars && ['DEPTH', ({ total }) => bar(total, deepest, BAR, style), { drop: 3 }],
    hasSources && ['FROM', ({ from }) => from, { drop: 4 }],
  ]
  return { levels, columns }
}
