import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { executeKdf, Secp256k1HdWallet } from '@cosmjs/amino'
import { Argon2id, stringToPath } from '@cosmjs/crypto'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { decryptFromKeystore, encryptToKeyStore } from '@xchainjs/xchain-crypto'
import { decryptKeystoreJson, encryptKeystoreJson, scrypt as ethersScrypt, Wallet } from 'ethers'
import { describe, test } from 'vitest'
import { privateKeyOf } from '../../../src/wallet/derive.js'
import { writeCosmjs } from '../../../src/wallet/formats/cosmjs.js'
import { isWeak, type KeyExport } from '../../../src/wallet/formats/foreign.js'
import { recogniseKey } from '../../../src/wallet/formats/recognise.js'
import { writeKeystore } from '../../../src/wallet/formats/web3.js'
import { writeXchain } from '../../../src/wallet/formats/xchain.js'
import { encodeKey } from '../../../src/wallet/keyfile/key-document.js'
import { DecryptionFailed } from '../../../src/wallet/keyfile/seal.js'
import { accountOf } from '../../../src/wallet/make.js'
import { entropyOf } from '../../../src/wallet/mnemonic.js'
import { firstRows, longTest } from '../../support/long.js'
import { deriveCheaply } from '../../support/remembered-scrypt.js'
import { ENTROPY, mnemonicSecret, PASSWORD, rawSecret, sealed, TWELVE } from '../keyring.js'

// Node's scrypt in place of the one that ethers has in JavaScript.
ethersScrypt.register(async (secret, salt, N, r, p, length) => {
  const options = { N, r, p, maxmem: 2 ** 28 }
  return `0x${scryptSync(secret, salt, length, options).toString('hex')}`
})

// Each key is derived once: in JavaScript that takes seconds.
const derive = Argon2id.execute
const derived = new Map<string, ReturnType<typeof derive>>()
Argon2id.execute = async (password, salt, options) => {
  const name = JSON.stringify([password, [...salt], options])
  const key = derived.get(name) ?? derive(password, salt, options)
  derived.set(name, key)
  return Uint8Array.from(await key)
}

const password = PASSWORD.toString()
const thorPath = "m/44'/931'/0'/0/0"

async function leaving(): Promise<KeyExport> {
  const secret = mnemonicSecret()
  const privateKey = await privateKeyOf(secret, thorPath)
  return { secret, privateKey, hdPath: thorPath, prefix: 'thor' }
}

/** Opens a text as an import does. */
const open = (text: string, using: Uint8Array = PASSWORD) => recogniseKey(text, 'auto').open(using)

const isMnemonic = (found: { secret: { kind: string; bytes: Buffer } }): void => {
  assert.equal(found.secret.kind, 'mnemonic')
  assert.deepEqual(found.secret.bytes, ENTROPY)
}

describe('a cosmjs wallet', () => {
  test('of either type, as cosmjs serialises it, gives its mnemonic and its account', async () => {
    const options = { prefix: 'thor', hdPaths: [stringToPath(thorPath)] }
    const amino = await Secp256k1HdWallet.fromMnemonic(TWELVE, options)
    const direct = await DirectSecp256k1HdWallet.fromMnemonic(TWELVE, options)
    // The costs that cosmjs takes by itself are those of what we write, in the next test.
    const kdf = {
      algorithm: 'argon2id',
      params: { outputLength: 32, opsLimit: 2, memLimitKib: 512 },
    }
    const key = await executeKdf(password, kdf)
    const texts = await Promise.all(
      [amino, direct].map((wallet) => wallet.serializeWithEncryptionKey(key, kdf)),
    )
    for (const [at, text] of texts.entries()) {
      const key = recogniseKey(text, 'auto')
      assert.equal(key.format, 'cosmjs')
      assert.match(key.description, at === 0 ? /secp256k1wallet-v1/ : /directsecp256k1hdwallet-v1/)
      assert.ok(isWeak(key))
      const found = await key.open(PASSWORD)
      isMnemonic(found)
      assert.equal(found.hdPath, thorPath)
      assert.equal(found.prefix, 'thor')
      const [account] = await direct.getAccounts()
      const ours = await accountOf(found.secret, { hdPath: thorPath, prefix: 'thor' })
      assert.equal(ours.address, account?.address)
      await assert.rejects(key.open(Buffer.from('another')), DecryptionFailed)
    }
  })
  test('of several accounts gives the first, and the paths of the others', async () => {
    const paths = [thorPath, "m/44'/118'/0'/0/0", "m/44'/118'/0'/0/0", "m/44'/60'/0'/0/0"]
    const options = { prefix: 'thor', hdPaths: paths.map((path) => stringToPath(path)) }
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(TWELVE, options)
    const params = { outputLength: 32, opsLimit: 2, memLimitKib: 512 }
    const kdf = { algorithm: 'argon2id', params }
    const key = await executeKdf(password, kdf)
    const found = await open(await wallet.serializeWithEncryptionKey(key, kdf))
    assert.deepEqual([found.hdPath, found.otherPaths], [thorPath, [paths[1], paths[3]]])
  })
  longTest('written by this program is opened by cosmjs', async () => {
    const text = await writeCosmjs(await leaving(), PASSWORD)
    const wallet = await DirectSecp256k1HdWallet.deserialize(text, password)
    assert.equal(wallet.mnemonic, TWELVE)
    const ours = await accountOf(mnemonicSecret(), { hdPath: thorPath, prefix: 'thor' })
    assert.equal((await wallet.getAccounts())[0]?.address, ours.address)
    isMnemonic(await open(text))
  })
})

