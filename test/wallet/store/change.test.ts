import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test, vi } from 'vitest'
import { accountOf, removeKey, renameKey, resealKey, storeKey } from '../../../src/wallet/make.js'
import { loadSealed, type SealedKey } from '../../../src/wallet/store/keys.js'
import { deriveCheaply } from '../../support/remembered-scrypt.js'
import { freshStore, PASSWORD, rawSecret } from '../keyring.js'

beforeAll(deriveCheaply)

const N = 2 ** 17
const anew = Buffer.from('opaque walrus 77 candle')

async function stored() {
  const store = freshStore()
  const account = await accountOf(rawSecret(), { hdPath: null, prefix: 'thor' })
  const made = { name: 'main', secret: rawSecret(), account, backup: 'imported' as const }
  await storeKey(store, made, PASSWORD)
  const key = await loadSealed(store, 'main')
  return { store, key, files: () => readdirSync(store.folder) }
}

const reseal = (key: SealedKey) => resealKey(key, rawSecret(), anew, N)
const isBusy = { code: 'BUSY', why: /main was changed, renamed or removed/ }

describe('a key file that another process has changed meanwhile', () => {
  test('is not written again under its old name', async () => {
    const { store, key, files } = await stored()
    await renameKey(store, key, 'other')
    await assert.rejects(reseal(key), isBusy)
    assert.deepEqual(files(), ['other.json'])
  })

  test('is neither renamed nor removed as it was before', async () => {
    const { store, key, files } = await stored()
    const { document } = await reseal(key)
    await assert.rejects(renameKey(store, key, 'other'), isBusy)
    await assert.rejects(removeKey(key), isBusy)
    assert.deepEqual(files(), ['main.json'])
    assert.deepEqual((await loadSealed(store, 'main')).document, document)
  })

  test('is left alone while another one has the lock, also where the lock does not say which', async () => {
    const { store, key, files } = await stored()
    writeFileSync(join(store.folder, '.changes.lock'), '')
    // The wait for the lock is over at once.
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 60_000))
    await assert.rejects(removeKey(key), { code: 'BUSY', why: 'process unknown changes key files' })
    vi.restoreAllMocks()
    assert.ok(files().includes('main.json'))
  })

  test('is one file, whichever change comes first', async () => {
    const { store, key, files } = await stored()
    const ends = await Promise.allSettled([reseal(key), renameKey(store, key, 'other')])
    assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal(files().length, 1)
  })
})
