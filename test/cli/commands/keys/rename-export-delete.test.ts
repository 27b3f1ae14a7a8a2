import assert from 'node:assert/strict'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { firstRows } from '../../../support/long.js'
import { deriveCheaply } from '../../../support/remembered-scrypt.js'
import { desk, jsonOf, TWELVE } from './desk.js'

beforeAll(deriveCheaply)

describe('swap keys rename, reencrypt, export and delete', () => {
  test('replace the password, after which the old one fails', async () => {
    const { pw, run, keys, write } = desk()
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
    const anew = write('new', 'opaque walrus 77 candle')
    const call = ['reencrypt', 'main', '--password-file', pw, '--new-password-file', anew] as const
    const done = jsonOf(await keys(...call, '--scrypt-cost', '18', '--json'))
    assert.equal(done.kdf.n, 2 ** 18)
    assert.equal((await keys('check', 'main', '--password-file', pw)).status, 7)
    assert.equal((await keys('check', 'main', '--password-file', anew)).status, 0)
    assert.equal((await keys(...call, '--scrypt-cost', '30')).status, 2)
  })
  test('rename a key, but not to the name of another', async () => {
    const { pw, run, keys, files } = desk()
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
    const address = (await keys('show', 'main', '-q')).stdout
    assert.equal((await keys('rename', 'main', 'other')).status, 0)
    assert.deepEqual(files(), ['other.json'])
    assert.equal((await keys('show', 'other', '-q')).stdout, address)
    assert.equal((await keys('rename', 'other', 'other')).status, 2)
    assert.equal((await keys('rename', 'other', '../other')).status, 2)
    assert.deepEqual(files(), ['other.json'])
  })
  test('say that the key of the demo chain has no file', async () => {
    const { keys } = desk()
    for (const call of [
      ['rename', 'demo', 'other'],
      ['delete', 'demo'],
      ['check', 'demo'],
    ]) {
      const { status, stderr } = await keys(...call)
      assert.equal(status, 7)
      assert.match(stderr, /why +the key of the demo chain is built in and has no file/)
    }
  })
  test('say that the default signer is still the old name, and how to change it', async () => {
    const { pw, run, keys } = desk()
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
    const env = { SWAP_FROM: 'main' }
    const renamed = await run(['keys', 'rename', 'main', 'other'], { env })
    assert.match(renamed.stderr, /from is still main, which is no longer a key/)
    assert.match(renamed.stdout, /Next +swap keys use other/)
    const back = await keys('rename', 'other', 'main')
    assert.doesNotMatch(back.stdout + back.stderr, /from is still|Next/)
    const deleted = await run(['keys', 'delete', 'main', '--confirm', 'main'], { env })
    assert.match(
      deleted.stderr,
      /from is still main, which is no longer a key: swap config unset from/,
    )
  })
  test('export a key in any format, from which the same key is imported', async () => {
    const { home, pw, run, keys, modeOf } = desk()
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
    const address = (await keys('show', 'main', '-q')).stdout
    const plain = ['--unsafe', '--confirm', 'main']
    for (const [format, more] of firstRows(
      [
        ['swap', []],
        ['hex', plain],
        ['mnemonic', plain],
        ['armor', []],
        ['xchain', []],
      ] as const,
      3,
    )) {
      const name = `${format}\u001b[2J`
      const out = join(home, name)
      const call = ['--password-file', pw, '--format', format, '--out', out, ...more]
      const done = await keys('export', 'main', ...call)
      assert.equal(done.status, 0, done.stderr)
      assert.match(done.stdout, /\\u\{1b\}\[2J \(0600\)/)
      assert.equal(modeOf(name), '600')
      assert.equal((await keys('export', 'main', ...call)).status, 2)
      const other = join(home, `at-${format}`)
      const env = { SWAP_HOME: other }
      const made = await run(['keys', 'import', 'copy', out, '--password-file', pw, '-q'], { env })
      assert.equal(made.status, 0, made.stderr)
      assert.equal((await run(['keys', 'show', 'copy', '-q'], { env })).stdout, address)
    }
  })
  test('an export in the clear has to be wanted twice, and needs a password always', async () => {
    const { pw, run, keys } = desk()
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
    const plain = await keys('export', 'main', '--format', 'hex', '--password-file', pw)
    assert.equal(plain.status, 2)
    assert.match(plain.stderr, /--unsafe/)
    const once = await keys(
      'export',
      'main',
      '--format',
      'hex',
      '--unsafe',
      '--password-file',
      pw,
      '--no-input',
    )
    assert.equal(once.status, 2)
    assert.match(once.stderr, /--confirm main/)
    const other = await keys('export', 'main', '--format', 'hex', '--unsafe', '--confirm', 'man')
    assert.equal(other.status, 8)
    assert.equal((await keys('export', 'main', '--no-input')).status, 2)
    assert.equal(
      (await keys('export', 'main', '--show', '--no-input', '--password-file', pw)).status,
      2,
    )
    const two = await keys('export', 'main', '--show', '--out', 'x.json', '--password-file', pw)
    assert.match(two.stderr, /--show does not go with --out/)
  })
  test('a private key has no words to export', async () => {
    const { pw, run, keys } = desk()
    await run(['keys', 'import', 'raw', '-', '--password-file', pw], { input: '07'.repeat(32) })
    const none = await keys('export', 'raw', '--format', 'cosmjs', '--password-file', pw)
    assert.equal(none.status, 2)
    assert.match(none.stderr, /has no mnemonic/)
  })
  test('delete a key after its name is repeated', async () => {
    const { pw, run, keys, files } = desk()
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
    assert.equal((await keys('delete', 'main', '--no-input')).status, 2)
    assert.equal((await keys('delete', 'main', '--confirm', 'mian')).status, 8)
    assert.deepEqual(files(), ['main.json'])
    const done = await keys('delete', 'main', '--confirm', 'main', '--csv')
    assert.equal(done.status, 0)
    assert.match(done.stdout, /^key,value\r\nname,main\r\n[\s\S]*\ndeleted,true\r\n$/)
    assert.match(done.stderr, /no copy of it was ever checked here/)
    assert.deepEqual(files(), [])
  })
  test('delete warns where coins are left', async () => {
    const { pw, run, keys } = desk()
    const mnemonic = 'rotate poem kick mango vague pull board pizza nice tunnel canal poverty'
    await run(['keys', 'import', 'rich', '-', '--password-file', pw], { input: mnemonic })
    const { stderr } = await keys('delete', 'rich', '--confirm', 'rich')
    assert.match(stderr, /it still holds \d+ coins on demo, worth about \$[\d,]+\.\d\d\n/)
  })
})
