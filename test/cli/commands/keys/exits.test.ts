import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { keysCommand } from '../../../../src/cli/commands/keys/command.js'
import { runIn } from '../../../support/cli.js'
import { longTest } from '../../../support/long.js'
import { deriveCheaply } from '../../../support/remembered-scrypt.js'
import { desk, TWELVE } from './desk.js'
import { screen } from './screen.js'

beforeAll(deriveCheaply)

/** A desk with the key `main`, and how a call of `swap keys` ends there. */
async function stored() {
  const { home, pw, run, write } = desk()
  const { status } = await run(['keys', 'import', 'main', '-', '--password-file', pw], {
    input: TWELVE,
  })
  assert.equal(status, 0)
  const ends = async (...args: readonly string[]) => {
    const ended = await run(['keys', ...args, '--json'], {})
    const code: string | undefined = JSON.parse(ended.stdout).code
    return { status: ended.status, code }
  }
  return { home, pw, write, ends }
}

type End = { readonly status: number | null; readonly code?: string | undefined }

const ways: Readonly<Record<string, () => End | Promise<End>>> = {
  '0': async () => (await stored()).ends('show', 'main'),
  '2 INVALID_REQUEST': async () => (await stored()).ends('new', 'main'),
  '2 CONFIRMATION_REQUIRED': async () => (await stored()).ends('delete', 'main', '--no-input'),
  '7 KEYFILE_NOT_FOUND': async () => (await stored()).ends('show', 'other'),
  '7 KEYFILE_INVALID': async () => {
    const { write, ends } = await stored()
    write(join('keys', 'main.json'), '{}')
    return await ends('show', 'main')
  },
  '7 KEYFILE_PERMISSIONS': async () => {
    const { home, ends } = await stored()
    chmodSync(join(home, 'keys', 'main.json'), 0o640)
    return await ends('show', 'main')
  },
  '7 WRONG_PASSWORD': async () => {
    const { write, ends } = await stored()
    return await ends('check', 'main', '--password-file', write('wrong', 'another one altogether'))
  },
  '8 DECLINED': async () => (await stored()).ends('delete', 'main', '--confirm', 'other'),
  '13 BUSY': async () => {
    const { home, pw, ends } = await stored()
    /** The new password, before which the key is renamed. */
    async function* input() {
      await ends('rename', 'main', 'other')
      yield Buffer.from('opaque walrus 77 candle')
    }
    const call = ['--password-file', pw, '--new-password-file', '-', '--json']
    const { status, stdout } = await runIn({ home, input: input() }, [
      'keys',
      'reencrypt',
      'main',
      ...call,
    ])
    return { status, code: JSON.parse(stdout).code }
  },
  '130': async () => {
    const { home } = await stored()
    const at = screen('exec $SWAP keys check main', { SWAP_HOME: home })
    await at.until('Password of main:')
    at.type('\x03')
    return { status: await at.ended }
  },
}

describe('swap keys ends with', () => {
  test('the codes of its help only', async () => {
    const documented = [...keysCommand.exit!.matchAll(/(?:^|, )(\d+) /g)].map(([, code]) => code)
    const reached = (await Object.keys(ways)).map((way) => way.split(' ')[0])
    assert.deepEqual(new Set(documented), new Set(reached))
  })
  // Ctrl-C has its tests in terminal.test.ts.
  for (const [name, way] of Object.entries(ways))
    (name === '130' ? longTest : test)(name, async () => {
      const { status, code } = await way()
      assert.equal([status, code].filter((part) => part !== undefined).join(' '), name)
    })
})

test('keys new stores nothing where a terminal has too few rows for the words', async () => {
  const { home, files } = desk()
  const at = screen('stty rows 11; exec $SWAP keys new main', { SWAP_HOME: home })
  assert.equal(await at.ended, 8)
  assert.doesNotMatch(at.everything(), /Password/)
  assert.match(at.everything(), /the words do not fit on this terminal/)
  assert.doesNotMatch(at.raw(), /24 [a-z]{3,8}/)
  assert.deepEqual(files(), [])
})
