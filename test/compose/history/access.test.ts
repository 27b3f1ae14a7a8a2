import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'vitest'
import { historyAccess } from '../../../src/compose/history/access.js'
import { historyPlace } from '../../../src/compose/history/store.js'
import { loadConfig } from '../../../src/config/load.js'
import { temporaryFolder } from '../../support/folder.js'

test('an indexer continues with a new file after a reset has removed its own', async () => {
  const home = temporaryFolder('history-access')
  const sources = { env: { SWAP_HOME: home }, cwd: home, home, flags: {} }
  const config = await loadConfig(sources)
  const surroundings = { ...sources, stdin: process.stdin }
  const access = historyAccess(config, surroundings)
  const indexer = await access.indexer()
  const { signal } = new AbortController()
  const options = { from: undefined, reindex: false, signal, progress: () => {}, failed: () => {} }
  const { done } = await indexer.run(options)
  assert.ok(done > 0)
  rmSync(dirname(historyPlace(config, surroundings).database), { recursive: true })
  assert.equal((await indexer.run(options)).done, done)
  indexer.close()
  await access.close()
})
