import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs, {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, test, vi } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import { keysFolder } from '../../../src/platform/user-folders.js'
import { encodeKey, type KeyDocument } from '../../../src/wallet/keyfile/key-document.js'
import { accountOf, requireFree, storeKey } from '../../../src/wallet/make.js'
import type { Secret } from '../../../src/wallet/secret.js'
import { writeNew } from '../../../src/wallet/store/files.js'
import { checkFolder, ensureFolder, type Store } from '../../../src/wallet/store/folder.js'
import { listKeys, loadKey } from '../../../src/wallet/store/keys.js'
import { freshStore, mnemonicSecret, PASSWORD, rawSecret, sealed } from '../keyring.js'

let document: KeyDocument
let store: Store
let path = ''
beforeAll(async () => {
  document = await sealed()
})
beforeEach(async () => {
  store = freshStore()
  await ensureFolder(store)
  path = join(store.folder, 'main.json')
  writeFileSync(path, encodeKey(document), { mode: 0o600 })
})

const refused = async (code: string, message: RegExp, fix?: RegExp) =>
  assert.rejects(loadKey(store, 'main'), (error) => {
    assert.ok(error instanceof SwapError, String(error))
    assert.equal(error.code, code)
    assert.match(error.why ?? '', message)
    if (fix) assert.match(error.hint ?? '', fix)
    assert.equal(typeof error.members['path'], 'string')
    return true
  })
const isRoot = process.geteuid?.() === 0

describe('a key file with correct place and mode', () => {
  test('is read', async () => {
    assert.deepEqual((await loadKey(store, 'main')).document, document)
  })
  /** Old drafts, whose removal takes a while. @returns waits until it has begun: the folder has been read */
  const manyDrafts = () => {
    const drafts = Array.from({ length: 200 }, (_, i) => draft(`old${i}`))
    for (const each of drafts) writeFileSync(each, '')
    for (const each of drafts) utimesSync(each, 0, 0)
    return async () => {
      while (drafts.every(existsSync)) await new Promise(setImmediate)
    }
  }
  const draft = (name: string) => join(store.folder, `.${name}.json.${'0'.repeat(16)}.tmp`)
  test('is read while another process creates it, which gives it two names for a moment', async () => {
    const begun = manyDrafts()
    const loading = loadKey(store, 'main')
    await begun()
    linkSync(path, draft('main'))
    assert.deepEqual((await loading).document, document)
  })
  test('is not listed as a broken one where another process removes it meanwhile', async () => {
    const begun = manyDrafts()
    const listing = listKeys(store)
    await begun()
    rmSync(path)
    assert.deepEqual(await listing, { keys: [], broken: [] })
  })
  test('may be read-only', async () => {
    chmodSync(path, 0o400)
    assert.equal((await loadKey(store, 'main')).name, 'main')
  })
})