describe('an xchain keystore', () => {
  test('as xchain encrypts it gives its mnemonic', async () => {
    const text = JSON.stringify(await encryptToKeyStore(TWELVE, password))
    const key = recogniseKey(text, 'auto')
    assert.equal(key.description, 'xchain keystore, pbkdf2 262144 rounds')
    isMnemonic(await key.open(PASSWORD))
    await assert.rejects(key.open(Buffer.from('another')), DecryptionFailed)
  })
  test('that contains no mnemonic is refused as such, not as a wrong password', async () => {
    const sixWords = { kind: 'mnemonic' as const, bytes: Buffer.alloc(8) }
    const text = await writeXchain({ ...(await leaving()), secret: sixWords }, PASSWORD)
    await assert.rejects(
      open(text),
      /the password opens it, and what is inside is not a mnemonic: .* and this has 6/,
    )
  })
  test('written by this program is opened by xchain', async () => {
    const text = await writeXchain(await leaving(), PASSWORD)
    assert.equal(await decryptFromKeystore(JSON.parse(text), password), TWELVE)
    isMnemonic(await open(text))
  })
})

describe('an Ethereum keystore', () => {
  const wallet = new Wallet(`0x${'07'.repeat(32)}`)
  const scrypt = { N: 2 ** 12, r: 8, p: 1 }

  test('as ethers encrypts it gives its private key, and is reported as weak if it is', async () => {
    const account = { address: wallet.address, privateKey: wallet.privateKey }
    const text = await encryptKeystoreJson(account, password, { scrypt })
    const key = recogniseKey(text, 'auto')
    assert.equal(key.description, 'Ethereum keystore, scrypt n=4096 r=8 p=1')
    assert.ok(isWeak(key))
    assert.deepEqual((await key.open(PASSWORD)).secret, rawSecret())
    await assert.rejects(key.open(Buffer.from('another')), DecryptionFailed)
  })
  test('is refused when it names the address of another key', async () => {
    const account = { address: Wallet.createRandom().address, privateKey: wallet.privateKey }
    const text = await encryptKeystoreJson(account, password, { scrypt })
    await assert.rejects(open(text), /its address is not that of the key/)
  })
  longTest('written by this program is opened by ethers', async () => {
    const made = { ...(await leaving()), privateKey: rawSecret().bytes }
    const text = await writeKeystore(made, PASSWORD)
    const account = await decryptKeystoreJson(text, password)
    assert.equal(account.privateKey, wallet.privateKey)
    assert.equal(account.address, wallet.address)
    assert.deepEqual((await open(text)).secret, rawSecret())
  })
  test('of the format’s own definition, with scrypt and with pbkdf2, gives its key', async () => {
    const key = '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
    // The scrypt of the definition, with eight parallel parts, takes seconds.
    for (const crypto of firstRows([
      {
        cipher: 'aes-128-ctr',
        cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
        ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
        kdf: 'pbkdf2',
        kdfparams: {
          c: 262144,
          dklen: 32,
          prf: 'hmac-sha256',
          salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
        },
        mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
      },
      {
        cipher: 'aes-128-ctr',
        cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
        ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
        kdf: 'scrypt',
        kdfparams: {
          dklen: 32,
          n: 262144,
          p: 8,
          r: 1,
          salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
        },
        mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
      },
    ])) {
      const found = await open(JSON.stringify({ crypto, version: 3 }), Buffer.from('testpassword'))
      assert.equal(found.secret.bytes.toString('hex'), key)
    }
  })
})

describe('a key file of this program', () => {
  test('is imported from a copy, with its path and its prefix', async () => {
    deriveCheaply()
    const key = recogniseKey(encodeKey(await sealed()).toString(), 'auto')
    assert.equal(key.format, 'swap')
    const found = await key.open(PASSWORD)
    isMnemonic(found)
    assert.equal(found.hdPath, thorPath)
    assert.equal(found.prefix, 'thor')
    await assert.rejects(key.open(Buffer.from('another')), DecryptionFailed)
  })
})

describe('a secret in the clear', () => {
  test('is a mnemonic, or 64 hex digits with or without 0x', async () => {
    assert.deepEqual((await open(`  ${TWELVE}\n`)).secret.bytes, entropyOf(TWELVE))
    for (const text of ['07'.repeat(32), `0x${'07'.repeat(32)}\n`])
      assert.deepEqual((await open(text)).secret, rawSecret())
  })
})
