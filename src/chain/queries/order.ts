import type { Decimal } from '../../engine/math/decimal.js'
import { decimalOf, type JsonCursor, member } from '../../engine/snapshot/json-cursor.js'
import { startsWith } from './pool.js'

/** Where an order with an oracle's price is. */
export type OracleOrder = {
  readonly owner: string
  readonly side: 'base' | 'quote'
  readonly bps: number
}

/** What the keys of all orders of a pair start with. */
export const ORDERS_KEY: Uint8Array = Buffer.from('\0\x06orders')

/** The owner, its side and price behind the namespace: each part but the last after its length. */
const SIDE_PART = 3
const ORACLE_BYTES = 2
const ORACLE_ZERO = 0x8000

/** The order under a key, if its price is an oracle's; a fixed price has more bytes. */
export function oracleOrderOf(key: Uint8Array): OracleOrder | undefined {
  if (!startsWith(key, ORDERS_KEY)) return undefined
  const rest = Buffer.from(key.subarray(ORDERS_KEY.length))
  if (rest.length < 2) return undefined
  const size = rest.readUInt16BE()
  const behind = rest.subarray(2 + size)
  const [high, low, side] = behind
  if (behind.length !== SIDE_PART + ORACLE_BYTES || high !== 0 || low !== 1) return undefined
  if (side !== 0 && side !== 1) return undefined
  return {
    owner: rest.subarray(2, 2 + size).toString('latin1'),
    side: side === 0 ? 'base' : 'quote',
    bps: behind.readUInt16BE(SIDE_PART) - ORACLE_ZERO,
  }
}

/** The rate of an `order` answer: quote per base as of the height. @throws MalformedDocument */
export const decodeOrderRate = (node: JsonCursor): Decimal => decimalOf(member(node, 'rate'))
