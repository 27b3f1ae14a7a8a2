import { attempt } from '../../platform/attempt.js'
import { isObject, type JsonObject } from '../../platform/json-object.js'
import { isPrivateKey } from '../derive.js'
import { ownCost } from '../keyfile/kdf-cost.js'
import { decodeKey, InvalidKeyDocument } from '../keyfile/key-document.js'
import { openKey } from '../keyfile/seal.js'
import { entropyOf, InvalidMnemonic } from '../mnemonic.js'
import { cosmjsTypes, readCosmjs } from './cosmjs.js'
import { readCosmosArmor } from './cosmos-armor.js'
import type { ForeignKey, FormatName } from './foreign.js'
import { readKeystore } from './web3.js'
import { readXchain } from './xchain.js'

/**
 * Parses the key in a text, in the named format or a detected one. Derives nothing; `cost` is the cost of opening it.
 *
 * @throws InvalidKeyDocument without any of the content
 */
export function recogniseKey(given: string, asked: FormatName | 'auto'): ForeignKey {
  if (given.trim() === '') throw new InvalidKeyDocument('it is empty')
  return readFormat(given, asked === 'auto' ? formatOf(given) : asked)
}

function formatOf(given: string): FormatName {
  if (/-----BEGIN /.test(given)) return 'armor'
  if (!given.trimStart().startsWith('{')) return hexIn(given) ? 'hex' : 'mnemonic'
  const document = documentOf(given)
  if (document['format'] === 'swap.key/1') return 'swap'
  if (cosmjsTypes.some((type) => document['type'] === type)) return 'cosmjs'
  if (document['meta'] === 'xchain-keystore') return 'xchain'
  if ('crypto' in document || 'Crypto' in document) return 'keystore'
  throw new InvalidKeyDocument('it is JSON, but of none of the formats that can be imported')
}

function readFormat(given: string, format: FormatName): ForeignKey {
  switch (format) {
    case 'swap':
      return readOwn(given)
    case 'cosmjs':
      return readCosmjs(documentOf(given))
    case 'xchain':
      return readXchain(documentOf(given))
    case 'keystore':
      return readKeystore(documentOf(given))
    case 'armor':
      return readCosmosArmor(given)
    case 'mnemonic':
      return readMnemonic(given)
    case 'hex':
      return readHex(given)
  }
}

/** A copy of a key file of this program. */
function readOwn(given: string): ForeignKey {
  const document = decodeKey(Buffer.from(given))
  const cost = ownCost(document.kdf)
  const derived = document.hd_path === null ? {} : { hdPath: document.hd_path }
  return {
    format: 'swap',
    description: `key file of swap, ${cost.description}`,
    cost,
    open: async (password) => ({
      secret: await openKey(document, password),
      ...derived,
      prefix: document.prefix,
    }),
  }
}

function documentOf(given: string): JsonObject {
  const value: unknown = attempt(() => JSON.parse(given))
  if (isObject(value)) return value
  throw new InvalidKeyDocument(
    value === undefined ? 'it is not JSON' : 'it is JSON, but not an object',
  )
}

/** A mnemonic in clear text. */
function readMnemonic(given: string): ForeignKey {
  const bytes = entropyIn(given)
  return {
    format: 'mnemonic',
    description: `mnemonic of ${(bytes.length * 3) / 4} words`,
    open: async () => ({ secret: { kind: 'mnemonic', bytes: Buffer.from(bytes) } }),
  }
}

/** A private key in hex, with or without `0x`. */
function readHex(given: string): ForeignKey {
  const bytes = Buffer.from(hexIn(given) ?? '', 'hex')
  if (!isPrivateKey(bytes))
    throw new InvalidKeyDocument(
      'it is not a private key: 64 hex digits below the order of the curve',
    )
  return {
    format: 'hex',
    description: 'private key in hex',
    open: async () => ({ secret: { kind: 'private_key', bytes: Buffer.from(bytes) } }),
  }
}

/** The digits of a text that is 32 bytes in hex; `undefined` for any other text. */
const hexIn = (given: string): string | undefined =>
  /^\s*(?:0x)?([0-9a-fA-F]{64})\s*$/.exec(given)?.[1]

function entropyIn(given: string): Buffer {
  try {
    return entropyOf(given)
  } catch (error) {
    if (error instanceof InvalidMnemonic) throw new InvalidKeyDocument(error.message)
    throw error
  }
}
