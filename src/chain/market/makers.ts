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
import type { PairConfig } from '../queries/pair.js'
import { type Ask, requireAnswer } from '../queries/query-batch.js'
import { smartQuery } from '../queries/questions.js'

/** Most levels a side that are read from a maker without a known strategy, one query each. */
const LEVELS = 40

/** Addresses of makers that refuse the `strategy` query or answer another than `xyk`; it is not sent to them again. */
export type UnreadableMakers = Set<string>

/**
 * The entry of a maker in the snapshot: its strategy; its levels if it only answers quotes; neither if it refuses both,
 * since then the pair contract gets no levels from it either.
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
    const reply = await ask(smartQuery(address, { strategy: {} }, decodeStrategy))
    if (reply.kind === 'malformed') requireAnswer(reply, `the strategy of ${address}`)
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

/** Reads levels one by one, each query with price and data of the previous level. `undefined` if the first is refused. */
async function readLevels(
  ask: Ask,
  address: string,
  offered: string,
  wanted: string,
): Promise<readonly MakerQuote[] | undefined> {
  const levels: MakerQuote[] = []
  while (levels.length < LEVELS) {
    const last = levels.at(-1)
    const message = {
      quote: {
        min_price: last === undefined ? null : formatDecimal(last.price),
        offer_denom: offered,
        ask_denom: wanted,
        data: last?.data ?? null,
      },
    }
    const reply = await ask(smartQuery(address, message, decodeQuote))
    if (reply.kind === 'refused') return levels.length === 0 ? undefined : levels
    const level = requireAnswer(reply, `a quote of ${address}`)
    if (level === undefined) return levels
    levels.push(level)
    if (level.data === undefined) return levels
  }
  return levels
}

/** A maker's `strategy` as the snapshot stores it. */
type Strategy = { readonly xyk: readonly [config: object, state: object] }

/**
 * A maker's `strategy` answer: the parameters that determine the levels of a constant-product maker. `undefined` for
 * other kinds, whose levels are read as quotes.
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
  /** The cursor of the next level, passed back in the next query; `undefined` for the last level. */
  readonly data: string | undefined
}

/** A maker's `quote` answer; `undefined` if there are no more levels. @throws MalformedDocument */
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
