import { fromBech32, toBech32 } from '@cosmjs/encoding'

/** Characters of an address at most: the checksum says nothing about longer texts. */
const LONGEST = 90

/** Why an address cannot be used where the prefix is `wanted`, or `undefined` where it can. */
export function addressFault(address: string, wanted: string): string | undefined {
  let decoded: { readonly prefix: string; readonly data: Uint8Array }
  try {
    decoded = fromBech32(address, LONGEST)
  } catch {
    return 'its checksum does not hold'
  }
  // Contracts refuse it, or take it for another account.
  if (address !== address.toLowerCase()) return 'it is written in capital letters'
  if (decoded.prefix !== wanted) return `its prefix is ${decoded.prefix}, not ${wanted}`
  return [20, 32].includes(decoded.data.length) ? undefined : 'it has a wrong length'
}

/** A text in capital letters alone, as QR codes have addresses, in lower case; another one unchanged. */
export const withoutCapitals = (address: string): string =>
  address === address.toUpperCase() ? address.toLowerCase() : address

/** An address for examples: of a network by its prefix, with made-up bytes. */
export const exampleAddress = (prefix: string): string =>
  toBech32(
    prefix,
    Uint8Array.from({ length: 20 }, (_, i) => i + 1),
  )
