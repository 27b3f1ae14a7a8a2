import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { diskFull, runIn } from '../../../support/cli.js'
import { deriveCheaply } from '../../../support/remembered-scrypt.js'
import { desk, jsonOf, PASSWORD, TWELVE } from './desk.js'

beforeAll(deriveCheaply)

/** Of the mnemonic of BIP-39's first vector: its address on the demo network, and on THORChain. */
const ON_DEMO = /^demo1[02-9ac-hj-np-z]{38}$/

describe('swap keys new', () => {
  test('without a terminal writes the words to a new file and prints the rest', async () => {
    const { home, pw, keys, read, modeOf, files } = desk()
    const words = join(home, 'words')
    const call = ['new', 'main', '--password-file', pw, '--mnemonic-file', words] as const
    const made = jsonOf(await keys(...call, '--json'))
    assert.deepEqual(await Object.keys(made), [
      'name',
      'address',
      'pubkey',
      'path',
      'format',
      'kdf',
      'weak',
      'created_at',
      'default',
      'limits',
      'backup',
      'file',
      'mnemonic_file',
    ])
    assert.match(made.address, ON_DEMO)
    assert.equal(made.path, "m/44'/118'/0'/0/0")
    assert.deepEqual(made.kdf, { name: 'scrypt', n: 131072, r: 8, p: 1 })
    assert.deepEqual(files(), ['main.json'])
    assert.equal(modeOf('keys/main.json'), '600')
    assert.equal(modeOf('keys'), '700')
    assert.equal(modeOf('words'), '600')
    assert.equal(read('words').trim().split(' ').length, 24)
    const again = await keys(...call)
    assert.equal(again.status, 2)
    assert.match(again.stderr, /there is a key main already/)
    assert.match(again.stderr, /rename the old one:\s+swap keys rename main <new>/)
    assert.deepEqual(files(), ['main.json'])
  })
  test('-q prints the path of the file, and --words 12 makes fewer words', async () => {
    const { home, pw, keys, read } = desk()
    const words = join(home, 'words')
    const { stdout } = await keys(
      'new',
      'a',
      '--password-file',
      pw,
      '--mnemonic-file',
      words,
      ...['--words', '12', '-q'],
    )
    assert.equal(stdout, `${join(home, 'keys', 'a.json')}\n`)
    assert.equal(read('words').trim().split(' ').length, 12)
  })
  test('leaves nothing behind when a part of it fails', async () => {
    const { home, pw, write, keys, files } = desk()
    const there = write('words', 'something else')
    const taken = await keys('new', 'main', '--password-file', pw, '--mnemonic-file', there)
    assert.equal(taken.status, 2)
    assert.match(taken.stderr, /is there already/)
    assert.deepEqual(files(), [])
    const nowhere = join(home, 'no', 'folder')
    const lost = await keys('new', 'main', '--password-file', pw, '--mnemonic-file', nowhere)
    assert.equal(lost.status, 2)
    assert.match(lost.stderr, /name a file in a folder that exists/)
    assert.deepEqual(files(), [])
  })
  test('keeps the words of a key that it stored where its report cannot be printed', async () => {
    const { home, pw, read, files } = desk()
    const call = ['--password-file', pw, '--mnemonic-file', join(home, 'words')]
    const place = { home, stdoutFault: diskFull() }
    assert.equal((await runIn(place, ['keys', 'new', 'main', ...call])).status, 4)
    assert.deepEqual(files(), ['main.json'])
    assert.equal(read('words').trim().split(' ').length, 24)
  })
  test('needs a terminal or files for the password and the words', async () => {
    const { home, pw, keys } = desk()
    const blind = await keys('new', 'main', '--password-file', pw, '--no-input')
    assert.equal(blind.status, 2)
    assert.match(blind.stderr, /CONFIRMATION_REQUIRED/)
    assert.match(blind.stderr, /--mnemonic-file/)
    const silent = await keys('new', 'main', '--no-input', '--mnemonic-file', join(home, 'words'))
    assert.equal(silent.status, 2)
    assert.match(silent.stderr, /--password-file/)
  })
  test('refuses a common password', async () => {
    const { home, write, keys, files } = desk()
    const weak = write('weak', 'password1234')
    const { status, stderr } = await keys(
      'new',
      'a',
      '--password-file',
      weak,
      '--mnemonic-file',
      join(home, 'w'),
    )
    assert.equal(status, 2)
    assert.match(stderr, /common words or keyboard rows/)
    assert.deepEqual(files(), [])
  })
})

