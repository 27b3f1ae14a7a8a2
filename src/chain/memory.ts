import type { Dialect } from '../market/market.js'
import type { Denom, Token } from '../market/token.js'
import type { PairFacts, RouterFacts } from './facts.js'
import type { Taciturn } from './makers.js'
import type { PairMemory } from './read-pair.js'

/** Heights for which configurations hold: they can change without any sign of it. */
const FACTS_AGE = 10
/** Heights for which the list of pairs holds, and what was learnt of how to read them. */
const PAIRS_AGE = 100

/** What one read learns for the next. */
export class ReaderMemory {
  readonly tokens = new Map<Denom, Token>()
  /** By the router's address and code: another code may understand another dialect. */
  readonly dialects = new Map<string, Dialect>()
  readonly taciturn: Taciturn = new Set()
  readonly #facts = new Map<string, PairFacts>()
  readonly #pairs = new Map<string, PairMemory>()
  #router: RouterFacts | undefined
  #addresses: { readonly list: readonly string[]; readonly height: number } | undefined

  addresses(height: number): readonly string[] | undefined {
    const known = this.#addresses
    return known && holds(known.height, height, PAIRS_AGE) ? known.list : undefined
  }

  /** Begins anew with the pairs that exist now. */
  setAddresses(list: readonly string[], height: number): void {
    this.#addresses = { list, height }
    this.#pairs.clear()
    this.taciturn.clear()
  }

  facts(address: string, height: number): PairFacts | undefined {
    const facts = this.#facts.get(address)
    return facts && holds(facts.height, height, FACTS_AGE) ? facts : undefined
  }

  setFacts(facts: PairFacts): void {
    this.#facts.set(facts.address, facts)
  }

  router(height: number): RouterFacts | undefined {
    const facts = this.#router
    return facts && holds(facts.height, height, FACTS_AGE) ? facts : undefined
  }

  setRouter(facts: RouterFacts): void {
    this.#router = facts
  }

  pair(address: string): PairMemory {
    const known = this.#pairs.get(address)
    if (known !== undefined) return known
    const fresh: PairMemory = { way: 'storage', why: undefined, fits: undefined, isTested: false }
    this.#pairs.set(address, fresh)
    return fresh
  }
}

/** What was read later than the height that is asked for may not have been so then. */
const holds = (read: number, height: number, age: number): boolean =>
  read <= height && height - read < age
