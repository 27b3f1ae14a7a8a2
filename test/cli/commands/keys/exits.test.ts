import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { keysCommand } from '../../../../src/cli/commands/keys/command.js'
import { built } from '../../../support/program.js'
import { desk, TWELVE } from './desk.js'
import { screen } from './screen.js'

beforeAll(built)

/** A desk with the key `main`, and how a call of `swap keys` ends there. */
function stored() {
  const { home, pw, run, write } = desk()
  const { status } = run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
  assert.equal(status, 0)
  const ends = (...args: readonly string[]) => {
    const ended = run(['keys', ...args, '--json'], {})
    const code: string | undefined = JSON.parse(ended.stdout).code
    return { status: ended.status, code }
  }
  return { home, pw, write, ends }
}

type End = { readonly status: number | null; readonly code?: string | undefined }

const ways: Readonly<Record<string, () => End | Promise<End>>> = {
  '0': () => stored().ends('show', 'main'),
  '2 INVALID_REQUEST': () => stored().ends('new', 'main'),
  '2 CONFIRMATION_REQUIRED': () => stored().ends('delete', 'main', '--no-input'),
  '7 KEYFILE_NOT_FOUND': () => stored().ends('show', 'other'),
  '7 KEYFILE_INVALID': () => {
    const { write, ends } = stored()
    write(join('keys', 'main.json'), '{}')
    return ends('show', 'main')
  },
  '7 KEYFILE_PERMISSIONS': () => {
    const { home, ends } = stored()
    chmodSync(join(home, 'keys', 'main.json'), 0o640)
    return ends('show', 'main')
  },
  '7 WRONG_PASSWORD': () => {
    const { write, ends } = stored()
    return ends('check', 'main', '--password-file', write('wrong', 'another one altogether'))
  },
  '8 DECLINED': () => stored().ends('delete', 'main', '--confirm', 'other'),
  '130': async () => {
    const { home } = stored()
    const at = screen('exec $SWAP keys check main', { SWAP_HOME: home })
    await at.until('Password of main:')
    at.type('\x03')
    return { status: await at.ended }
  },
}

describe('swap keys ends with', () => {
  test('the codes of its help and no others', () => {
    const told = [...keysCommand.exit!.matchAll(/(?:^|, )(\d+) /g)].map(([, code]) => code)
    const reached = Object.keys(ways).map((way) => way.split(' ')[0])
    assert.deepEqual(new Set(told), new Set(reached))
  })
  for (const [name, way] of Object.entries(ways))
    test(name, async () => {
      const { status, code } = await way()
      assert.equal([status, code].filter((part) => part !== undefined).join(' '), name)
    })
})