describe('swap keys import, list, show and check', () => {
  test('derive the path and address of the network from a mnemonic on standard input', async () => {
    const { pw, run, keys } = desk()
    const nowhere = 'http://127.0.0.1:1'
    const away = ['-n', 'mainnet', '--rpc', nowhere, '--rest', nowhere, '--timeout', '1s']
    const call = ['keys', 'import', 'main', '-', '--password-file', pw]
    const { stdout, stderr, status } = await run([...call, '--json', ...away], { input: TWELVE })
    assert.equal(status, 0, stderr)
    const made = JSON.parse(stdout)
    assert.equal(made.path, "m/44'/931'/0'/0/0")
    assert.match(made.address, /^thor1/)
    assert.equal(made.existing, false)
    assert.equal(made.imported_from, 'mnemonic')
    assert.match(stderr, /found: mnemonic of 12 words/)
    assert.match(stderr, new RegExp(made.address))
    const again = await run([...call, '--json', ...away], { input: TWELVE })
    assert.equal(again.status, 0)
    assert.equal(JSON.parse(again.stdout).existing, true)
    assert.equal((await keys('show', 'main', '-q')).stdout, `${made.address}\n`)
    assert.equal((await keys('show', 'main', '--pubkey')).stdout, `${made.pubkey}\n`)
    const rows = await keys('show', 'main', '--csv')
    for (const flag of ['--pubkey', '--qr'])
      assert.equal((await keys('show', 'main', flag, '--csv')).stdout, rows.stdout)
    const otherPath = [...call, '-n', 'mainnet', '--hd-path', "m/44'/118'/0'/0/0"]
    assert.match((await run(otherPath, { input: TWELVE })).stderr, /there is a key main already/)
  })
  test('list names with -q, rows in a pipe, and a document with --json', async () => {
    const { pw, run, keys, write } = desk()
    assert.equal((await keys('list', '-q', '-n', 'mainnet')).stdout, '')
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
    write(join('keys', 'bad.json'), '{}')
    assert.equal((await keys('list', '-q')).stdout, 'demo\nmain\n')
    const [builtIn, main] = (await keys('list')).stdout.trimEnd().split('\n')
    assert.match(builtIn ?? '', /^demo\tdemo1\w+\tbuilt in\t/)
    assert.match((await keys('show', 'demo', '-o', 'human')).stdout, /^ {2}File +built in$/m)
    assert.match(
      main ?? '',
      /^main\tdemo1\w+\tswap\/1 scrypt 2\^17 r8 p1\tm\/44'\/118'\/0'\/0\/0\t\d{4}-/,
    )
    const { keys: listed, unusable } = jsonOf(await keys('list', '--json'))
    assert.deepEqual(
      listed.map(({ name }: { name: string }) => name),
      ['demo', 'main'],
    )
    assert.deepEqual(
      unusable.map(({ name, code }: { name: string; code: string }) => [name, code]),
      [['bad', 'KEYFILE_INVALID']],
    )
    assert.match((await keys('list')).stderr, /bad is left out/)
    assert.match((await keys('list', '-o', 'human')).stdout, /NAME +ADDRESS +KEY FILE/)
  })
  test('check the password, whatever its source', async () => {
    const { pw, run, keys, write } = desk()
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
    assert.equal((await keys('check', 'main', '--password-file', pw)).status, 0)
    assert.equal(jsonOf(await keys('check', 'main', '--password-file', pw, '--json')).ok, true)
    const check = ['keys', 'check', 'main']
    assert.equal(
      (await run([...check, '--password-file', '-'], { input: `${PASSWORD}\n` })).status,
      0,
    )
    assert.equal((await run(check, { env: { SWAP_PASSWORD_FILE: pw } })).status, 0)
    const plain = await run(check, { env: { SWAP_PASSWORD: PASSWORD } })
    assert.equal(plain.status, 0)
    assert.match(plain.stderr, /SWAP_PASSWORD, which cannot be wiped/)
    const wrong = await keys('check', 'main', '--password-file', write('wrong', 'x'), '--json')
    assert.equal(wrong.status, 7)
    assert.equal(jsonOf(wrong).code, 'WRONG_PASSWORD')
    const none = await run([...check, '--no-input'], {})
    assert.equal(none.status, 2)
    assert.match(none.stderr, /CONFIRMATION_REQUIRED/)
    const noInput = await run(check, { env: { SWAP_NO_INPUT: '1' } })
    assert.match(noInput.stderr, /CONFIRMATION_REQUIRED/)
  })
  test('refuse a file or folder that others can read, with the command that corrects it', async () => {
    const { home, pw, run, keys } = desk()
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
    chmodSync(join(home, 'keys', 'main.json'), 0o644)
    const { status, stderr } = await keys('check', 'main', '--password-file', pw)
    assert.equal(status, 7)
    assert.match(stderr, /KEYFILE_PERMISSIONS/)
    assert.match(stderr, /chmod 600/)
    chmodSync(join(home, 'keys', 'main.json'), 0o600)
    chmodSync(join(home, 'keys'), 0o755)
    assert.match((await keys('show', 'main')).stderr, /chmod 700/)
  })
  test('mark the key of swap keys use in the list', async () => {
    const { home, pw, run } = desk()
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
    const env = { HOME: home, SWAP_LIMITS_PER_DAY_USD: '99.50' }
    assert.equal((await run(['keys', 'use', 'other'], { env })).status, 7)
    assert.equal((await run(['keys', 'use', 'main'], { env })).status, 0)
    const { stdout } = await run(['keys', 'list', '--json'], { env })
    const listed = JSON.parse(stdout).keys.map((key: { name: string; default: boolean }) => [
      key.name,
      key.default,
    ])
    assert.deepEqual(listed, [
      ['demo', false],
      ['main', true],
    ])
    const [, main] = JSON.parse(stdout).keys
    assert.deepEqual(main.limits, { per_tx_usd: null, per_day_usd: '99.5' })
    assert.match((await run(['keys', 'list'], { env })).stdout, /limit \$99\.5\/day/)
  })
  test('end with 7 for an unknown key', async () => {
    const { keys } = desk()
    const missing = await keys('show', 'main', '--json')
    assert.equal(missing.status, 7)
    assert.equal(jsonOf(missing).code, 'KEYFILE_NOT_FOUND')
  })
  test('show the built-in key on the demo network only', async () => {
    const { keys } = desk()
    assert.match((await keys('show', 'demo', '-q')).stdout.trim(), ON_DEMO)
    assert.equal((await keys('show', 'demo', '-n', 'mainnet')).status, 2)
    assert.equal((await keys('new', 'demo', '--no-input')).status, 2)
  })
})

describe('a call that keys cannot take', () => {
  const calls = [
    [['lst'], /did you mean list/],
    [['new'], /the name of the key is missing/],
    [['new', 'a', 'b'], /too many/],
    [['new', 'Main'], /cannot be the name/],
    [['new', '../x'], /cannot be the name/],
    [['new', 'a', '--words', '13'], /24 words, or 12/],
    [['new', 'a', '--hd-path', 'x'], /--hd-path takes a path/],
    [['import', 'a', '/no/such/file'], /ENOENT/],
    [['import', 'a', 'x', '--format', 'pgp'], /no such format/],
    [['import', 'a', '--no-input'], /what to import is needed/],
    [['rename', 'a'], /the new name is missing/],
  ] as const
  for (const [args, why] of calls)
    test(`swap keys ${args.join(' ')}`, async () => {
      const { status, stderr } = await desk().keys(...args)
      assert.match(stderr, why)
      assert.ok(status === 2 || status === 7, `${status}`)
    })
})
