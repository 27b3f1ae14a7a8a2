import { Bip39, EnglishMnemonic } from '@cosmjs/crypto'
import { sha256 } from '../platform/encoding.js'
import { pbkdf2Key } from './keyfile/scrypt.js'
import { wipe } from './secret.js'

/** Bytes of entropy by number of words. */
export const entropyBytes: ReadonlyMap<number, number> = new Map([
  [12, 16],
  [15, 20],
  [18, 24],
  [21, 28],
  [24, 32],
])

/**
 * The BIP-39 mnemonic of entropy, English words separated by one space, in UTF-8: bytes, since strings cannot be wiped.
 */
export function wordsOf(entropy: Uint8Array): Buffer {
  const checksum = sha256(entropy)
  const bitAt = (at: number): number => {
    const byte = at < entropy.length * 8 ? entropy[at >> 3] : checksum[(at >> 3) - entropy.length]
    return ((byte ?? 0) >> (7 - (at & 7))) & 1
  }
  const count = (entropy.length * 8 + entropy.length / 4) / 11
  const words = Buffer.alloc(count * 9)
  let end = 0
  for (let word = 0; word < count; word++) {
    let index = 0
    for (let bit = 0; bit < 11; bit++) index = (index << 1) | bitAt(word * 11 + bit)
    if (word > 0) words[end++] = 0x20
    end += words.write(EnglishMnemonic.wordlist[index] ?? '', end, 'ascii')
  }
  return words.subarray(0, end)
}

/** The text is not a mnemonic. The message repeats none of its words. */
export class InvalidMnemonic extends Error {
  override name = 'InvalidMnemonic'
}

/**
 * The entropy of a mnemonic, with any white space and letter case.
 *
 * @throws InvalidMnemonic
 */
export function entropyOf(text: string): Buffer {
  const words = text.normalize('NFKD').trim().toLowerCase().split(/\s+/)
  if (!entropyBytes.has(words.length))
    throw new InvalidMnemonic(
      `a mnemonic has 12, 15, 18, 21 or 24 words, and this has ${words.length}`,
    )
  const strangers = words.flatMap((word, at) =>
    EnglishMnemonic.wordlist.includes(word) ? [] : [at + 1],
  )
  if (strangers.length > 0)
    throw new InvalidMnemonic(
      `word ${strangers.slice(0, 3).join(', ')} is not in the English list of BIP-39`,
    )
  try {
    return Buffer.from(Bip39.decode(new EnglishMnemonic(words.join(' '))))
  } catch {
    throw new InvalidMnemonic('its checksum does not hold: a word is wrong, or two changed places')
  }
}

/** The 64-byte seed of BIP-39, of entropy and an optional passphrase. */
export async function seedOf(entropy: Uint8Array, passphrase = ''): Promise<Buffer> {
  const words = wordsOf(entropy)
  try {
    return await pbkdf2Key(words, `mnemonic${passphrase.normalize('NFKD')}`, 2048, 64, 'sha512')
  } finally {
    wipe(words)
  }
}
