import { decimal, formatDecimal, ONE, parseDecimal } from '../../engine/math/decimal.js'
import type { Random } from '../market/random.js'

/** A book as a pair answers it, or what looks like one. */
type Level = { readonly price: string; readonly total: string }
type Book = { readonly base: readonly Level[]; readonly quote: readonly Level[] }

type Mutation = (book: Book, random: Random) => unknown

/** One level of a side changed, or one put where there was none. */
const oneLevel =
  (change: (level: Level) => object): Mutation =>
  (book, random) => {
    const side = random() % 2 === 0 ? 'base' : 'quote'
    const levels = book[side].length > 0 ? book[side] : [{ price: '1', total: '1' }]
    const at = random() % levels.length
    return { ...book, [side]: levels.map((level, i) => (i === at ? change(level) : level)) }
  }

const digits = (count: number): string => '9'.repeat(count)
const MANY_LEVELS = 20_000

const mutations: readonly Mutation[] = [
  oneLevel((level) => ({ ...level, price: `-${level.price}` })),
  oneLevel((level) => ({ ...level, price: '0' })),
  oneLevel((level) => ({ ...level, price: '1e-7' })),
  oneLevel((level) => ({ ...level, price: digits(200) })),
  oneLevel((level) => ({
    ...level,
    price: `${level.price}${level.price.includes('.') ? '' : '.'}${digits(30)}`,
  })),
  oneLevel((level) => ({ ...level, total: '-1' })),
  oneLevel((level) => ({ ...level, total: `${level.total}.5` })),
  oneLevel((level) => ({ ...level, total: digits(200) })),
  oneLevel(({ price }) => ({ price })),
  oneLevel(({ price, total }) => ({ rate: price, total })),
  oneLevel((level) => ({ ...level, total: null })),
  (book) => ({ ...book, base: [...book.base].reverse(), quote: [...book.quote].reverse() }),
  (book) => ({ ...book, base: [...book.base, ...book.base] }),
  (book) => ({ base: book.quote, quote: book.base }),
  ({ base }) => ({ base }),
  (book) => ({ ...book, quote: 'none' }),
  ({ base, quote }) => ({ asks: base, bids: quote }),
  (book) => ({
    ...book,
    base: Array.from({ length: MANY_LEVELS }, (_, i) => ({ price: `1.${i}`, total: '1' })),
  }),
  () => null,
  () => [],
]

/** A book's JSON text with one thing wrong in it; which one is drawn. */
export const brokenBook = (text: string, random: Random): string => {
  const mutation = mutations[random() % mutations.length] as Mutation
  return JSON.stringify(mutation(JSON.parse(text) as Book, random))
}

/** How many ways there are to break a book. */
export const brokenBookForms = mutations.length

/** A book's JSON text with every price `percent` higher, rounded down at 18 digits. */
export function dearerBook(text: string, percent: number): string {
  const { base, quote } = JSON.parse(text) as Book
  const dearer = (level: Level): Level => {
    const price = parseDecimal(level.price)
    if (price === undefined) return level
    return { ...level, price: formatDecimal(decimal(moved(price, percent))) }
  }
  return JSON.stringify({ base: base.map(dearer), quote: quote.map(dearer) })
}

/** A simulation's JSON text that promises `percent` more, rounded down. */
export function richerSimulation(text: string, percent: number): string {
  const answer = JSON.parse(text) as { readonly returned?: string }
  if (answer.returned === undefined) return text
  return JSON.stringify({ ...answer, returned: `${moved(BigInt(answer.returned), percent)}` })
}

const moved = (amount: bigint, percent: number): bigint =>
  (amount * (ONE + (BigInt(percent) * ONE) / 100n)) / ONE
