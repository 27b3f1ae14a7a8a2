import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, test } from 'vitest'
import { encodeKey, type KeyDocument } from '../../../src/wallet/keyfile/key-document.js'
import { ensureFolder, type Store } from '../../../src/wallet/store/folder.js'
import { listKeys } from '../../../src/wallet/store/keys.js'
import { longTest } from '../../support/long.js'
import { freshStore, rawSecret, sealed } from '../keyring.js'

let child = ''
let source = ''
let before: KeyDocument
let after: KeyDocument
beforeAll(async () => {
  const { home = '' } = freshStore()
  child = join(home, 'crash-child.mjs')
  await build({
    entryPoints: ['test/wallet/store/crash-child.ts'],
    outdir: home,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    banner: {
      js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);",
    },
  })
  before = await sealed()
  after = await sealed(rawSecret())
  source = join(home, 'after.json')
  writeFileSync(source, encodeKey(after))
})

/** Runs a job that ends before its nth request to the disk; whether it came to its end. */
function run(job: string, { folder }: Store, nth: number): boolean {
  const { signal, stdout } = spawnSync(process.execPath, [child, job, folder, source, `${nth}`], {
    encoding: 'utf8',
  })
  assert.ok(signal === 'SIGKILL' || stdout === 'done', stdout)
  return stdout === 'done'
}

const addresses = async (store: Store) => {
  const { keys, broken } = await listKeys(store)
  assert.deepEqual(broken, [])
  return keys.map(({ name, document }) => [name, document.address])
}

/** Every point at which a job can end, until it comes through. */
async function everyEnd(
  job: string,
  start: readonly KeyDocument[],
  allowed: readonly (readonly (readonly [string, KeyDocument])[])[],
): Promise<void> {
  const seen = new Set<string>()
  for (let nth = 1; ; nth++) {
    const store = freshStore()
    await ensureFolder(store)
    for (const document of start)
      writeFileSync(join(store.folder, 'main.json'), encodeKey(document), { mode: 0o600 })
    const through = run(job, store, nth)
    const found = JSON.stringify(await addresses(store))
    const states = allowed.map((each) =>
      JSON.stringify(each.map(([name, { address }]) => [name, address])),
    )
    assert.ok(states.includes(found), `ended at ${nth}: ${found}`)
    seen.add(found)
    if (through) {
      assert.equal(found, states.at(-1))
      assert.deepEqual(
        readdirSync(store.folder).filter((name) => name.endsWith('.tmp')),
        [],
      )
      assert.ok(nth > 7, `${job} asks the disk only ${nth - 1} times`)
      break
    }
  }
  assert.ok(seen.size > 1)
}

describe('a process that is killed', () => {
  test('while it writes a key leaves no file or a complete one', () =>
    everyEnd('new', [], [[], [['main', after]]]))
  longTest('while it encrypts a key again leaves the old file or the new one', () =>
    everyEnd('replace', [before], [[['main', before]], [['main', after]]]),
  )
  longTest('while it renames a key leaves it under one name or both', () =>
    everyEnd(
      'rename',
      [before],
      [
        [['main', before]],
        [
          ['main', before],
          ['other', before],
        ],
        [['other', before]],
      ],
    ),
  )
})

test('an old draft of a key file is removed, a fresh one is not', async () => {
  const store = freshStore()
  await ensureFolder(store)
  writeFileSync(join(store.folder, 'main.json'), encodeKey(before), { mode: 0o600 })
  const drafts = ['.main.json.0123456789abcdef.tmp', '.main.json.fedcba9876543210.tmp']
  for (const draft of drafts) writeFileSync(join(store.folder, draft), 'half', { mode: 0o600 })
  utimesSync(join(store.folder, drafts[0] ?? ''), 1, 1)
  await listKeys(store)
  assert.deepEqual(readdirSync(store.folder).sort(), [drafts[1], 'main.json'].sort())
})
