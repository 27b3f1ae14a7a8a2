import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'

const QUOTE = ['route', '1', 'btc', 'rune', '-q']

/** Runs `swap` in a folder; `before` is done there by a shell. */
function run(cwd: string, argv: readonly string[], env: Record<string, string>, before = 'true') {
  const line = ['-c', `${before}; exec "$0" "$@"`, process.execPath, resolve('bin/swap.js')]
  return spawnSync('sh', [...line, ...argv], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
  })
}

describe.skipIf(process.platform === 'win32')('the folders of the user', () => {
  const relative = {
    HOME: { HOME: 'home' },
    XDG_STATE_HOME: { XDG_STATE_HOME: 'state', XDG_DATA_HOME: 'data', XDG_CACHE_HOME: 'cache' },
  }
  for (const [name, env] of Object.entries(relative))
    test(`are not below the current one where ${name} is relative`, () => {
      const cwd = temporaryFolder('relative')
      const { status, stderr } = run(cwd, QUOTE, env)
      assert.equal(status, 0, stderr)
      assert.match(stderr, /no home folder, so this quote is not kept/)
      assert.deepEqual(readdirSync(cwd), [])
    })
  test('are not the current one without a home folder', () => {
    const cwd = temporaryFolder('homeless')
    const env = { HOME: 'home' }
    mkdirSync(join(cwd, 'quotes'))
    writeFileSync(join(cwd, 'quotes', 'q_0123456789abcdef.json'), '{}')
    const { status, stderr } = run(cwd, ['simulate', 'q_0123456789abcdef'], env)
    assert.match(stderr, /no quote q_0123456789abcdef is kept/)
    assert.equal(status, 2)
  })
  test('are not needed to say that the current one was removed', () => {
    const cwd = join(temporaryFolder('removed'), 'folder')
    mkdirSync(cwd)
    const { status, stdout, stderr } = run(cwd, [...QUOTE, '--json'], {}, 'rmdir "$PWD"')
    assert.equal(status, 2, stderr)
    assert.match(JSON.parse(stdout).detail, /^there is no current folder/)
  })
})
