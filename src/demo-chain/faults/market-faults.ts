import { decimal, formatDecimal, parseDecimal } from '../../engine/math/decimal.js'
import type { Random } from '../market/random.js'
import { type Contract, ContractError } from '../modules/contract.js'
import { pairContracts } from '../modules/dispatch.js'
import type { Reader } from '../store/state.js'
import { changedChain, type Fault, type FaultKind, faultsOf, type ViewChange } from './fault.js'

/** A level in a pair's `book` answer. */
type Level = { readonly price: string; readonly total: string }
type Book = { readonly base: readonly Level[]; readonly quote: readonly Level[] }

type Mutation = (book: Book, random: Random) => unknown

/** Changes one level of a side, or adds one to an empty side. */
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

/** A book's JSON text with one randomly chosen defect. */
export const brokenBook = (text: string, random: Random): string => {
  const mutation = mutations[random() % mutations.length] as Mutation
  return JSON.stringify(mutation(JSON.parse(text) as Book, random))
}

/** A book's JSON text with every price `percent` higher, rounded down at 18 digits. */
export function dearerBook(text: string, percent: number): string {
  const { base, quote } = JSON.parse(text) as Book
  const dearer = (level: Level): Level => {
    const price = parseDecimal(level.price)
    if (price === undefined) return level
    return { ...level, price: formatDecimal(decimal(movedBy(price, percent))) }
  }
  return JSON.stringify({ base: base.map(dearer), quote: quote.map(dearer) })
}

/** A simulation's JSON text with `percent` more output, rounded down. */
function richerSimulation(text: string, percent: number): string {
  const answer = JSON.parse(text) as { readonly returned?: string }
  if (answer.returned === undefined) return text
  return JSON.stringify({ ...answer, returned: `${movedBy(BigInt(answer.returned), percent)}` })
}

const movedBy = (amount: bigint, percent: number): bigint =>
  (amount * (100n + BigInt(percent))) / 100n

/** Changes a contract's answer. `honest` runs the real query. */
type AnswerChange = (
  honest: () => string,
  call: Parameters<Contract['query']>[0],
  message: string,
) => string

/** Changes the answers of the contracts that a fault touches. */
const querying = (
  touches: (state: Reader, address: string, fault: Fault) => boolean,
  changeOf: (fault: Fault, random: Random) => AnswerChange,
) => {
  const show: ViewChange = (chain, fault, random) => {
    const change = changeOf(fault, random)
    const machineAt = (height: number) => {
      const machine = chain.machineAt(height)
      return {
        ...machine,
        contractAt(state: Reader, address: string): Contract | undefined {
          const contract = machine.contractAt(state, address)
          if (!contract || !touches(state, address, fault)) return contract
          return {
            ...contract,
            query: (call, message) => change(() => contract.query(call, message), call, message),
          }
        },
      }
    }
    return changedChain(chain, { machineAt })
  }
  return { at: 'view', show } as const
}

/** Whether a contract of the chain is a pair. */
export const isPair = (state: Reader, address: string): boolean =>
  pairContracts(state).includes(address)
/** Whether a contract is the pair of a fault: the named one, or one chosen by the seed. */
function isChosen(state: Reader, address: string, { pair, seed }: Fault): boolean {
  const pairs = pairContracts(state).toSorted()
  return address === (pair ?? pairs[seed % Math.max(1, pairs.length)])
}
/** Whether a fault applies to a pair: the named one, or every pair. */
const isAbout = (state: Reader, address: string, { pair }: Fault): boolean =>
  pair === undefined ? isPair(state, address) : address === pair

const noConfig = (): never => {
  throw new ContractError(
    'type: rujira_fin::config::Config; key: [63, 6F, 6E, 66, 69, 67] not found',
  )
}

const asksFor = (message: string, what: string): boolean => message.startsWith(`{"${what}"`)

const ofMarket = faultsOf('market')

/** Faults of contract queries, including nested ones; transactions are not affected. */
export const marketFaults: readonly FaultKind[] = [
  ofMarket(
    'pair-fails',
    'the queries of one pair fail (--pair, or one that is drawn)',
    'quotes from the rest; the pair is listed as left out',
    querying(isChosen, () => noConfig),
  ),
  ofMarket(
    'pairs-fail',
    'the queries of all pairs but one fail',
    'not ready: too few pairs can be read',
    querying(
      (state, address, fault) => isPair(state, address) && !isChosen(state, address, fault),
      () => noConfig,
    ),
  ),
  ofMarket(
    'bad-book',
    'books are malformed, each in another way (--pair for one)',
    'the pair is left out as a whole, with the reason',
    querying(isAbout, (_fault, random) => (honest, _call, message) => {
      const text = honest()
      return asksFor(message, 'book') ? brokenBook(text, random) : text
    }),
  ),
  ofMarket(
    'lying-book',
    'prices and simulations are off by some percent (--pair for one)',
    'another node disagrees: not ready; with one node a minimum of your own (--min-out)',
    querying(isAbout, ({ n }) => (honest, _call, message) => {
      const text = honest()
      if (asksFor(message, 'book')) return dearerBook(text, n)
      return asksFor(message, 'simulate') ? richerSimulation(text, n) : text
    }),
    { meaning: 'percent', fallback: 1, least: 1, most: 100_000 },
  ),
  ofMarket(
    'out-of-gas',
    'queries of contracts run out of gas (--pair for one)',
    'fewer levels at a time; else the pair is left out',
    querying(isAbout, () => (_honest, { gas }) => {
      gas.charge(gas.limit - gas.used + 229n, 'wasm contract')
      throw new ContractError('out of gas')
    }),
  ),
]
