import assert from 'node:assert/strict'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { built } from '../../../support/program.js'
import { deriveCheaply } from '../../../support/remembered-scrypt.js'
import { desk, jsonOf, TWELVE } from './desk.js'

beforeAll(built)
beforeAll(deriveCheaply)

describe('swap keys import', () => {
  test('keeps the words of a mnemonic whose private key is stored already', async () => {
    const { home, pw, run, keys } = desk()
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
    const hex = join(home, 'hex')
    const plain = ['--format', 'hex', '--unsafe', '--confirm', 'main', '--out', hex]
    await keys('export', 'main', '--password-file', pw, ...plain)
    const other = (args: readonly string[], input = '') =>
      run(['keys', ...args, '--password-file', pw], {
        env: { SWAP_HOME: join(home, 'other') },
        input,
      })
    await other(['import', 'raw', hex])
    const words = await other(['import', 'words', '-', '--json'], TWELVE)
    assert.equal(words.status, 0, words.stderr)
    assert.deepEqual([jsonOf(words).existing, jsonOf(words).name], [false, 'words'])
    const shown = ['--format', 'mnemonic', '--unsafe', '--confirm', 'words']
    assert.equal((await other(['export', 'words', ...shown])).stdout.trim(), TWELVE)
    for (const again of [
      await other(['import', 'more', hex, '--json']),
      await other(['import', 'more', '-', '--json'], TWELVE),
    ])
      assert.deepEqual([jsonOf(again).existing, jsonOf(again).name], [true, 'words'])
  })
})
