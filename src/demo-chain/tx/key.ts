import { pbkdf2Sync } from 'node:crypto'
import { EnglishMnemonic, Slip10, Slip10Curve, stringToPath } from '@cosmjs/crypto'

/** The path that Cosmos wallets take unless they are told another. */
export const DEFAULT_PATH = "m/44'/118'/0'/0/0"

/**
 * The private key that a wallet makes of a mnemonic (BIP-39, no password; BIP-32).
 *
 * @throws Error if these words are no mnemonic
 */
export function mnemonicKey(mnemonic: string, path: string = DEFAULT_PATH): Uint8Array {
  const words = new EnglishMnemonic(mnemonic).toString()
  const seed = pbkdf2Sync(words.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512')
  return Slip10.derivePath(Slip10Curve.Secp256k1, seed, stringToPath(path)).privkey
}
