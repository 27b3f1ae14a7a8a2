import { UTC_TIME } from '../../engine/snapshot/decode.js'
import { type JsonCursor, member, refuse, text } from '../../engine/snapshot/json-cursor.js'
import { isOfCalendar } from '../../platform/clock.js'
import { heightIn } from '../rpc/http/json-rpc.js'

/** The identity of a block, from its header. */
export type HeaderFields = {
  readonly chainId: string
  readonly height: number
  /** RFC 3339 UTC. */
  readonly time: string
}

/** The answer of the `header` call. @throws MalformedDocument */
export function decodeHeader(node: JsonCursor): HeaderFields {
  const header = member(node, 'header')
  const height = heightOf(member(header, 'height'))
  const time = timeOf(member(header, 'time'))
  return { chainId: text(member(header, 'chain_id')), height, time }
}

/** An RFC 3339 time in UTC of a date that exists. @throws MalformedDocument */
export function timeOf(node: JsonCursor): string {
  const time = text(node)
  return UTC_TIME.test(time) && isOfCalendar(time)
    ? time
    : refuse(node, 'must be an RFC 3339 time in UTC')
}

/** @throws MalformedDocument */
export const heightOf = (node: JsonCursor): number =>
  heightIn(text(node)) ?? refuse(node, 'must be a height')

/** The most gas of a block, in consensus parameters; `undefined` for no limit. @throws MalformedDocument */
export function decodeGasLimit(root: JsonCursor): bigint | undefined {
  const most = text(member(member(member(root, 'consensus_params'), 'block'), 'max_gas'))
  return /^[1-9]\d{0,18}$/.test(most) ? BigInt(most) : undefined
}
