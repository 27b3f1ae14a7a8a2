import type { Maker, MakerLevel, QuotedMaker, XykMaker } from '../market/pair.js'
import { ONE } from '../math/decimal.js'
import {
  amount,
  decimalOf,
  flag,
  isAbsent,
  items,
  type JsonCursor,
  member,
  refuse,
  text,
} from './json-cursor.js'

/** The makers of a pair in address order, whatever their order in the document. */
export function decodeMakers(node: JsonCursor): readonly Maker[] {
  const makers = items(node).map(decodeMaker)
  const sorted = makers.toSorted((a, b) => (a.address < b.address ? -1 : 1))
  const duplicate = sorted.find((maker, i) => maker.address === sorted[i + 1]?.address)
  return duplicate === undefined ? sorted : refuse(node, `lists maker ${duplicate.address} twice`)
}

function decodeMaker(node: JsonCursor): Maker {
  const address = text(member(node, 'address'))
  const strategy = member(node, 'strategy')
  if (!isAbsent(strategy)) return decodeXyk(address, member(strategy, 'xyk'))
  const levels = member(node, 'levels')
  return isAbsent(levels)
    ? { kind: 'silent', address }
    : decodeQuoted(address, levels, member(node, 'levels_truncated'))
}

/** The contract takes no smaller step; one would make a ladder of millions of levels. */
const LEAST_STEP = ONE / 10_000n

function decodeXyk(address: string, node: JsonCursor): XykMaker {
  const [config, state, ...more] = items(node)
  if (config === undefined || state === undefined || more.length > 0)
    return refuse(node, 'must be [configuration, state]')
  const maker: XykMaker = {
    kind: 'xyk',
    address,
    x: text(member(config, 'x')),
    y: text(member(config, 'y')),
    step: decimalOf(member(config, 'step')),
    minQuote: amount(member(config, 'min_quote')),
    fee: decimalOf(member(config, 'fee')),
    reserveX: amount(member(state, 'x')),
    reserveY: amount(member(state, 'y')),
  }
  if (maker.step < LEAST_STEP) return refuse(member(config, 'step'), 'must be at least 0.0001')
  if (maker.fee >= ONE) return refuse(member(config, 'fee'), 'must be a share below 1')
  return maker
}

function decodeQuoted(address: string, levels: JsonCursor, truncated: JsonCursor): QuotedMaker {
  const isTruncated = (name: string) =>
    isAbsent(truncated) ? false : flag(member(truncated, name))
  return {
    kind: 'quoted',
    address,
    asks: items(member(levels, 'base')).map(decodeLevel),
    bids: items(member(levels, 'quote')).map(decodeLevel),
    asksTruncated: isTruncated('base'),
    bidsTruncated: isTruncated('quote'),
    stale: false,
  }
}

function decodeLevel(node: JsonCursor): MakerLevel {
  const price = decimalOf(member(node, 'price'))
  if (price === 0n) return refuse(member(node, 'price'), 'must be above zero')
  return { price, size: amount(member(node, 'size')) }
}
