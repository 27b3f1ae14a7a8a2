import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { isReadOnly, sqliteFault } from '../../../src/history/store/sqlite/sqlite-fault.js'

const refusing = (code: string) => () => {
  throw Object.assign(new Error(code), { code })
}

describe('a history on a read-only file system', () => {
  test('is reported as such, with a hint', () => {
    const fault = sqliteFault(
      '/ro/history.db',
      new Error("EROFS: read-only file system, mkdir '/ro'"),
    )
    assert.deepEqual([fault?.kind, fault?.code], ['readonly', 'NOT_READY'])
    assert.match(fault?.message ?? '', /read-only/)
    assert.match(fault?.hint ?? '', /--database/)
  })
  test('is distinguished from a folder without write permission', () => {
    const path = join(tmpdir(), 'history.db')
    assert.equal(isReadOnly(path), false)
    assert.equal(isReadOnly(path, refusing('EROFS')), true)
    assert.equal(isReadOnly(path, refusing('EACCES')), false)
    const fault = sqliteFault(path, new Error('attempt to write a readonly database'))
    assert.equal(fault?.kind, 'down')
  })
  test('is distinguished from a limit of the size of files', () => {
    const fault = sqliteFault('/x.db', new Error('EFBIG: file too large, write'))
    assert.deepEqual([fault?.kind, fault?.code], ['down', 'NOT_READY'])
  })
})
