import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { signatureFits } from '../../../../src/execution/request-signature.js'
import { addressOf } from '../../../../src/wallet/address.js'
import { DEMO } from '../../../../src/wallet/demo-key.js'
import { desk, jsonOf } from './desk.js'

const SIGNER = 'exec:signer --account 0'
const publicKey = Buffer.from(DEMO.publicKey, 'hex')
const address = addressOf(publicKey, 'demo')
const CONTRACT = 'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08'

describe('swap keys add-external', () => {
  test('keeps an account and a command, in a file without a secret, and starts nothing', async () => {
    const { home, keys, files, modeOf, read } = desk()
    const add = ['add-external', 'device', '--signer', SIGNER] as const
    const made = jsonOf(await keys(...add, '--public-key', DEMO.publicKey, '--json'))
    const expected = {
      name: 'device',
      address,
      pubkey: DEMO.publicKey,
      path: null,
      format: 'swap.external/1',
      kdf: null,
      weak: false,
      default: false,
      backup: null,
      file: join(home, 'keys', 'device.json'),
      signer: SIGNER,
      sign_mode: 'direct',
    }
    const { created_at, limits: _, ...members } = made
    assert.match(created_at, /^\d{4}-/)
    assert.deepEqual(members, expected)
    assert.deepEqual([files(), modeOf('keys/device.json')], [['device.json'], '600'])
    assert.match(read('keys/device.json'), /"signer": "exec:signer --account 0"/)
    assert.deepEqual(jsonOf(await keys('show', 'device', '--json')), made)
    const base64 = publicKey.toString('base64')
    const both = [...add.slice(2), '--public-key', base64, '--address', address]
    const other = await keys('add-external', 'other', ...both, '-n', 'demo')
    assert.match(other.stdout, /Next +swap demo faucet other --network demo\n/)
  })

  test('keeps an address alone for Amino JSON; list, show and -q print it', async () => {
    const { keys } = desk()
    const add = ['add-external', 'ledger', '--signer', SIGNER, '--amino', '--address', address]
    assert.equal((await keys(...add)).status, 0)
    const [ledger] = jsonOf(await keys('list', '--json')).keys.slice(-1)
    assert.deepEqual([ledger.pubkey, ledger.sign_mode], [null, 'amino'])
    const { stdout } = await keys('list')
    assert.match(
      stdout,
      new RegExp(`ledger\t${address}\texternal, amino\t.*\texec:signer --account 0`),
    )
    assert.equal((await keys('show', 'ledger', '-q')).stdout, `${address}\n`)
    const unknown = await keys('show', 'ledger', '--pubkey')
    assert.deepEqual(
      [unknown.stdout, unknown.stderr],
      ['', 'note: the public key of ledger is not known yet\n'],
    )
  })

  const readable: readonly (readonly [string, string, string])[] = [
    ['a blank behind exec:', 'exec: node x', address],
    ['an address in upper case', SIGNER, address.toUpperCase()],
  ]
  for (const [what, signer, given] of readable)
    test(`keeps ${what} so that it can be read again`, async () => {
      const { keys } = desk()
      const added = await keys('add-external', 'device', '--signer', signer, '--address', given)
      assert.equal(added.status, 0, added.stderr)
      const shown = jsonOf(await keys('show', 'device', '--json'))
      assert.deepEqual([shown.address, shown.signer], [address, signer])
    })

  test('is renamed, used and deleted like any key, and has nothing to open or to export', async () => {
    const { keys, files } = desk()
    await keys('add-external', 'a', '--signer', SIGNER, '--address', address)
    assert.equal((await keys('rename', 'a', 'b')).status, 0)
    assert.equal((await keys('use', 'b')).status, 0)
    for (const verb of ['check', 'export', 'reencrypt']) {
      const out = verb === 'export' ? ['--out', 'x'] : []
      const refused = await keys(verb, 'b', ...out)
      assert.equal(refused.status, 2, refused.stderr)
      assert.match(refused.stderr, /the secret of b is not here/)
    }
    const deleted = await keys('delete', 'b', '--confirm', 'b', '-n', 'mainnet')
    assert.match(deleted.stderr, /its secret stays with exec:signer/)
    assert.deepEqual(files(), [])
  })

  const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'a command of 16 kB',
      ['--signer', `exec:s ${'x'.repeat(16_384)}`, '--address', address],
      /larger/,
    ],
    [
      'the address of a contract',
      ['--signer', SIGNER, '--address', CONTRACT],
      /its address cannot be read/,
    ],
    ['no command', ['--address', address], /command that signs/],
    ['no account', ['--signer', SIGNER], /address or the public key/],
    ['a command that is none', ['--signer', 'signer', '--address', address], /exec:/],
    [
      'a program of the current folder',
      ['--signer', 'exec:./s', '--address', address],
      /whole path/,
    ],
    [
      'an address of another network',
      ['--signer', SIGNER, '--address', address.replace('demo', 'thor')],
      /not an account.* INVALID_ADDRESS/,
    ],
    [
      'a key that is no point',
      ['--signer', SIGNER, '--public-key', `02${'00'.repeat(32)}`],
      /compressed/,
    ],
    ['an uncompressed key', ['--signer', SIGNER, '--public-key', '04'.repeat(65)], /compressed/],
    [
      "an address that is not the key's",
      ['--signer', SIGNER, '--public-key', DEMO.publicKey, '--address', CONTRACT],
      /not that of the public key/,
    ],
  ]
  for (const [what, flags, why] of refused)
    test(`is refused with ${what}`, async () => {
      const { keys } = desk()
      const { status, stderr } = await keys('add-external', 'device', ...flags)
      assert.equal(status, 2, stderr)
      assert.match(stderr.replaceAll(/\s+/g, ' '), why)
    })
})

