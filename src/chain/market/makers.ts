import type { MakerLevel } from '../../engine/market/pair.js'
import { formatDecimal } from '../../engine/math/decimal.js'
import {
  amount,
  decimalOf,
  isAbsent,
  items,
  type JsonCursor,
  member,
  refuse,
  text,
} from '../../engine/snapshot/json-cursor.js'
import type { PairConfig } from '../queries/config.js'
import { type Ask, answered } from '../queries/query-batch.js'
import { smart } from '../queries/questions.js'

/** Levels a side that are read from a maker without a strategy: one query each. */
const LEVELS = 40

/** Addresses of makers that refuse the `strategy` query; they are not asked again. */
export type UnreadableMakers = Set<string>

/**
 * A maker as the snapshot has it: its strategy; or its levels, where it only answers quotes; or
 * nothing, where it answers neither: then to the contract it has no levels.
 *
 * @throws Unreadable where an answer is malformed
 */
export async function readMaker(
  ask: Ask,
  address: string,
  pair: PairConfig,
  unreadableMakers: UnreadableMakers,
): Promise<object> {
  if (!unreadableMakers.has(address)) {
    const reply = await ask(smart(address, { strategy: {} }, decodeStrategy))
    if (reply.kind === 'malformed') answered(reply, `the strategy of ${address}`)
    if (reply.kind === 'answered' && reply.value) return { address, strategy: reply.value }
    unreadableMakers.add(address)
  }
  const [asks, bids] = await Promise.all([
    readLevels(ask, address, pair.quote, pair.base),
    readLevels(ask, address, pair.base, pair.quote),
  ])
  if (asks === undefined && bids === undefined) return { address }
  return {
    address,
    levels: { base: levelsOf(asks), quote: levelsOf(bids) },
    levels_truncated: { base: isCut(asks), quote: isCut(bids) },
  }
}

const levelsOf = (levels: readonly MakerQuote[] = []): readonly object[] =>
  levels.map(({ price, size }) => ({ price: formatDecimal(price), size: `${size}` }))

const isCut = (levels: readonly MakerQuote[] = []): boolean => levels.length === LEVELS

/** Level after level, each asked for with what the one before it left; none where it refuses. */
async function readLevels(
  ask: Ask,
  address: string,
  offered: string,
  asked: string,
): Promise<readonly MakerQuote[] | undefined> {
  const levels: MakerQuote[] = []
  while (levels.length < LEVELS) {
    const last = levels.at(-1)
    const message = {
      quote: {
        min_price: last === undefined ? null : formatDecimal(last.price),
        offer_denom: offered,
        ask_denom: asked,
        data: last?.data ?? null,
      },
    }
    const reply = await ask(smart(address, message, decodeQuote))
    if (reply.kind === 'refused') return levels.length === 0 ? undefined : levels
    const level = answered(reply, `a quote of ${address}`)
    if (level === undefined) return levels
    levels.push(level)
    if (level.data === undefined) return levels
  }
  return levels
}

/** A maker's `strategy` as the snapshot keeps it, or `undefined` for a kind that is not known. */
type Strategy = { readonly xyk: readonly [config: object, state: object] }

/**
 * A maker's `strategy` answer: of a constant-product maker what its levels follow from. Other kinds
 * are `undefined`, to be asked for quotes.
 *
 * @throws MalformedDocument
 */
export function decodeStrategy(node: JsonCursor): Strategy | undefined {
  const xyk = member(node, 'xyk')
  if (isAbsent(xyk)) return undefined
  const [config, state, ...more] = items(xyk)
  if (config === undefined || state === undefined || more.length > 0)
    return refuse(xyk, 'must be [configuration, state]')
  const plain = (from: JsonCursor, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, member(from, name).value]))
  for (const name of ['x', 'y']) text(member(config, name))
  for (const name of ['step', 'fee']) decimalOf(member(config, name))
  for (const name of ['x', 'y']) amount(member(state, name))
  amount(member(config, 'min_quote'))
  return {
    xyk: [
      plain(config, ['x', 'y', 'step', 'min_quote', 'fee']),
      plain(state, ['x', 'y', 'k', 'shares']),
    ],
  }
}

/** One answer of a maker's `quote` query. */
type MakerQuote = MakerLevel & {
  /** Handed back to be given the next level; absent when there is none. */
  readonly data: string | undefined
}

/** A maker's `quote` answer: a level, or `undefined` behind the last one. @throws MalformedDocument */
export function decodeQuote(node: JsonCursor): MakerQuote | undefined {
  if (isAbsent(node)) return undefined
  const price = decimalOf(member(node, 'price'))
  if (price === 0n) return refuse(member(node, 'price'), 'must be above zero')
  const data = member(node, 'data')
  return {
    price,
    size: amount(member(node, 'size')),
    data: isAbsent(data) ? undefined : text(data),
  }
}