describe('a key file that others could reach', () => {
  for (const mode of [0o604, 0o640, 0o660, 0o666, 0o601, 0o610, 0o602, 0o777])
    test(`is refused with mode ${mode.toString(8)}, and the error names the remedy`, async () => {
      chmodSync(path, mode)
      await refused('KEYFILE_PERMISSIONS', new RegExp(`mode is 0${mode.toString(8)}`), /^chmod 600/)
    })
  for (const mode of [0o750, 0o705, 0o710, 0o701, 0o770, 0o777])
    test(`is refused in a folder with mode ${mode.toString(8)}`, async () => {
      chmodSync(store.folder, mode)
      await refused('KEYFILE_PERMISSIONS', /look inside/, /^chmod 700/)
    })
  test('is refused below a folder where others may put another one', async () => {
    chmodSync(store.home ?? '', 0o770)
    await refused('KEYFILE_PERMISSIONS', /in place of yours/, /^chmod go-w/)
    chmodSync(store.home ?? '', 0o755)
    await loadKey(store, 'main')
  })
  test('is refused with a command that can be pasted, whatever the name of its folder', async () => {
    const folder = join(store.folder, 'my keys')
    store = { ...store, folder }
    mkdirSync(folder, { mode: 0o755 })
    await refused('KEYFILE_PERMISSIONS', /look inside/, /^chmod 700 '\/.*my keys'$/)
    chmodSync(folder, 0o700)
    renameSync(path, join(folder, 'main.json'))
    chmodSync(join(folder, 'main.json'), 0o644)
    await refused('KEYFILE_PERMISSIONS', /can read it/, /^chmod 600 '\/.*my keys\/main.json'$/)
  })
  test('is not refused because of a folder above the home folder', async () => {
    const deep = join(store.home ?? '', 'open', 'home', 'keys')
    mkdirSync(deep, { recursive: true, mode: 0o700 })
    chmodSync(join(store.home ?? '', 'open'), 0o777)
    assert.equal(await checkFolder({ folder: deep, home: dirname(deep) }), true)
    await assert.rejects(checkFolder({ folder: deep, home: undefined }), /not safe/)
  })
  test.runIf(isRoot)('is refused when it or a folder on the way belongs to another', async () => {
    chownSync(path, 65534, 65534)
    await refused('KEYFILE_PERMISSIONS', /another user/, /^have it given to you: chown/)
    chownSync(path, 0, 0)
    chownSync(store.folder, 65534, 65534)
    await refused('KEYFILE_PERMISSIONS', /another user/)
    chownSync(store.folder, 0, 0)
    chownSync(store.home ?? '', 65534, 65534)
    await refused('KEYFILE_PERMISSIONS', /another user, who can put/)
  })
  test('is refused with a second name', async () => {
    linkSync(path, join(store.folder, 'other'))
    await refused('KEYFILE_PERMISSIONS', /2 names/, /samefile/)
  })
})

describe('another kind of file in the place of a key file', () => {
  beforeEach(() => rmSync(path))
  test('is refused when it is a link, even to a good one', async () => {
    writeFileSync(join(store.folder, 'real'), encodeKey(document), { mode: 0o600 })
    symlinkSync(join(store.folder, 'real'), path)
    await refused('KEYFILE_PERMISSIONS', /symbolic link/)
  })
  test('is refused when it is a link to nothing', async () => {
    symlinkSync('nowhere', path)
    await refused('KEYFILE_PERMISSIONS', /symbolic link/)
  })
  test('is refused when it is a folder', async () => {
    mkdirSync(path, { mode: 0o700 })
    await refused('KEYFILE_PERMISSIONS', /not a plain file/)
  })
  test('is refused when it is a pipe, without waiting for its other end', async () => {
    spawnSync('mkfifo', ['-m', '600', path])
    await refused('KEYFILE_PERMISSIONS', /not a plain file/)
  })
  test('is refused when it is large, without being read to its end', async () => {
    writeFileSync(path, Buffer.alloc(100 * 2 ** 20), { mode: 0o600 })
    await refused('KEYFILE_INVALID', /larger than 16384 bytes/)
  })
  for (const content of ['', '{}', 'null', encodeBroken()])
    test(`is refused when it holds ${JSON.stringify(content).slice(0, 30)}`, async () => {
      writeFileSync(path, content, { mode: 0o600 })
      await refused('KEYFILE_INVALID', /^it(s| is)/)
    })
})

function encodeBroken(): string {
  return '{"format":"swap.key/1","kdf":{"n":1073741824}}'
}

