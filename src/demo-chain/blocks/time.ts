import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'

const SECOND = 1_000_000_000n

/** Nanoseconds since 1970 as Go prints a UTC time: up to 9 fractional digits, trailing zeros cut. */
export function rfc3339(time: bigint): string {
  const rest = `${time % SECOND}`.padStart(9, '0').replace(/0+$/, '')
  return `${rfc3339Seconds(time).slice(0, -1)}${rest && `.${rest}`}Z`
}

/** The same cut to whole seconds. */
export const rfc3339Seconds = (time: bigint): string =>
  `${new Date(Number(time / SECOND) * 1000).toISOString().slice(0, 19)}Z`

/** The nanoseconds since 1970 of an RFC 3339 time in UTC. */
export function nanoseconds(text: string): bigint {
  const [whole = '', rest = ''] = text.replace('Z', '').split('.')
  return BigInt(Date.parse(`${whole}Z`) / 1000) * SECOND + BigInt(rest.padEnd(9, '0'))
}

/** Nanoseconds since 1970 as protobuf has a time. */
export const timestampOf = (time: bigint): Timestamp =>
  Timestamp.fromPartial({ seconds: time / SECOND, nanos: Number(time % SECOND) })

export const nanosOf = ({ seconds, nanos }: Timestamp): bigint => seconds * SECOND + BigInt(nanos)
