const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** The bytes of a bech32 address (BIP 173); refuses a wrong checksum and anything but whole bytes. */
export function decodeBech32(address: string): { readonly prefix: string; readonly bytes: Buffer } {
  const end = address.lastIndexOf('1')
  const prefix = address.slice(0, end)
  const words = [...address.slice(end + 1)].map((letter) => ALPHABET.indexOf(letter))
  if (words.includes(-1)) throw new Error(`not bech32: ${address}`)
  if (checksum([...expanded(prefix), ...words]) !== 1) throw new Error(`checksum: ${address}`)
  return { prefix, bytes: toBytes(words.slice(0, -6)) }
}

const expanded = (prefix: string): number[] => {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0))
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
}

const checksum = (words: readonly number[]): number =>
  words.reduce((sum, word) => {
    const mixed = ((sum & 0x1ffffff) << 5) ^ word
    return GENERATOR.reduce((acc, part, i) => ((sum >>> (25 + i)) & 1 ? acc ^ part : acc), mixed)
  }, 1)

function toBytes(words: readonly number[]): Buffer {
  const bits = words.map((word) => word.toString(2).padStart(5, '0')).join('')
  if (/1/.test(bits.slice(bits.length - (bits.length % 8)))) throw new Error('padding')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
