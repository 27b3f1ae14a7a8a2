import type { Json } from '../../engine/errors.js'
import { type Decimal, ONE } from '../../engine/math/decimal.js'
import {
  decimalOf,
  integer,
  isAbsent,
  items,
  type JsonCursor,
  member,
  refuse,
  text,
} from '../../engine/snapshot/json-cursor.js'

/** The members of a pair's config that every version has and the reader needs. */
export type PairConfig = {
  readonly base: string
  readonly quote: string
  /** Significant figures of a price. */
  readonly tick: number
  readonly takerFee: Decimal
  readonly makerFee: Decimal
  /** Each once, in the order in which the contract asks them. */
  readonly makers: readonly string[]
  readonly oracles: readonly [Json, Json] | null
}

/** More makers than any pair has. */
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
    tick: integer(member(node, 'tick'), 1, 38),
    takerFee: share(member(node, 'fee_taker')),
    makerFee: share(member(node, 'fee_maker')),
    makers: decodeMakers(node),
    oracles: decodeOracles(member(node, 'oracles')),
  }
}

function share(node: JsonCursor): Decimal {
  const fee = decimalOf(node)
  return fee < ONE ? fee : refuse(node, 'must be a share below 1')
}

function decodeMakers(node: JsonCursor): readonly string[] {
  const [one, many] = [member(node, 'market_maker'), member(node, 'market_makers')]
  if (isAbsent(many)) return isAbsent(one) ? [] : [text(one)]
  const makers = items(many).map(text)
  if (makers.length > MOST_MAKERS) return refuse(many, `must be at most ${MOST_MAKERS} makers`)
  return [...new Set(makers)].sort()
}

function decodeOracles(node: JsonCursor): PairConfig['oracles'] {
  if (isAbsent(node)) return null
  const [first, second, ...more] = items(node)
  if (first === undefined || second === undefined || more.length > 0)
    return refuse(node, 'must be null or two assets')
  return [first.value as Json, second.value as Json]
}

/** What a contract keeps under `contract_info`: its name and version, by CW2. */
export type ContractVersion = { readonly contract: string; readonly version: string }

/** @throws MalformedDocument */
export const decodeVersion = (node: JsonCursor): ContractVersion => ({
  contract: text(member(node, 'contract')),
  version: text(member(node, 'version')),
})
