import type { Dialect } from '../../engine/market/market.js'
import type { Denom, Token } from '../../engine/market/token.js'
import type { Taciturn } from './makers.js'
import type { PairFacts, RouterFacts } from './pair-config.js'
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
  /** Denoms of pairs that answered nothing, by what their labels tell. */
  readonly labels = new Map<string, readonly Denom[]>()
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

  /** With what is read anew of a pair, everything about it is looked at closely once more. */
  setFacts(facts: PairFacts): void {
    const pair = this.#pairs.get(facts.address)
    if (pair !== undefined && this.#facts.get(facts.address) !== facts) pair.isTested = false
    this.#facts.set(facts.address, facts)
  }

  router(height: number): RouterFacts | undefined {
    const facts = this.#router
    return facts && holds(facts.height, height, FACTS_AGE) ? facts : undefined
  }

  setRouter(facts: RouterFacts): void {
    this.#router = facts
  }

  /** What is known of a pair. One that was not read in the best way gets another chance in time. */
  pair(address: string, height: number): PairMemory {
    const known = this.#pairs.get(address)
    if (known?.why !== undefined) known.since ??= height
    if (known !== undefined && (known.since === undefined || holds(known.since, height, FACTS_AGE)))
      return known
    const fresh: PairMemory = {
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

/** What was read later than the height that is asked for may not have been so then. */
const holds = (read: number, height: number, age: number): boolean =>
  read <= height && height - read < age
