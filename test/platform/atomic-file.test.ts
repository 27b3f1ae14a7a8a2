import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import {
  createFile,
  draftName,
  replaceFile,
  replaceNamedFile,
  syncFolder,
} from '../../src/platform/atomic-file.js'

const root = mkdtempSync(join(tmpdir(), 'swap-atomic-'))
const fresh = (): string => mkdtempSync(join(root, 'case-'))

describe('an atomic file', () => {
  test('is replaced with mode 0600 whatever the umask, and leaves no draft', () => {
    const folder = fresh()
    const path = join(folder, 'file')
    writeFileSync(path, 'before', { mode: 0o644 })
    const umask = process.umask(0o277)
    try {
      for (const isDurable of [false, true]) replaceFile(path, 'after', { isDurable })
    } finally {
      process.umask(umask)
    }
    assert.equal(readFileSync(path, 'utf8'), 'after')
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(folder), ['file'])
  })

  test.skipIf(process.platform === 'win32')(
    'that a user named has the mode of other new files',
    () => {
      const path = join(fresh(), 'file')
      const umask = process.umask(0o27)
      try {
        replaceNamedFile(path, 'text')
      } finally {
        process.umask(umask)
      }
      assert.equal(statSync(path).mode & 0o777, 0o640)
    },
  )

  test('is created only where the name is free', () => {
    const folder = fresh()
    const path = join(folder, 'file')
    assert.equal(createFile(path, 'first', { isDurable: true }), true)
    assert.equal(createFile(path, 'second'), false)
    assert.equal(readFileSync(path, 'utf8'), 'first')
    assert.deepEqual(readdirSync(folder), ['file'])
  })

  test.skipIf(process.platform === 'win32')(
    'is not created where its folder cannot be flushed',
    () => {
      const [folder, before] = [fresh(), process.cwd()]
      const isRoot = process.geteuid?.() === 0
      if (isRoot) chownSync(folder, 65534, 65534)
      // Its owner can write files there, but not open the folder itself.
      chmodSync(folder, 0o300)
      process.chdir(folder)
      if (isRoot) process.seteuid?.(65534)
      try {
        assert.throws(() => createFile('file', 'text', { isDurable: true }), { path: '.' })
      } finally {
        if (isRoot) process.seteuid?.(0)
        process.chdir(before)
        chmodSync(folder, 0o700)
      }
      assert.deepEqual(readdirSync(folder), [])
    },
  )

  test.runIf(process.platform === 'linux')('names the folder that cannot be flushed', () =>
    assert.throws(() => syncFolder('/proc'), { code: 'EINVAL', path: '/proc' }),
  )

  test('is named by the error of a write that fails', () => {
    const path = join(fresh(), 'file')
    const fails = () => {
      throw Object.assign(new Error('ENOSPC: full'), { code: 'ENOSPC', syscall: 'write' })
    }
    for (const write of [replaceFile, createFile])
      assert.throws(() => write(path, fails), { code: 'ENOSPC', path })
  })

  test('keeps its content and leaves no draft when the new content fails', () => {
    const folder = fresh()
    const path = join(folder, 'file')
    writeFileSync(path, 'before')
    const fails = (file: number) => {
      writeFileSync(file, 'half')
      throw new Error('cut off')
    }
    assert.throws(() => replaceFile(path, fails), /cut off/)
    assert.throws(() => replaceFile(join(folder, 'no', 'folder'), 'text'), { code: 'ENOENT' })
    assert.equal(readFileSync(path, 'utf8'), 'before')
    assert.deepEqual(readdirSync(folder), ['file'])
  })

  test('has a draft that is found again by its name', () => {
    const folder = fresh()
    let names: readonly string[] = []
    replaceFile(join(folder, 'main.json'), () => {
      names = readdirSync(folder)
    })
    assert.deepEqual(
      names.map((name) => draftName.exec(name)?.[1]),
      ['main.json'],
    )
  })
})