/** A code block of the page, by its language and first line. */
function example(language: string, file: string): string {
  const page = readFileSync('docs/signers.md', 'utf8')
  const [, text] =
    new RegExp(`\`\`\`${language}\n(. ${file}[^]*?)\`\`\``.replace('(. ', '((?:#|//) ')).exec(
      page,
    ) ?? []
  assert.ok(text, file)
  return text
}

describe('an example of docs/signers.md', () => {
  test('can be parsed, in JavaScript and in the shell', () => {
    const { write } = desk()
    const page = readFileSync('docs/signers.md', 'utf8')
    const blocks = [...page.matchAll(/```(js|sh)\n(.*?)```/gs)]
    assert.ok(blocks.length > 12)
    const script = blocks.flatMap(([, language, text = '']) => (language === 'js' ? [text] : []))
    for (const [at, text] of script.entries()) {
      const { status, stderr } = spawnSync(process.execPath, ['--check', write(`${at}.mjs`, text)])
      assert.equal(status, 0, String(stderr))
    }
    const shell = blocks.flatMap(([, language, text]) => (language === 'sh' ? [text] : []))
    // Of what has to be replaced, only the brackets are no words.
    const input = shell.join('\n').replaceAll(/<(key|name|file|entry|identity)>/g, '$1')
    const { status, stderr } = spawnSync('bash', ['-n'], { input, encoding: 'utf8' })
    assert.ok(status === 0 || status === null, stderr)
  })

  const run = (program: string, language: string, file: string) => {
    const folder = desk()
    const script = folder.write(file, example(language, file))
    const key = folder.write('key', `${DEMO.privateKey}\n`)
    const bytes = Buffer.from('{"any":"document"}')
    for (let round = 0; round < 2; round += 1) {
      const document = Buffer.concat([bytes, Buffer.of(round)])
      const request = {
        sign_bytes: document.toString('base64'),
        sign_bytes_sha256: createHash('sha256').update(document).digest('hex'),
        text: ['a line'],
      }
      const input = JSON.stringify(request)
      const { stdout, stderr } = spawnSync(program, [script, key], { input, encoding: 'utf8' })
      assert.equal(stderr, 'a line\n')
      const answer = JSON.parse(stdout)
      assert.equal(answer.public_key, publicKey.toString('base64'))
      assert.ok(signatureFits(publicKey, document, Buffer.from(answer.signature, 'base64')))
    }
  }
  test('in Node signs so that the signature fits', () =>
    run(process.execPath, 'js', 'node-signer.mjs'))

  const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))'])
  test.runIf(python.status === 0)(
    'in Python signs so that the signature fits (skipped without python3 of 3.8 or newer)',
    () => run('python3', 'python', 'python-signer.py'),
  )
})
