import { randomBytes, randomUUID } from 'node:crypto'
import { blake2b } from '@noble/hashes/blake2'
import type { JsonObject } from '../../platform/json-object.js'
import { InvalidKeyDocument } from '../keyfile/key-document.js'
import { pbkdf2Key } from '../keyfile/scrypt.js'
import { entropyOf, InvalidMnemonic, wordsOf } from '../mnemonic.js'
import { wipe } from '../secret.js'
import { count, type ForeignKey, group, type KeyExport, text } from './foreign.js'
import { openEnvelope, readEnvelope, sealEnvelope } from './web3.js'

const META = 'xchain-keystore'
const ROUNDS = 262_144

const macOf = (...parts: readonly Uint8Array[]): Uint8Array =>
  blake2b(Buffer.concat(parts), { dkLen: 32 })

/** Parses the keystore of THORChain's wallets: a mnemonic without a derivation path. */
export function readXchain(given: JsonObject): ForeignKey {
  if (count(given, 'version') !== 1 || text(given, 'meta') !== META)
    throw new InvalidKeyDocument(`it is not version 1 of ${META}`)
  const envelope = readEnvelope(group(given, 'crypto'))
  return {
    format: 'xchain',
    description: `xchain keystore, ${envelope.kdf.cost.description}`,
    cost: envelope.kdf.cost,
    open: async (password) => {
      const words = await openEnvelope(envelope, password, macOf)
      try {
        return { secret: { kind: 'mnemonic', bytes: entropyOf(words.toString('utf8')) } }
      } catch (error) {
        if (error instanceof InvalidMnemonic)
          throw new InvalidKeyDocument(
            `the password opens it, and what is inside is not a mnemonic: ${error.message}`,
          )
        throw error
      } finally {
        wipe(words)
      }
    },
  }
}

/** Writes the format of `readXchain`, which holds mnemonics only. */
export async function writeXchain({ secret }: KeyExport, password: Uint8Array): Promise<string> {
  const salt = randomBytes(32)
  const words = wordsOf(secret.bytes)
  const key = await pbkdf2Key(password, salt, ROUNDS, 32, 'sha256')
  try {
    const crypto = {
      ...sealEnvelope(words, key, randomBytes(16), macOf),
      kdf: 'pbkdf2',
      kdfparams: { prf: 'hmac-sha256', dklen: 32, salt: salt.toString('hex'), c: ROUNDS },
    }
    return `${JSON.stringify({ crypto, id: randomUUID(), version: 1, meta: META })}\n`
  } finally {
    wipe(words, key)
  }
}
