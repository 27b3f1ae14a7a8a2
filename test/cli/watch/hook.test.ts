import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { hookOf } from '../../../src/cli/watch/hook.js'
import { temporaryFolder } from '../../support/folder.js'

const { signal } = new AbortController()
/** A command of JavaScript, quoted. */
const node = (script: string) => `"${process.execPath}" -e '${script}'`
const context = (env: Record<string, string> = {}) => ({ env, cwd: temporaryFolder('hook') })

describe('the command of --exec', () => {
  test('reads its input in the folder of the user, without a shell and without the password', async () => {
    const { cwd, env } = context({ SWAP_PASSWORD: 'secret', OTHER: '1' })
    const script =
      'const all = [require("fs").readFileSync(0, "utf8"), process.argv[1], process.env.SWAP_PASSWORD, process.env.OTHER]; require("fs").writeFileSync("seen", JSON.stringify(all))'
    const hook = hookOf(`${node(script)} '$OTHER; ls'`, { cwd, env })
    assert.deepEqual(await hook('{"type":"quote"}\n', signal), { exit: 0, signal: null })
    assert.deepEqual(JSON.parse(readFileSync(join(cwd, 'seen'), 'utf8')), [
      '{"type":"quote"}\n',
      '$OTHER; ls',
      null,
      '1',
    ])
  })
  test('has its status, also if it reads nothing of a long input', async () => {
    const hook = hookOf(node('process.exit(3)'), context())
    assert.deepEqual(await hook('x'.repeat(1_000_000), signal), { exit: 3, signal: null })
  })
  test('is ended when the watch is', async () => {
    const ending = new AbortController()
    const running = hookOf(node('setInterval(() => {}, 1e6)'), context())('', ending.signal)
    ending.abort()
    assert.deepEqual(await running, { exit: null, signal: 'SIGTERM' })
    const late = hookOf(node('setTimeout(() => {}, 3000)'), context())('', ending.signal)
    assert.deepEqual(await late, { exit: null, signal: 'SIGTERM' })
  })
  test('is refused where the system cannot start it', async () => {
    for (const program of ['/none', `${process.execPath}/x`])
      await assert.rejects(hookOf(program, context())('', signal), {
        code: 'INVALID_REQUEST',
        message: 'the command of --exec cannot be started',
      })
  })
  test('is refused without a word, or with a quote that is not closed', () => {
    for (const command of ['', '  ', 'notify "now'])
      assert.throws(() => hookOf(command, context()), { code: 'INVALID_REQUEST' })
  })
})
