import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secp256k1, Secp256k1Signature } from '@cosmjs/crypto'
import { SignDoc } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import { beforeAll, describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import { encodeExternal, encodeKey } from '../../../src/wallet/keyfile/key-document.js'
import {
  findKey,
  type KeyChoice,
  type PasswordSource,
  type SigningChain,
} from '../../../src/wallet/signer.js'
import type { SignRequest } from '../../../src/wallet/signing/protocol.js'
import { ensureFolder, type Store } from '../../../src/wallet/store/folder.js'
import { runs } from '../../support/books.js'
import { longTest } from '../../support/long.js'
import { freshStore, PASSWORD, sealed, typing } from '../keyring.js'

const thor: SigningChain = { chainId: 'thor-test', prefix: 'thor', demoChainId: 'demo-1' }
const demo: SigningChain = { chainId: 'demo-1', prefix: 'demo', demoChainId: 'demo-1' }

const requestFor = (bytes: Uint8Array): SignRequest => ({
  ...({} as SignRequest),
  sign_mode: 'direct',
  sign_bytes: Buffer.from(bytes).toString('base64'),
})
const never = new AbortController().signal

const documentFor = (chainId: string, body = Buffer.from('body')): Uint8Array =>
  SignDoc.encode(SignDoc.fromPartial({ bodyBytes: body, chainId, accountNumber: 7n })).finish()

const code =
  (wanted: string, message?: RegExp) =>
  (error: unknown): true => {
    assert.ok(error instanceof SwapError)
    assert.equal(error.code, wanted)
    if (message) assert.match(`${error.message} ${error.why}`, message)
    return true
  }

const openSigner = async (
  {
    store,
    key,
    password,
  }: { readonly store: Store; readonly key: KeyChoice; readonly password: PasswordSource },
  chain: SigningChain,
) => (await findKey(store, key, chain)).unlock(password)

let store: Store
beforeAll(async () => {
  store = freshStore()
  await ensureFolder(store)
  writeFileSync(join(store.folder, 'main.json'), encodeKey(await sealed()), { mode: 0o600 })
})

describe('a signer', () => {
  test('signs so that its public key verifies, with a low s, the same every time', async () => {
    const key = await findKey(store, { name: 'demo' }, demo)
    const half = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
    const signed = async (bytes: Uint8Array) =>
      (await (await key.unlock(typing())).sign(requestFor(bytes), never)).signature
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (body) => {
        const bytes = documentFor('demo-1', Buffer.from(body))
        const signature = await signed(bytes)
        assert.equal(signature.length, 64)
        assert.deepEqual(await signed(bytes), signature)
        assert.ok(BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`) <= half)
        const digest = createHash('sha256').update(bytes).digest()
        const parsed = Secp256k1Signature.fromFixedLength(signature)
        assert.ok(Secp256k1.verifySignature(parsed, digest, key.publicKey))
      }),
      runs(20),
    )
  })
  test('of a key file signs one transaction in a process of its own', async () => {
    const key = await findKey(store, { name: 'main' }, thor)
    const password = typing(PASSWORD)
    const signer = await key.unlock(password)
    assert.deepEqual([signer.address, password.asked], [key.address, 1])
    const bytes = documentFor('thor-test')
    const answer = await signer.sign(requestFor(bytes), never)
    assert.deepEqual(Buffer.from(answer.publicKey), Buffer.from(key.publicKey))
    const signature = Secp256k1Signature.fromFixedLength(answer.signature)
    const digest = createHash('sha256').update(bytes).digest()
    assert.ok(Secp256k1.verifySignature(signature, digest, key.publicKey))
    await assert.rejects(signer.sign(requestFor(bytes), never), /one signature/)
    signer.forget()
  })
  test('refuses to sign for another chain and after it has forgotten its key', async () => {
    const signer = await openSigner(
      { store, key: { name: 'main' }, password: typing(PASSWORD) },
      thor,
    )
    await assert.rejects(
      signer.sign(requestFor(documentFor('other-1')), never),
      code('INVALID_REQUEST', /other-1/),
    )
    signer.forget()
    await assert.rejects(signer.sign(requestFor(documentFor('thor-test')), never), /one signature/)
    const amino = await (await findKey(store, { name: 'demo' }, demo)).unlock(typing())
    const document = requestFor(Buffer.from('{"chain_id":"thor-test"}'))
    await assert.rejects(amino.sign(document, never), code('INVALID_REQUEST', /thor-test/))
  })
  test('that needs too slow a derivation is refused before a password is requested', async () => {
    const document = { ...(await sealed()), kdf: { ...(await sealed()).kdf, n: 2 ** 20, p: 4 } }
    writeFileSync(join(store.folder, 'slow.json'), encodeKey(document), { mode: 0o600 })
    const asked = typing(PASSWORD)
    const opening = openSigner({ store, key: { name: 'slow' }, password: asked }, thor)
    await assert.rejects(opening, code('KEYFILE_INVALID', /13 s .* 1074 MB/))
    assert.equal(asked.asked, 0)
    rmSync(join(store.folder, 'slow.json'))
  })
  test('is known by address and public key without a password', async () => {
    const key = await findKey(store, { name: 'main' }, thor)
    assert.match(key.address, /^thor1/)
    assert.equal(key.publicKey.length, 33)
  })
  test('may be a file in any folder', async () => {
    const key = await findKey(store, { file: join(store.folder, 'main.json') }, thor)
    assert.match(key.address, /^thor1/)
    const missing = join(store.folder, 'none.json')
    const opening = findKey(store, { file: missing }, thor)
    await assert.rejects(opening, code('KEYFILE_NOT_FOUND', /there is no such file/))
  })
  test('of a file from elsewhere that names a command is refused', async () => {
    const signer = 'exec:anything'
    const file = join(store.folder, 'foreign.json')
    const { address, pubkey, prefix, created_at } = await sealed()
    const entry = { format: 'swap.external/1', sign_mode: 'direct', signer } as const
    const bytes = encodeExternal({ ...entry, address, pubkey, prefix, created_at })
    writeFileSync(file, bytes, { mode: 0o600 })
    await assert.rejects(findKey(store, { file }, thor), code('INVALID_REQUEST', /exec:anything/))
    await assert.rejects(findKey(store, { name: 'foreign' }, thor), code('INVALID_REQUEST'))
    rmSync(file)
  })
  test('is refused on a network with other addresses before a password is requested', async () => {
    const asked = typing(PASSWORD)
    const opening = openSigner({ store, key: { name: 'main' }, password: asked }, demo)
    await assert.rejects(opening, code('INVALID_REQUEST', /begin with demo1/))
    assert.equal(asked.asked, 0)
  })
  longTest(
    'accepts another password after a wrong one, and fails after the last with one message',
    async () => {
      const wrong = Buffer.from('wrong password')
      const key = { name: 'main' }
      const twice = typing(wrong, PASSWORD)
      const signer = await openSigner({ store, key, password: twice }, thor)
      assert.equal(twice.asked, 2)
      signer.forget()
      const never = typing(wrong)
      await assert.rejects(
        openSigner({ store, key, password: never }, thor),
        code('WRONG_PASSWORD', /wrong password or damaged file/),
      )
      assert.equal(never.asked, 1)
    },
  )
  test('of an unknown key is refused with the names of the known ones', async () => {
    const opening = findKey(store, { name: 'mian' }, thor)
    await assert.rejects(opening, code('KEYFILE_NOT_FOUND', /the key files are main/))
  })
})

describe('the built-in key', () => {
  test('signs for the demo chain without a password', async () => {
    const key = await findKey(store, { name: 'demo' }, demo)
    const asked = typing()
    const signer = await key.unlock(asked)
    assert.equal(asked.asked, 0)
    assert.equal((await signer.sign(requestFor(documentFor('demo-1')), never)).signature.length, 64)
    const other = await key.unlock(asked)
    await assert.rejects(
      other.sign(requestFor(documentFor('thor-test')), never),
      code('INVALID_REQUEST'),
    )
  })
  test('signs for no other chain, whatever its addresses look like', async () => {
    for (const chain of [thor, { ...demo, chainId: 'demo-2' }, { ...demo, chainId: '' }])
      await assert.rejects(findKey(store, { name: 'demo' }, chain), code('INVALID_REQUEST', /demo/))
  })
})
