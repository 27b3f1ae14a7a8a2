import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'vitest'

const source = JSON.stringify(new URL('../../src/platform/v8-settings.ts', import.meta.url).href)

describe('the settings of V8 for a service', () => {
  test('are flags that this version of Node knows', () => {
    const script = `import(${source}).then((v8) => v8.setUpForService())`
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--eval', script], {
      encoding: 'utf8',
    })
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  })
})
