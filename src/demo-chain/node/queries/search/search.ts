import type { Block, BlockTx } from '../../../blocks/block.js'
import type { Chain } from '../../../blocks/chain.js'
import { digestsOf } from './digests.js'
import { type Condition, parseQuery } from './language.js'
import { meetsAsIndexed, someEventMeets } from './match.js'
import { QueryTextError } from './scanner.js'

/** A transaction where it stands. */
export type Found = {
  readonly block: Block
  readonly index: number
  readonly tx: BlockTx
}

/** Longest query that the node reads. */
export const MAX_QUERY = 512

/** @throws QueryTextError */
function conditionsOf(text: string): readonly Condition[] {
  if (Buffer.byteLength(text) > MAX_QUERY) throw new QueryTextError('maximum query length exceeded')
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
    if (bounds.every((bound) => meetsAsIndexed(String(height), bound))) yield height
}

const foundAt = (chain: Chain, hash: string): Found | undefined => {
  const found = chain.find(hash)
  const tx = found?.block.txs[found.index]
  return found && tx && { ...found, tx }
}

/**
 * The indexed transactions that a query finds, oldest first.
 *
 * @throws QueryTextError
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

function hashOf(text: string): string {
  const wrong = /[^0-9a-fA-F]/u.exec(text)?.[0]
  const prefix = 'error during searching for a hash in the query: encoding/hex:'
  if (wrong !== undefined) throw new QueryTextError(`${prefix} invalid byte: ${goRune(wrong)}`)
  if (text.length % 2 === 1) throw new QueryTextError(`${prefix} odd length hex string`)
  return text.toUpperCase()
}

/** A character as Go's %#U prints it. */
export const goRune = (char: string): string => {
  const point = char.codePointAt(0) ?? 0
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')} '${char}'`
}

/**
 * The blocks whose own events a query finds, oldest first.
 *
 * @throws QueryTextError
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
