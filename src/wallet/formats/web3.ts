import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto'
import { Secp256k1 } from '@cosmjs/crypto'
import { keccak_256 } from '@noble/hashes/sha3'
import type { JsonObject } from '../../platform/json-object.js'
import { isPrivateKey } from '../derive.js'
import { type KdfCost, pbkdf2Cost, scryptCost } from '../keyfile/kdf-cost.js'
import { COST, InvalidKeyDocument } from '../keyfile/key-document.js'
import { pbkdf2Key, scryptKey } from '../keyfile/scrypt.js'
import { DecryptionFailed } from '../keyfile/seal.js'
import { wipe } from '../secret.js'
import { count, type ForeignKey, group, hex, type KeyExport, text } from './foreign.js'

const macOf = (...parts: readonly Uint8Array[]): Uint8Array => keccak_256(Buffer.concat(parts))

/** Parses Ethereum's keystore, version 3: one private key. */
export function readKeystore(given: JsonObject): ForeignKey {
  if (count(given, 'version') !== 3) throw new InvalidKeyDocument('its version is another than 3')
  const envelope = readEnvelope(group(given, 'crypto' in given ? 'crypto' : 'Crypto'))
  const claimed = given['address'] === undefined ? undefined : text(given, 'address')
  return {
    format: 'keystore',
    description: `Ethereum keystore, ${envelope.kdf.cost.description}`,
    cost: envelope.kdf.cost,
    open: async (password) => {
      const bytes = await openEnvelope(envelope, password, macOf)
      const fault = faultOf(bytes, claimed)
      if (fault === undefined) return { secret: { kind: 'private_key', bytes } }
      wipe(bytes)
      throw new InvalidKeyDocument(fault)
    },
  }
}

/** Writes the format of `readKeystore`. */
export async function writeKeystore(
  { privateKey }: KeyExport,
  password: Uint8Array,
): Promise<string> {
  const salt = randomBytes(32)
  const key = await scryptKey(password, salt, COST)
  try {
    const crypto = {
      ...sealEnvelope(privateKey, key, randomBytes(16), macOf),
      kdf: 'scrypt',
      kdfparams: { dklen: 32, ...COST, salt: salt.toString('hex') },
    }
    const address = ethereumAddress(privateKey)
    return `${JSON.stringify({ version: 3, id: randomUUID(), address, crypto })}\n`
  } finally {
    wipe(key)
  }
}

/** Why decrypted bytes are not a valid key; `undefined` if they are. */
function faultOf(bytes: Uint8Array, claimed: string | undefined): string | undefined {
  if (!isPrivateKey(bytes)) return 'the password opens it, and what is inside is not a private key'
  if (claimed === undefined || isOf(bytes, claimed)) return undefined
  return 'the password opens it, and its address is not that of the key inside'
}

const isOf = (privateKey: Uint8Array, claimed: string): boolean =>
  claimed.toLowerCase().replace(/^0x/, '') === ethereumAddress(privateKey)

/** The last 20 bytes of the key's Keccak-256, in hex without `0x`. */
const ethereumAddress = (privateKey: Uint8Array): string => {
  const { pubkey } = Secp256k1.makeKeypair(privateKey)
  return Buffer.from(keccak_256(pubkey.subarray(1)).subarray(-20)).toString('hex')
}

/** A key derivation of keystores, to 32 bytes. */
type Kdf = {
  readonly cost: KdfCost
  derive(password: Uint8Array): Promise<Buffer>
}

/** The MAC: 32 bytes over the second half of the key and the ciphertext. */
type Mac = (...parts: readonly Uint8Array[]) => Uint8Array

/** The `crypto` member that keystores of Ethereum and xchain have in common: AES-128-CTR and a MAC. */
type Envelope = {
  readonly kdf: Kdf
  readonly iv: Buffer
  readonly ciphertext: Buffer
  readonly mac: Buffer
}

/** @throws InvalidKeyDocument */
export function readEnvelope(given: JsonObject): Envelope {
  const cipher = text(given, 'cipher')
  if (cipher !== 'aes-128-ctr')
    throw new InvalidKeyDocument(
      'its cipher is another than aes-128-ctr, which is all there should be',
    )
  return {
    kdf: kdfOf(text(given, 'kdf'), group(given, 'kdfparams')),
    iv: hex(group(given, 'cipherparams'), 'iv', 16),
    ciphertext: hex(given, 'ciphertext'),
    mac: hex(given, 'mac', 32),
  }
}

/** Decrypts an envelope; the caller wipes the result. */
export async function openEnvelope(
  { kdf, iv, ciphertext, mac }: Envelope,
  password: Uint8Array,
  macOf: Mac,
): Promise<Buffer> {
  const key = await kdf.derive(password)
  try {
    if (!timingSafeEqual(macOf(key.subarray(16, 32), ciphertext), mac)) throw new DecryptionFailed()
    const decipher = createDecipheriv('aes-128-ctr', key.subarray(0, 16), iv)
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } finally {
    wipe(key)
  }
}

/** Encrypts as `openEnvelope` decrypts, under a key of 32 bytes. */
export function sealEnvelope(plain: Uint8Array, key: Uint8Array, iv: Uint8Array, macOf: Mac) {
  const cipher = createCipheriv('aes-128-ctr', key.subarray(0, 16), iv)
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()])
  return {
    cipher: 'aes-128-ctr',
    ciphertext: ciphertext.toString('hex'),
    cipherparams: { iv: Buffer.from(iv).toString('hex') },
    mac: Buffer.from(macOf(key.subarray(16, 32), ciphertext)).toString('hex'),
  }
}

function kdfOf(name: string, params: JsonObject): Kdf {
  if (count(params, 'dklen') !== 32) throw new InvalidKeyDocument('its dklen is not 32')
  const salt = hex(params, 'salt')
  if (name === 'scrypt') return scryptOf(params, salt)
  if (name === 'pbkdf2') return pbkdf2Of(params, salt)
  throw new InvalidKeyDocument('its kdf is neither scrypt nor pbkdf2')
}

function scryptOf(params: JsonObject, salt: Buffer): Kdf {
  const given = { n: count(params, 'n'), r: count(params, 'r'), p: count(params, 'p') }
  return {
    cost: scryptCost(given),
    derive: (password) => scryptKey(password, salt, given),
  }
}

function pbkdf2Of(params: JsonObject, salt: Buffer): Kdf {
  const rounds = count(params, 'c')
  if (text(params, 'prf') !== 'hmac-sha256')
    throw new InvalidKeyDocument('its prf is another than hmac-sha256')
  return {
    cost: pbkdf2Cost(rounds),
    derive: (password) => pbkdf2Key(password, salt, rounds, 32, 'sha256'),
  }
}
