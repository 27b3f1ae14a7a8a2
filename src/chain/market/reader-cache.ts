import type { Book } from '../../engine/market/book.js'
import type { AffiliateRounding, Dialect } from '../../engine/market/market.js'
import type { Denom, Token } from '../../engine/market/token.js'
import type { Network } from '../networks/network.js'
import type { Ask } from '../queries/query-batch.js'
import type { Source } from '../rpc/query-source.js'
import type { UnreadableMakers } from './makers.js'
import type { PairContract, RouterContract } from './pair-config.js'
import type { PairCache } from './read-pair.js'

/** Heights for which configurations are kept: they can change without notice. */
const CONTRACT_AGE = 10
/** Heights for which the list of pairs and their read modes are kept. */
const PAIRS_AGE = 100

/** What a read of one height works with. */
export type Reading = {
  readonly network: Network
  readonly source: Source
  readonly cache: ReaderCache
  readonly ask: Ask
  readonly height: number
}

/** A book of the last read, and the contract that it was read with. */
export type KeptBook = { readonly book: Book; readonly facts: PairContract }

/** A value that holds for some heights after the one at which it was read. */
class Recent<T> {
  #known: { readonly value: T; readonly height: number } | undefined

  constructor(readonly age: number) {}

  /** The value at a height: the known one, or what `read` gives. */
  async at(height: number, read: () => Promise<T>): Promise<T> {
    const known = this.#known
    if (known !== undefined && holds(known.height, height, this.age)) return known.value
    const value = await read()
    this.#known = { value, height }
    return value
  }
}

/** What a market reader keeps from one read to the next. */
export class ReaderCache {
  readonly addresses = new Recent<readonly string[]>(PAIRS_AGE)
  readonly router = new Recent<RouterContract>(CONTRACT_AGE)
  /** Of the consensus parameters; `undefined` where they name none, or are not told. */
  readonly gasLimit = new Recent<bigint | undefined>(PAIRS_AGE)
  readonly tokens = new Map<Denom, Token>()
  /** By the router's address and code: another code may understand another dialect. */
  readonly dialects = new Map<string, Dialect>()
  /** By the same key, of builds that no table names; an unknown rounding is tried again at a height. */
  readonly roundings = new Map<
    string,
    { readonly rounding: AffiliateRounding | undefined; readonly again: number }
  >()
  readonly unreadableMakers: UnreadableMakers = new Set()
  /** The last read: its height, and the books of which everything is known. */
  last: { readonly height: number; readonly books: ReadonlyMap<string, KeptBook> } | undefined
  /** Denoms of unreadable pairs, from the labels of their contracts. */
  readonly labels = new Map<string, readonly Denom[]>()
  readonly #contracts = new Map<string, PairContract>()
  readonly #pairs = new Map<string, PairCache>()

  /** Clears what is kept of each pair. */
  forgetPairs(): void {
    this.#pairs.clear()
    this.unreadableMakers.clear()
  }

  pairContract(address: string, height: number): PairContract | undefined {
    const facts = this.#contracts.get(address)
    return facts && holds(facts.height, height, CONTRACT_AGE) ? facts : undefined
  }

  /** A contract that was read again resets the self-test of its pair. */
  setPairContract(facts: PairContract): void {
    const pair = this.#pairs.get(facts.address)
    if (pair !== undefined && this.#contracts.get(facts.address) !== facts) pair.isTested = false
    this.#contracts.set(facts.address, facts)
  }

  /** The cache of a pair; a pair that is not read in the best mode is reset after some heights. */
  pair(address: string, height: number): PairCache {
    const known = this.#pairs.get(address)
    if (known?.why !== undefined) known.since ??= height
    if (
      known !== undefined &&
      (known.since === undefined || holds(known.since, height, CONTRACT_AGE))
    )
      return known
    const fresh: PairCache = {
      way: 'storage',
      why: undefined,
      since: undefined,
      fit: known?.fit,
      isTested: false,
    }
    this.#pairs.set(address, fresh)
    return fresh
  }
}

/** A value that was read at a later height may not hold at an earlier one. */
const holds = (read: number, height: number, age: number): boolean =>
  read <= height && height - read < age
