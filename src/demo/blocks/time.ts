const SECOND = 1_000_000_000n

/** Nanoseconds since 1970 as RFC 3339 in UTC, with as many fractional digits as it takes. */
export function rfc3339(time: bigint): string {
  const seconds = new Date(Number(time / SECOND) * 1000).toISOString().slice(0, 19)
  const rest = `${time % SECOND}`.padStart(9, '0').replace(/0+$/, '')
  return `${seconds}${rest && `.${rest}`}Z`
}

/** The nanoseconds since 1970 of an RFC 3339 time in UTC. */
export function nanoseconds(text: string): bigint {
  const [whole = '', rest = ''] = text.replace('Z', '').split('.')
  return BigInt(Date.parse(`${whole}Z`) / 1000) * SECOND + BigInt(rest.padEnd(9, '0'))
}
