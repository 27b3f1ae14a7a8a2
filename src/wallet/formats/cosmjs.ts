import { randomBytes } from 'node:crypto'
import { Argon2id } from '@cosmjs/crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha'
import type { JsonObject } from '../../platform/json-object.js'
import { isHdPath } from '../address.js'
import { argon2Cost } from '../keyfile/kdf-cost.js'
import { InvalidKeyDocument } from '../keyfile/key-document.js'
import { entropyOf, InvalidMnemonic, wordsOf } from '../mnemonic.js'
import { wipe } from '../secret.js'
import {
  count,
  type DecryptedKey,
  type ForeignKey,
  group,
  type KeyExport,
  openSealed,
  text,
} from './foreign.js'

/** The two names of one format: wallets that sign Amino JSON, and wallets that sign directly. */
export const cosmjsTypes = ['secp256k1wallet-v1', 'directsecp256k1hdwallet-v1'] as const

/** cosmjs uses the same salt for all files, so one dictionary attack covers all of them. */
const SALT = Buffer.from('The CosmJS salt.')
const NONCE = 24
const CIPHER = 'xchacha20poly1305-ietf'

/** Parses a serialised cosmjs wallet: a mnemonic with its derived accounts. */
export function readCosmjs(given: JsonObject): ForeignKey {
  const type = text(given, 'type')
  if (!cosmjsTypes.some((each) => each === type))
    throw new InvalidKeyDocument(`its type is neither ${cosmjsTypes.join(' nor ')}`)
  const params = costOf(group(given, 'kdf'))
  const cost = argon2Cost(params)
  if (text(group(given, 'encryption'), 'algorithm') !== CIPHER)
    throw new InvalidKeyDocument(`its encryption is another than ${CIPHER}`)
  const sealed = Buffer.from(text(given, 'data', /^[A-Za-z0-9+/]+={0,2}$/), 'base64')
  return {
    format: 'cosmjs',
    description: `cosmjs wallet ${type}, ${cost.description}, one salt for all`,
    cost,
    open: async (password) => readKey(await decrypt(sealed, await keyOf(password, params))),
  }
}

/** Writes the format of `readCosmjs`, which holds mnemonics only. */
export async function writeCosmjs(
  { secret, hdPath, prefix }: KeyExport,
  password: Uint8Array,
): Promise<string> {
  const words = wordsOf(secret.bytes)
  const accounts = [{ hdPath: hdPath ?? '', prefix }]
  const inside = Buffer.from(JSON.stringify({ mnemonic: words.toString(), accounts }))
  const params = { outputLength: 32, opsLimit: 24, memLimitKib: 12 * 1024 }
  const key = await keyOf(password, { memory: params.memLimitKib, passes: params.opsLimit })
  try {
    const nonce = randomBytes(NONCE)
    const sealed = Buffer.concat([nonce, xchacha20poly1305(key, nonce).encrypt(inside)])
    const document = {
      type: cosmjsTypes[1],
      kdf: { algorithm: 'argon2id', params },
      encryption: { algorithm: CIPHER },
      data: sealed.toString('base64'),
    }
    return `${JSON.stringify(document)}\n`
  } finally {
    wipe(words, inside, key)
  }
}

type Cost = { readonly memory: number; readonly passes: number }

function costOf(kdf: JsonObject): Cost {
  if (text(kdf, 'algorithm') !== 'argon2id')
    throw new InvalidKeyDocument('its kdf is another than argon2id')
  const params = group(kdf, 'params')
  const cost = { memory: count(params, 'memLimitKib'), passes: count(params, 'opsLimit') }
  if (count(params, 'outputLength') !== 32)
    throw new InvalidKeyDocument('its outputLength is not 32')
  return cost
}

const keyOf = (password: Uint8Array, { memory, passes }: Cost): Promise<Uint8Array> =>
  Argon2id.execute(Buffer.from(password).toString('utf8'), SALT, {
    outputLength: 32,
    opsLimit: passes,
    memLimitKib: memory,
  })

/** Opens XChaCha20-Poly1305 with the nonce in front. */
function decrypt(sealed: Buffer, key: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, NONCE)
  const open = () => xchacha20poly1305(key, nonce).decrypt(sealed.subarray(NONCE))
  return Buffer.from(openSealed(key, open))
}

/** The first account, and the paths of the others. */
function readKey(inside: Buffer): DecryptedKey {
  try {
    const { mnemonic, accounts } = JSON.parse(inside.toString('utf8')) as {
      readonly mnemonic: string
      readonly accounts: readonly { readonly hdPath: string; readonly prefix: string }[]
    }
    const [first] = accounts
    if (first === undefined || !isHdPath(first.hdPath) || !/^[a-z]{1,20}$/.test(first.prefix))
      throw notAWallet()
    const secret = { kind: 'mnemonic' as const, bytes: entropyOf(mnemonic) }
    const paths = accounts.map(({ hdPath }) => hdPath).filter((path) => isHdPath(path))
    const otherPaths = [...new Set(paths)].filter((path) => path !== first.hdPath)
    return { secret, hdPath: first.hdPath, prefix: first.prefix, otherPaths }
  } catch (error) {
    if (
      error instanceof InvalidMnemonic ||
      error instanceof SyntaxError ||
      error instanceof TypeError
    )
      throw notAWallet()
    throw error
  } finally {
    wipe(inside)
  }
}

const notAWallet = () =>
  new InvalidKeyDocument(
    'the password opens it, and what is inside is not a mnemonic with an account',
  )
