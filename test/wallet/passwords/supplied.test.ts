import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  createReadStream,
  mkdtempSync,
  openSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import { type PasswordOptions, suppliedPassword } from '../../../src/wallet/passwords/supplied.js'

const folder = mkdtempSync(join(tmpdir(), 'swap-password-'))

let files = 0
const fileOf = (content: string | Buffer, mode = 0o600): string => {
  const path = join(folder, `password-${files++}`)
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}
const flags = { file: '--password-file', fd: '--password-fd' }
const stdin = () => Readable.from([Buffer.from('from '), Buffer.from('stdin\n')])
const ask = (asked: Partial<PasswordOptions>) =>
  suppliedPassword({ flags, stdin: stdin(), ...asked })
const textOf = async (asked: Partial<PasswordOptions>) => {
  const given = await ask(asked)
  return given && [given.password.toString(), given.from]
}
const isRefused = (code: string, why: RegExp) => (error: unknown) => {
  assert.ok(error instanceof SwapError, String(error))
  assert.equal(error.code, code)
  assert.match(`${error.message} ${error.why}`, why)
  return true
}

describe('a password that is not typed', () => {
  test('comes from the first source that is set, in the documented order', async () => {
    const credentials = mkdtempSync(join(folder, 'systemd-'))
    writeFileSync(join(credentials, 'swap-password'), 'from systemd\n', { mode: 0o400 })
    const all: Record<string, string> = {
      SWAP_PASSWORD_FILE: fileOf('from variable file\n'),
      CREDENTIALS_DIRECTORY: credentials,
      SWAP_PASSWORD: 'from variable',
    }
    const fd = `${openSync(fileOf('from descriptor\n'), 'r')}`
    const file = fileOf('from file\n')
    assert.deepEqual(await textOf({ file, fd, env: all }), ['from file', '--password-file'])
    assert.deepEqual(await textOf({ fd, env: all }), ['from descriptor', '--password-fd'])
    assert.deepEqual(await textOf({ env: all }), ['from variable file', 'SWAP_PASSWORD_FILE'])
    delete all['SWAP_PASSWORD_FILE']
    assert.deepEqual(await textOf({ env: all }), ['from systemd', 'systemd'])
    delete all['CREDENTIALS_DIRECTORY']
    assert.deepEqual(await textOf({ env: all }), ['from variable', 'SWAP_PASSWORD'])
    assert.equal(await textOf({ env: {} }), undefined)
    assert.equal(await textOf({}), undefined)
    assert.deepEqual(await textOf({ file: '-', env: all }), ['from stdin', '--password-file'])
  })
  test('is not taken from systemd where its credentials include none for this program', async () => {
    const env = { CREDENTIALS_DIRECTORY: mkdtempSync(join(folder, 'other-')), SWAP_PASSWORD: 'x' }
    assert.deepEqual(await textOf({ env }), ['x', 'SWAP_PASSWORD'])
  })
  const breaks = [
    ['one line break goes', 'word\n', 'word'],
    ['one of Windows goes', 'word\r\n', 'word'],
    ['only one goes', 'word\n\n', 'word\n'],
    ['spaces stay', '  word \t\n', '  word \t'],
    ['digits stay text', '0012', '0012'],
    ['a line break inside stays', 'a\nb', 'a\nb'],
    ['a carriage return alone stays', 'word\r', 'word\r'],
  ] as const
  for (const [what, content, password] of breaks)
    test(`is used unchanged: ${what}`, async () => {
      assert.equal((await textOf({ file: fileOf(content) }))?.[0], password)
    })
  const bad: readonly (readonly [string, string | Buffer, RegExp])[] = [
    ['empty', '', /nothing in it/],
    ['only a line break', '\n', /nothing in it/],
    ['longer than 1024 bytes', 'x'.repeat(1025), /longer than 1024/],
    ['a megabyte', 'x'.repeat(2 ** 20), /longer than 1024/],
    ['no UTF-8', Buffer.from([0x61, 0xff, 0xfe]), /not UTF-8/],
  ]
  for (const [what, content, why] of bad)
    test(`is refused when it is ${what}`, () =>
      assert.rejects(ask({ file: fileOf(content) }), isRefused('INVALID_REQUEST', why)))
  test('is refused when its descriptor gives nothing', () =>
    assert.rejects(
      ask({ fd: `${openSync(fileOf(''), 'r')}` }),
      isRefused('INVALID_REQUEST', /nothing in it/),
    ))
  test('may be as long as 1024 bytes', async () => {
    assert.equal((await ask({ file: fileOf(`${'x'.repeat(1024)}\r\n`) }))?.password.length, 1024)
  })
})

describe('the file of a password', () => {
  for (const mode of [0o604, 0o640, 0o644, 0o620, 0o777])
    test(`is refused with mode ${mode.toString(8)}`, () =>
      assert.rejects(
        ask({ file: fileOf('word', mode) }),
        isRefused('KEYFILE_PERMISSIONS', /others than you can read/),
      ))
  test.runIf(process.geteuid?.() === 0)('is refused when it belongs to another user', async () => {
    const file = fileOf('word')
    chownSync(file, 65534, 65534)
    await assert.rejects(ask({ file }), isRefused('KEYFILE_PERMISSIONS', /another user/))
  })
  test('may be a link, as containers mount them, to a file that is closed to others', async () => {
    const link = join(folder, 'link')
    symlinkSync(fileOf('word'), link)
    assert.equal((await textOf({ file: link }))?.[0], 'word')
  })
  test('on standard input is read without the stream, which would keep a copy', async () => {
    const file = createReadStream('', { fd: openSync(fileOf('word\n'), 'r') })
    assert.equal((await textOf({ file: '-', stdin: file }))?.[0], 'word')
    assert.equal(file.bytesRead, 0)
  })
  test('may be a pipe of the shell', async () => {
    const pipe = join(folder, 'pipe')
    spawnSync('mkfifo', [pipe])
    spawnSync('sh', ['-c', `(printf 'word\\n' > ${pipe}) > /dev/null 2>&1 &`])
    assert.equal((await textOf({ file: pipe }))?.[0], 'word')
  })
  test('may be a pipe, the wait for which ends by a signal', async () => {
    const pipe = join(folder, 'silent')
    spawnSync('mkfifo', [pipe])
    const fd = `${openSync(pipe, 'r+')}`
    for (const from of [{ file: pipe }, { fd }]) {
      const stop = new AbortController()
      const asked = ask({ ...from, interrupt: stop.signal })
      stop.abort()
      await assert.rejects(asked)
    }
  })
  test('is not a folder', () =>
    assert.rejects(ask({ file: folder }), isRefused('KEYFILE_PERMISSIONS', /plain file/)))
  test('that does not exist is not named in the error, since the password itself may have been given instead', async () => {
    await assert.rejects(ask({ file: 'hunter2hunter2' }), (error) => {
      assert.ok(error instanceof SwapError)
      assert.ok(!JSON.stringify([error.message, error.why, error.hint]).includes('hunter2'))
      assert.match(error.why ?? '', /ENOENT/)
      return true
    })
  })
  for (const fd of ['x', '-1', '1', '2', '', '99999', '1e1'])
    test(`is not read from the invalid descriptor ${JSON.stringify(fd)}`, () =>
      assert.rejects(ask({ fd }), isRefused('INVALID_REQUEST', /descriptor/)))
})
