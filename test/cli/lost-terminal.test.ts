import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, vi } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { inTerminal } from '../support/terminal.js'
import { bin } from './watch/stage.js'

describe('a terminal that is lost without SIGHUP', () => {
  test('ends the program with 129, not by an abort', async () => {
    const folder = temporaryFolder('lost')
    const status = join(folder, 'status')
    // In a session of its own, so that the kernel sends no signal.
    const line = 'setsid sh -c \'"$@"; echo $? >"$0"\' "$0" "$@"'
    const call = [process.execPath, bin, 'keys', 'new', 'main'] as const
    const screen = inTerminal(['sh', '-c', line, status, ...call], { env: { SWAP_HOME: folder } })
    await screen.shows((rows) => rows.some((row) => row.includes('Password')))
    screen.kill()
    await vi.waitFor(() => assert.ok(existsSync(status) && readFileSync(status).length > 0), 10_000)
    assert.equal(readFileSync(status, 'utf8'), '129\n')
  })
})
