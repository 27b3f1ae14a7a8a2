import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { readSnapshot, writeDocument } from '../../../src/chain/market/snapshot-file.js'
import { demoDocument } from '../../service/stage.js'
import { temporaryFolder } from '../../support/folder.js'

const folder = temporaryFolder()

describe.skipIf(process.platform === 'win32')('a document', () => {
  test('is written to the file that a link leads to, which keeps its permissions', () => {
    const [file, link] = [join(folder, 'file'), join(folder, 'link')]
    writeFileSync(file, 'before', { mode: 0o600 })
    symlinkSync('file', link)
    writeDocument(link, { height: 1 })
    assert.equal(lstatSync(link).isSymbolicLink(), true)
    assert.equal(readFileSync(file, 'utf8'), '{"height":1}\n')
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  test('never replaces a pipe or a device', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    assert.throws(() => writeDocument(pipe, {}), {
      code: 'INVALID_REQUEST',
      why: 'it is not a regular file',
    })
    assert.equal(lstatSync(pipe).isFIFO(), true)
  })
})

test('a document of more than 64 levels, which could not be written again, is refused', async () => {
  const file = join(folder, 'deep.json')
  writeFileSync(file, `{"format":${'['.repeat(64)}${']'.repeat(64)}}`)
  await assert.rejects(readSnapshot(file, process.stdin), {
    code: 'INVALID_SNAPSHOT',
    why: 'it is JSON of more than 64 levels',
  })
})

test.each(['2026-02-31T00:00:00Z', '2026-02-29T12:00:00Z', '2026-13-01T00:00:00Z'])(
  'a snapshot of a time that does not exist is refused: %s',
  async (time) => {
    const file = join(folder, 'time.json')
    writeFileSync(file, JSON.stringify({ ...demoDocument, time }))
    await assert.rejects(readSnapshot(file, process.stdin), {
      code: 'INVALID_SNAPSHOT',
      why: `/time is not a time that exists: ${time}`,
    })
  },
)