describe('the folder of keys', () => {
  test('is made for its owner alone, and not when nothing is stored', async () => {
    const fresh = freshStore()
    await assert.rejects(loadKey(fresh, 'main'), /there is no key main/)
    assert.deepEqual(readdirSync(fresh.home ?? ''), [])
    await ensureFolder(fresh)
    assert.equal(statSync(fresh.folder).mode & 0o7777, 0o700)
  })
  test.skipIf(process.platform === 'win32')(
    'is made with its parents so that they survive a loss of power',
    async () => {
      const fresh = freshStore()
      const [above, folder] = [fresh.folder, join(fresh.folder, 'keys')]
      const opened = vi.spyOn(fs, 'openSync')
      syncBuiltinESMExports()
      await ensureFolder({ ...fresh, folder })
      const flushed = opened.mock.calls.map(([path]) => path)
      opened.mockRestore()
      syncBuiltinESMExports()
      assert.deepEqual(flushed.slice(0, 2), [above, dirname(above)])
    },
  )
  test('is refused when it is a link', async () => {
    renameSync(store.folder, `${store.folder}-real`)
    symlinkSync(`${store.folder}-real`, store.folder)
    await refused('KEYFILE_PERMISSIONS', /symbolic link/)
  })
  test('is where the environment specifies', () => {
    assert.equal(
      keysFolder({ env: { SWAP_HOME: '/s', XDG_DATA_HOME: '/x' }, home: '/h' }),
      '/s/keys',
    )
    assert.equal(keysFolder({ env: { XDG_DATA_HOME: '/x' }, home: '/h' }), '/x/swap/keys')
    assert.equal(keysFolder({ env: {}, home: '/h' }), '/h/.local/share/swap/keys')
    assert.equal(keysFolder({ env: {}, home: undefined }), undefined)
  })
  test('lists usable keys, and reports files that cannot be used', async () => {
    writeFileSync(join(store.folder, 'bad.json'), '{}', { mode: 0o600 })
    writeFileSync(join(store.folder, 'open.json'), encodeKey(document), { mode: 0o600 })
    chmodSync(join(store.folder, 'open.json'), 0o644)
    writeFileSync(join(store.folder, 'Notes.json'), '{}')
    const { keys, broken } = await listKeys(store)
    assert.deepEqual(
      keys.map(({ name }) => name),
      ['main'],
    )
    assert.deepEqual(
      broken.map(({ name, error }) => [name, error.code]),
      [
        ['bad', 'KEYFILE_INVALID'],
        ['open', 'KEYFILE_PERMISSIONS'],
      ],
    )
  })
})

describe('a new key file', () => {
  test('is 0600 whatever the umask, and never replaces another', async () => {
    for (const mask of [0o000, 0o022, 0o277]) {
      const before = process.umask(mask)
      const file = join(store.folder, `mask-${mask}.json`)
      try {
        assert.equal(await writeNew(file, Buffer.from('one')), true)
      } finally {
        process.umask(before)
      }
      assert.equal(statSync(file).mode & 0o7777, 0o600)
      assert.equal(await writeNew(file, Buffer.from('two')), false)
      assert.equal(readFileSync(file, 'utf8'), 'one')
    }
    assert.deepEqual(
      readdirSync(store.folder).filter((name) => name.startsWith('.')),
      [],
    )
  })
  test('has no name that is in use, nor that of the built-in key', async () => {
    await assert.rejects(requireFree(store, 'main'), /there is a key main already/)
    await assert.rejects(requireFree(store, 'demo'), /built-in/)
    const account = await accountOf(rawSecret(), { hdPath: null, prefix: 'thor' })
    const made = { name: 'main', secret: rawSecret(), account, backup: 'imported' as const }
    await assert.rejects(storeKey(store, made, PASSWORD), /already/)
    assert.deepEqual((await loadKey(store, 'main')).document, document)
  })
  test('of two that are made at once under one name, one is kept and named to the other', async () => {
    const make = async (secret: Secret) => {
      const account = await accountOf(secret, { hdPath: 'm/0', prefix: 'thor' })
      return storeKey(store, { name: 'twin', secret, account, backup: 'checked' }, PASSWORD)
    }
    const ends = await Promise.allSettled([make(mnemonicSecret()), make(rawSecret())])
    assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const { address } = (await loadKey(store, 'twin')).document
    const refused = ends.find((end) => end.status === 'rejected')
    assert.match(refused?.reason.why, new RegExp(`^its address is ${address}, `))
  })
})
