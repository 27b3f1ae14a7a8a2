/** Digits after the point of a mid price that is held as an integer. */
const PLACES = 18

/** A mid price as an integer with 18 digits after the point; `undefined` if there is none. */
export function midValue(mid: string | null): bigint | undefined {
  if (mid === null) return undefined
  const [whole = '0', fraction = ''] = mid.split('.')
  return BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'))
}

/** The decimal of a `midValue`. */
export const midText = (value: bigint): string => {
  const digits = `${value}`.padStart(PLACES + 1, '0')
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`
}
