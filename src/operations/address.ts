import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { attempt } from '../platform/attempt.js'

/** Maximum length of an address: bech32's checksum guarantees nothing for longer texts. */
const LONGEST = 90

/** Why an address is invalid for the prefix `wanted`; `undefined` if it is valid. */
export function addressFault(address: string, wanted: string): string | undefined {
  const [, prefix] = /^(.+)1[a-z0-9]{6,}$/i.exec(address) ?? []
  if (prefix === undefined) return 'it does not have the form of an address'
  if (prefix.toLowerCase() !== wanted) return `its prefix is ${prefix}, not ${wanted}`
  const decoded = attempt(() => fromBech32(address, LONGEST))
  if (decoded === undefined) return 'its checksum does not hold'
  // Contracts refuse mixed case, or treat it as another account.
  if (address !== address.toLowerCase()) return 'it is written in capital letters'
  return [20, 32].includes(decoded.data.length) ? undefined : 'it has a wrong length'
}

/** Lower-cases an address in capitals, as in QR codes; others are unchanged. */
export const withoutCapitals = (address: string): string =>
  address === address.toUpperCase() ? address.toLowerCase() : address

/** An example address with a network's prefix and made-up bytes. */
export const exampleAddress = (prefix: string): string =>
  toBech32(
    prefix,
    Uint8Array.from({ length: 20 }, (_, i) => i + 1),
  )
