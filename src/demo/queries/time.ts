import type { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'

const SECOND = 1_000_000_000n

/** Nanoseconds since 1970 as Go prints a UTC time: up to 9 fractional digits, trailing zeros cut. */
export function rfc3339(time: bigint): string {
  const seconds = time / SECOND
  const digits = String(time % SECOND)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${rfc3339Seconds(seconds * SECOND).slice(0, -1)}${digits && `.${digits}`}Z`
}

/** The same cut to whole seconds. */
export const rfc3339Seconds = (time: bigint): string =>
  `${new Date(Number(time / SECOND) * 1000).toISOString().slice(0, 19)}Z`

export const timestampOf = (time: bigint): Timestamp => ({
  seconds: time / SECOND,
  nanos: Number(time % SECOND),
})

export const nanosOf = ({ seconds, nanos }: Timestamp): bigint => seconds * SECOND + BigInt(nanos)
