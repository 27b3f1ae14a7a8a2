import { append } from '../../../engine/math/grouped.js'
import { textHash } from '../../../platform/encoding.js'
import { keptWith } from '../../../platform/memoize.js'
import type { Block, Chain, IndexedTx } from '../../blocks/chain.js'
import type { ChainEvent } from '../../modules/contract.js'

/** The operators that compare numbers. Those with more than 100 digits are not compared, to limit the time. */
const orders = {
  '<': (value: bigint, argument: bigint) => value < argument,
  '<=': (value: bigint, argument: bigint) => value <= argument,
  '>': (value: bigint, argument: bigint) => value > argument,
  '>=': (value: bigint, argument: bigint) => value >= argument,
} as const
const NUMBER = /^\d{1,100}$/

/** One condition on the values of a composite key such as `transfer.amount`. */
export type Condition = {
  readonly key: string
  readonly operator: '=' | keyof typeof orders
  readonly argument: string
}

/** Whether a value meets a condition: equal means the same text, an ordered value is a number. */
const meets = (value: string, { operator, argument }: Condition): boolean =>
  operator === '='
    ? value === argument
    : NUMBER.test(value) && orders[operator](BigInt(value), BigInt(argument))

/** Composite keys with all their values, in the order of the events. */
export type Tags = ReadonlyMap<string, readonly string[]>

export function tagsOf(events: readonly ChainEvent[], own: Iterable<[string, string]>): Tags {
  const tags = new Map<string, string[]>()
  for (const { type, attributes } of events)
    for (const { key, value } of attributes) append(tags, `${type}.${key}`, value)
  for (const [key, value] of own) append(tags, key, value)
  return tags
}

/** Whether a subscription's conditions are met, each by any value of its key. */
export const tagsMeet = (tags: Tags, conditions: readonly Condition[]): boolean =>
  conditions.every((condition) =>
    (tags.get(condition.key) ?? []).some((value) => meets(value, condition)),
  )

/** Whether a single event meets all conditions, as the index requires. */
export const someEventMeets = (
  events: readonly ChainEvent[],
  conditions: readonly Condition[],
): boolean =>
  conditions.length === 0 || events.some((event) => tagsMeet(tagsOf([event], []), conditions))

/** Text that is not a query. */
export class QuerySyntaxError extends Error {
  override name = 'QuerySyntaxError'
}

const KEY = String.raw`(?<key>(?!AND\b)[\p{L}\p{Nd}._-]+)`
// CometBFT also compares parts of texts, fractions, times and dates, which no client of this chain uses.
const ARGUMENT = String.raw`(?:=\s*'(?<text>[^']*)'|(?<operator><=|>=|[<>=])\s*(?<number>\d{1,100}))`
const CONDITION = String.raw`\s*${KEY}\s*${ARGUMENT}\s*(?<next>AND\b|$)`

/**
 * A query of the index or of a subscription: conditions joined by AND.
 *
 * @throws QuerySyntaxError
 */
export function parseQuery(query: string): readonly Condition[] {
  const conditions: Condition[] = []
  const pattern = new RegExp(CONDITION, 'uy')
  for (let next = 'AND'; next === 'AND'; ) {
    const at = pattern.lastIndex
    const found = pattern.exec(query)?.groups
    if (!found) throw new QuerySyntaxError(`no condition at character ${at}`)
    const { key = '', operator = '=', text, number = '' } = found
    conditions.push({ key, operator: operator as Condition['operator'], argument: text ?? number })
    next = found['next'] ?? ''
  }
  return conditions
}

const pairHash = (key: string, value: string): number => textHash(`${key}=${value}`)

/** The hashes of the keys, and of the keys with their values, of a block's transaction events. */
function digestOf(block: Block): ReadonlySet<number> {
  const numbers = new Set<number>()
  for (const { result } of block.txs)
    for (const { type, attributes } of result.events)
      for (const { key, value } of attributes) {
        numbers.add(textHash(`${type}.${key}`))
        numbers.add(pairHash(`${type}.${key}`, value))
      }
  return numbers
}

/**
 * The digests of a chain's blocks by height, from which a search sees which blocks it can skip. Blocks are stored
 * compressed: unpacking all of them for each search would block other requests.
 */
const digestsOf = keptWith((_: Chain) => new Map<number, ReadonlySet<number>>())

/** Whether the block at a height may hold a transaction that meets all conditions. */
function mayMeet(chain: Chain, height: number, conditions: readonly Condition[]): boolean {
  const digests = digestsOf(chain)
  const block = digests.has(height) ? undefined : chain.block(height)
  const digest = digests.get(height) ?? (block ? digestOf(block) : new Set())
  digests.set(height, digest)
  return conditions.every(({ key, operator, argument }) =>
    digest.has(operator === '=' ? pairHash(key, argument) : textHash(key)),
  )
}

/** The heights that satisfy the conditions on `key`, in order. */
function* heights(chain: Chain, key: string, conditions: readonly Condition[]): Iterable<number> {
  const bounds = conditions.filter((condition) => condition.key === key)
  const [exact] = bounds.filter((bound) => bound.operator === '=')
  const from = exact ? Number(exact.argument) : chain.earliest
  const to = exact ? from : chain.indexed
  for (let height = from; height <= Math.min(to, chain.indexed); height++)
    if (bounds.every((bound) => meets(String(height), bound))) yield height
}

/**
 * The indexed transactions that a query finds, oldest first.
 *
 * @throws QuerySyntaxError
 */
export function searchTxs(chain: Chain, text: string): readonly IndexedTx[] {
  const conditions = parseQuery(text)
  const byHash = conditions.find((condition) => condition.key === 'tx.hash')
  if (byHash) {
    // The index looks a hash up and ignores the other conditions.
    const found = chain.find(byHash.argument.toUpperCase())
    return found ? [found] : []
  }
  const others = conditions.filter((condition) => condition.key !== 'tx.height')
  const results: IndexedTx[] = []
  const digests = digestsOf(chain)
  for (const height of digests.keys()) if (height < chain.earliest) digests.delete(height)
  for (const height of heights(chain, 'tx.height', conditions)) {
    if (!mayMeet(chain, height, others)) continue
    const block = chain.block(height)
    block?.txs.forEach((tx, index) => {
      if (someEventMeets(tx.result.events, others)) results.push({ block, index, tx })
    })
  }
  return results
}

/**
 * The blocks that a query finds by their height, oldest first; no block has events.
 *
 * @throws QuerySyntaxError
 */
export function searchBlocks(chain: Chain, text: string): readonly Block[] {
  const conditions = parseQuery(text)
  if (conditions.some(({ key }) => key !== 'block.height')) return []
  return [...heights(chain, 'block.height', conditions)].flatMap(
    (height) => chain.block(height) ?? [],
  )
}
