import type { AffiliateRounding, Dialect } from '../../engine/market/market.js'
import type { Denom, Token } from '../../engine/market/token.js'
import type { Decimal } from '../../engine/math/decimal.js'
import type { Network } from '../networks/network.js'
import type { Ask } from '../queries/query-batch.js'
import type { Source } from '../rpc/query-source.js'
import type { ContractLabels, PairContract, RouterContract } from './pair-config.js'
import type { PairCache } from './read-pair.js'

/** Heights for which configurations and fallback modes are kept: both can change at any block. */
const CONTRACT_AGE = 10
/** Heights for which books, labels of contracts, the consensus parameters and the gas price are kept. */
const PAIRS_AGE = 100

/** The context of a read at one height. */
export type Reading = {
  readonly network: Network
  readonly source: Source
  readonly cache: ReaderCache
  readonly ask: Ask
  readonly height: number
}

/** A value that is cached for some heights after the one at which it was read. */
class Recent<T> {
  #known: { readonly value: T; readonly height: number } | undefined

  constructor(readonly age: number) {}

  /** The cached value, or the result of `read`, which gets the one that has expired. */
  async at(height: number, read: (expired: T | undefined) => Promise<T>): Promise<T> {
    const cached = this.#known
    if (cached !== undefined && isValidAt(cached.height, height, this.age)) return cached.value
    const value = await read(cached?.value)
    this.#known = { value, height }
    return value
  }
}

/** The data that a market reader keeps between reads. */
export class ReaderCache {
  /** The list of pairs that was read last. */
  listedPairs: { readonly addresses: readonly string[]; readonly height: number } | undefined
  readonly contractLabels = new Recent<ContractLabels>(PAIRS_AGE)
  readonly router = new Recent<RouterContract>(CONTRACT_AGE)
  /** From the consensus parameters; `undefined` if they have no limit, or the node does not report them. */
  readonly gasLimit = new Recent<bigint | undefined>(PAIRS_AGE)
  /** The minimum of the node; 0 if it reports none in the network's denom. */
  readonly gasPrice = new Recent<Decimal>(PAIRS_AGE)
  readonly tokens = new Map<Denom, Token>()
  /** By the router's address and code: another code may have another dialect. */
  readonly dialects = new Map<string, Dialect>()
  /** By the same key, for builds without a table entry; an unknown rounding is detected again after some heights. */
  readonly roundings = new Map<
    string,
    { readonly rounding: AffiliateRounding | undefined; readonly retryAtHeight: number }
  >()
  /** Height of the last read. */
  lastHeight: number | undefined
  readonly #contracts = new Map<string, PairContract>()
  readonly #pairs = new Map<string, PairCache>()

  pairContract(address: string, height: number): PairContract | undefined {
    const contract = this.#contracts.get(address)
    return contract && isCurrentAt(contract, height, CONTRACT_AGE) ? contract : undefined
  }

  /** Stores a contract; one that was read again resets the self-test of its pair. */
  setPairContract(contract: PairContract): void {
    const pair = this.#pairs.get(contract.address)
    if (pair !== undefined && this.#contracts.get(contract.address) !== contract)
      pair.isTested = false
    this.#contracts.set(contract.address, contract)
  }

  /** The cache of a pair; one that is not read in the best mode is reset after some heights. */
  pair(address: string, height: number): PairCache {
    const cached = this.#pairs.get(address)
    if (cached?.why !== undefined) cached.since ??= height
    const isCurrent = cached !== undefined && isCurrentAt(cached, height, PAIRS_AGE)
    if (isCurrent && (cached.since === undefined || isValidAt(cached.since, height, CONTRACT_AGE)))
      return cached
    const created: PairCache = {
      address,
      height,
      mode: 'storage',
      why: undefined,
      since: undefined,
      fit: isCurrent ? cached.fit : undefined,
      isTested: false,
      unreadableMakers: new Set(),
      kept: undefined,
    }
    this.#pairs.set(address, created)
    return created
  }
}

/** Whether a value is valid at a height. One that was read at a later height may not be. */
const isValidAt = (readHeight: number, height: number, age: number): boolean =>
  readHeight <= height && height - readHeight < age

type OfPair = { readonly address: string; readonly height: number }

/**
 * Whether a value of a pair is valid at a height, for `age` heights at most. The values of each pair expire at heights
 * of its own, so that a read renews those of some pairs, instead of all pairs at once.
 */
function isCurrentAt(
  { address, height: readHeight }: OfPair,
  height: number,
  age: number,
): boolean {
  let shift = 0
  for (const letter of address) shift = (shift * 31 + letter.charCodeAt(0)) % age
  const periodOf = (each: number) => Math.floor((each + shift) / age)
  return readHeight <= height && periodOf(readHeight) === periodOf(height)
}
