import type { Block, BlockTx } from '../../blocks/block.js'
import type { Chain } from '../../blocks/chain.js'
import { type Condition, meets, parseQuery, QuerySyntaxError, someEventMeets } from './match.js'

/** Pages that so many entries fill; none fill one, as CometBFT counts. */
export const pageCount = (entries: number, perPage: bigint): bigint =>
  entries === 0 ? 1n : (BigInt(entries) - 1n) / perPage + 1n

/** A number for a text; different texts rarely share one (FNV-1a, 32 bits). */
function numberOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

const pairNumber = (key: string, value: string): number => numberOf(`${key}=${value}`)

/** The hashes of the keys, and of the keys with their values, of a block's transaction events. */
function digestOf(block: Block): ReadonlySet<number> {
  const numbers = new Set<number>()
  for (const { result } of block.txs)
    for (const { type, attributes } of result.events)
      for (const { key, value } of attributes) {
        numbers.add(numberOf(`${type}.${key}`))
        numbers.add(pairNumber(`${type}.${key}`, value))
      }
  return numbers
}

/**
 * Tells which blocks a search can skip. A chain keeps its blocks packed: unpacking all of them for each
 * search would block the other requests.
 */
class Digests {
  readonly #kept = new Map<number, ReadonlySet<number>>()
  #from = 0

  constructor(readonly chain: Chain) {}

  /** Whether the block at a height may hold a transaction that meets all conditions. */
  mayMeet(height: number, conditions: readonly Condition[]): boolean {
    const digest = this.#at(height)
    return conditions.every(({ key, operator, argument }) =>
      digest.has(
        operator === '=' && argument !== undefined ? pairNumber(key, argument.text) : numberOf(key),
      ),
    )
  }

  #at(height: number): ReadonlySet<number> {
    for (; this.#from < this.chain.earliest; this.#from++) {
      if (this.#kept.size === 0) this.#from = this.chain.earliest - 1
      this.#kept.delete(this.#from)
    }
    const kept = this.#kept.get(height)
    if (kept) return kept
    const block = this.chain.block(height)
    const digest = block ? digestOf(block) : new Set<number>()
    this.#kept.set(height, digest)
    return digest
  }
}

const known = new WeakMap<Chain, Digests>()

/** The digests of a chain, made as searches need them. */
function digestsOf(chain: Chain): Digests {
  const found = known.get(chain) ?? new Digests(chain)
  known.set(chain, found)
  return found
}

/** A transaction with its block and its index in it. */
export type Found = {
  readonly block: Block
  readonly index: number
  readonly tx: BlockTx
}

/** Longest query that the node reads. */
export const MAX_QUERY = 512

/** @throws QuerySyntaxError */
function conditionsOf(text: string): readonly Condition[] {
  if (Buffer.byteLength(text) > MAX_QUERY)
    throw new QuerySyntaxError('maximum query length exceeded')
  return parseQuery(text)
}

/** The heights that the conditions on `key` leave, in order. */
function* heights(
  chain: Chain,
  key: string,
  conditions: readonly Condition[],
  newest: number,
): Iterable<number> {
  const bounds = conditions.filter((condition) => condition.key === key)
  const [exact] = bounds.filter((bound) => bound.operator === '=')
  const from = exact?.argument ? Number(exact.argument.text) : chain.earliest
  const to = exact ? from : newest
  for (let height = Math.max(from, chain.earliest); height <= Math.min(to, newest); height++)
    if (bounds.every((bound) => meets(String(height), bound))) yield height
}

const foundAt = (chain: Chain, hash: string): Found | undefined => {
  const found = chain.find(hash)
  const tx = found?.block.txs[found.index]
  return found && tx && { ...found, tx }
}

/**
 * The indexed transactions that a query finds, oldest first.
 *
 * @throws QuerySyntaxError
 */
export function searchTxs(chain: Chain, text: string): readonly Found[] {
  const conditions = conditionsOf(text)
  const byHash = conditions.find((condition) => condition.key === 'tx.hash')
  if (byHash) {
    // The index looks a hash up and forgets the other conditions.
    const found = foundAt(chain, hashOf(byHash.argument?.text ?? ''))
    return found ? [found] : []
  }
  const others = conditions.filter((condition) => condition.key !== 'tx.height')
  const results: Found[] = []
  const digests = digestsOf(chain)
  for (const height of heights(chain, 'tx.height', conditions, chain.indexed)) {
    if (!digests.mayMeet(height, others)) continue
    const block = chain.block(height)
    block?.txs.forEach((tx, index) => {
      if (someEventMeets(tx.result.events, others)) results.push({ block, index, tx })
    })
  }
  return results
}

/** @throws QuerySyntaxError */
function hashOf(text: string): string {
  if (/^(?:[0-9a-fA-F]{2})*$/.test(text)) return text.toUpperCase()
  throw new QuerySyntaxError('error during searching for a hash in the query: it is not hex')
}

/**
 * The blocks whose own events a query finds, oldest first.
 *
 * @throws QuerySyntaxError
 */
export function searchBlocks(chain: Chain, text: string): readonly Block[] {
  const conditions = conditionsOf(text)
  const others = conditions.filter((condition) => condition.key !== 'block.height')
  const results: Block[] = []
  for (const height of heights(chain, 'block.height', conditions, chain.indexed)) {
    const block = chain.block(height)
    if (block && someEventMeets(block.events, others)) results.push(block)
  }
  return results
}
