import assert from 'node:assert/strict'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { acquireLock } from '../../src/platform/lock-file.js'
import { temporaryFolder } from '../support/folder.js'

const folder = temporaryFolder('exhausted')

/** Calls `work` while this process can open no further file. */
function withoutFiles(work: () => void): void {
  const open: number[] = []
  try {
    assert.throws(
      () => {
        for (;;) open.push(openSync(folder, 'r'))
      },
      { code: 'EMFILE' },
    )
    work()
  } finally {
    for (const file of open) closeSync(file)
  }
}

test('a lock is held and released where no further file can be opened', async () => {
  for (const heartbeatMs of [0, 60_000]) {
    const path = join(folder, `of-${heartbeatMs}`)
    const rules = { heartbeatMs, remoteSilenceMs: 60_000, unreadableMs: 60_000 }
    const lock = await acquireLock(path, 0, rules)
    withoutFiles(() => {
      assert.equal(lock.isHeld(), true)
      lock.release()
    })
    assert.equal(existsSync(path), false)
  }
})
