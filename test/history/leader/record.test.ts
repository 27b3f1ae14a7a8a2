import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { fateOf, thisProcess } from '../../../src/history/store/sqlite/process.js'
import {
  breakRecord,
  isGone,
  readRecord,
  takeRecord,
} from '../../../src/history/store/sqlite/record.js'
import { inFolder } from '../../support/history.js'

const dead = (): number => spawnSync(process.execPath, ['-e', '']).pid
const old = (path: string): void => utimesSync(path, new Date(0), new Date(0))

describe('a process', () => {
  test('is alive, dead, or of another machine', () => {
    const own = thisProcess()
    assert.equal(fateOf(own), 'alive')
    assert.equal(fateOf({ ...own, pid: dead() }), 'dead')
    assert.equal(fateOf({ ...own, host: 'elsewhere.example' }), 'elsewhere')
  })

  test.skipIf(process.platform !== 'linux')('that got the number of a dead one is not it', () => {
    assert.equal(fateOf({ ...thisProcess(), start: '1' }), 'dead')
  })
})

describe('a record', () => {
  test('is taken once, and broken only when it is stale', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'record')
      assert.equal(takeRecord(path, thisProcess()), true)
      assert.equal(takeRecord(path, thisProcess()), false)
      assert.deepEqual(readRecord(path)?.owner, thisProcess())
      const stale = (record: Parameters<typeof isGone>[0]) => isGone(record, 1_000)
      assert.equal(breakRecord(path, stale), false)
      assert.ok(existsSync(path))

      writeFileSync(path, JSON.stringify({ ...thisProcess(), pid: dead() }))
      let undone = 0
      assert.equal(
        breakRecord(path, stale, () => void (undone += 1)),
        true,
      )
      assert.deepEqual([undone, readRecord(path)], [1, undefined])
    })
  })

  test('that names nobody, or one of another machine, holds for some seconds', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'record')
      for (const text of ['', '{', JSON.stringify({ pid: 1, host: 'elsewhere.example' })]) {
        writeFileSync(path, text)
        assert.equal(isGone(readRecord(path) ?? assert.fail(), 60_000), false, text)
        old(path)
        assert.equal(isGone(readRecord(path) ?? assert.fail(), 60_000), true, text)
      }
    })
  })

  test('is left alone while another process breaks it, unless that one died', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'record')
      writeFileSync(path, JSON.stringify({ ...thisProcess(), pid: dead() }))
      writeFileSync(`${path}.guard`, '')
      assert.equal(
        breakRecord(path, () => true),
        false,
      )
      assert.ok(existsSync(path) && existsSync(`${path}.guard`))
      old(`${path}.guard`)
      assert.equal(
        breakRecord(path, () => true),
        false,
      )
      assert.equal(
        breakRecord(path, () => true),
        true,
      )
    })
  })
})
