import type { Pair } from '../../engine/market/pair.js'
import { decodeTerms } from '../../engine/snapshot/decode-pair.js'
import {
  isAbsent,
  items,
  type JsonCursor,
  member,
  refuse,
  text,
} from '../../engine/snapshot/json-cursor.js'
import { type Question, smartQuery } from './questions.js'
import { itemsUpTo } from './wire.js'

/** The members of a pair's config that the reader needs; every version has them. */
export type PairConfig = Pick<
  Pair,
  'base' | 'quote' | 'tick' | 'takerFee' | 'makerFee' | 'oracles'
> & {
  /** Without duplicates, in the order in which the contract queries them. */
  readonly makers: readonly string[]
}

/** Most makers of a pair; longer lists are refused. */
const MOST_MAKERS = 64

/**
 * A pair's `config` answer. Version 1.0 has one maker or none, later ones a list; oracles are absent,
 * null, or two assets. Members that other versions add are ignored.
 *
 * @throws MalformedDocument
 */
export function decodeConfig(node: JsonCursor): PairConfig {
  const [base, quote, ...more] = items(member(node, 'denoms')).map(text)
  if (base === undefined || quote === undefined || more.length > 0)
    return refuse(member(node, 'denoms'), 'must be two denoms')
  if (base === quote) return refuse(member(node, 'denoms'), 'must be two different denoms')
  return {
    base,
    quote,
    ...decodeTerms(node),
    makers: decodeMakers(node),
  }
}

function decodeMakers(node: JsonCursor): readonly string[] {
  const [single, several] = [member(node, 'market_maker'), member(node, 'market_makers')]
  if (isAbsent(several)) return isAbsent(single) ? [] : [text(single)]
  return [...new Set(itemsUpTo(several, MOST_MAKERS, 'makers').map(text))].sort()
}

/** A pair's own configuration. */
export const pairConfig = (address: string): Question<PairConfig> =>
  smartQuery(address, { config: {} }, decodeConfig)

/** A contract's version, stored under `contract_info` (CW2). @throws MalformedDocument */
export const decodeVersion = (node: JsonCursor): string => text(member(node, 'version'))
