import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { type Consumer, compile, packed, replayOn, run, writeConsumer } from './consumer.js'

/** Bytes of the tarball at most. */
const MOST = 1_500_000

let tarball: Awaited<ReturnType<typeof packed>>
let consumer: Consumer
beforeAll(async () => {
  tarball = await packed()
  const folder = temporaryFolder('consumer')
  const target = join(folder, 'node_modules/swap')
  mkdirSync(target, { recursive: true })
  // What an installation unpacks; the long run installs with npm, in every runtime.
  await run('tar', ['-xzf', tarball.file, '-C', target, '--strip-components=1'])
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  consumer = await writeConsumer(folder, 30)
})

describe('the packed tarball', () => {
  test(`has at most ${MOST} bytes, without source maps and sources`, () => {
    assert.ok(tarball.bytes <= MOST, `${tarball.bytes} bytes`)
    const files = readdirSync(join(consumer.folder, 'node_modules/swap'), {
      recursive: true,
      encoding: 'utf8',
    })
    assert.deepEqual(
      files.filter((file) => /\.map$|^(src|test|packaging)/.test(file)),
      [],
    )
    for (const file of ['LICENSE', 'README.md', 'dist/THIRD-PARTY-LICENSES.txt'])
      assert.ok(files.includes(file), file)
  })
  test('has types that a strict TypeScript program compiles with, also with a bundler', async () => {
    await compile(consumer, 'tsconfig.json')
    await compile(consumer, 'tsconfig.bundler.json')
  })
  test('pays on recorded executions what the contracts paid', async () => {
    const { compared, wrong } = await replayOn(process.execPath, consumer)
    assert.deepEqual(wrong, [])
    assert.ok(compared > 30, `${compared} cases`)
  })
  test('is bundled for browsers without an import', () => {
    const page = readFileSync(join(consumer.folder, 'page/page.js'), 'utf8')
    assert.doesNotMatch(page, /^import |\bfrom ?["']|require\(/m)
  })
})
