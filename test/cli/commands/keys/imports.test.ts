import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { executeKdf } from '@cosmjs/amino'
import { stringToPath } from '@cosmjs/crypto'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { beforeAll, describe, test } from 'vitest'
import { deriveCheaply } from '../../../support/remembered-scrypt.js'
import { desk, jsonOf, PASSWORD, TWELVE } from './desk.js'

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

  test('says of a wallet with several accounts which one it takes, and how to take another', async () => {
    const { pw, keys, write } = desk()
    const paths = ["m/44'/931'/0'/0/0", "m/44'/118'/0'/0/0"]
    const options = { prefix: 'thor', hdPaths: paths.map((path) => stringToPath(path)) }
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(TWELVE, options)
    const params = { outputLength: 32, opsLimit: 2, memLimitKib: 512 }
    const kdf = { algorithm: 'argon2id', params }
    const file = write(
      'wallet.json',
      await wallet.serializeWithEncryptionKey(await executeKdf(PASSWORD, kdf), kdf),
    )
    const call = [file, '--password-file', pw, '--json', '-n', 'mainnet']
    const first = await keys('import', 'one', ...call)
    assert.match(first.stderr.replaceAll(/\s+/g, ' '), /has 2 accounts.*118'.*choose by --hd-path/)
    const second = await keys('import', 'two', ...call, '--hd-path', paths[1]!)
    assert.deepEqual([jsonOf(first).path, jsonOf(second).path], paths)
    assert.doesNotMatch(second.stderr, /2 accounts/)
  })

  test('reports a keystore with the address of another key as damaged', async () => {
    const { home, pw, run, keys, write } = desk()
    await run(['keys', 'import', 'main', '-', '--password-file', pw], { input: TWELVE })
    const out = join(home, 'keystore')
    await keys('export', 'main', '--password-file', pw, '--format', 'keystore', '--out', out)
    const document = JSON.parse(readFileSync(out, 'utf8'))
    const other = write('other', JSON.stringify({ ...document, address: '00'.repeat(20) }))
    const { status, stderr } = await keys('import', 'copy', other, '--password-file', pw)
    assert.equal(status, 7)
    assert.match(stderr.replaceAll(/\s+/g, ' '), /its address is not that of the key inside/)
  })

  test('reports an empty file', async () => {
    const { pw, run } = desk()
    const { stderr } = await run(['keys', 'import', 'main', '-', '--password-file', pw], {
      input: ' \n',
    })
    assert.match(stderr, /it is empty/)
  })
})

describe('the password of a new key', () => {
  test('comes from a file or from a descriptor, not from both', async () => {
    const { pw, keys } = desk()
    for (const kind of ['password', 'new-password']) {
      const both = [`--${kind}-file`, pw, `--${kind}-fd`, '3']
      const { status, stderr } = await keys('new', 'main', ...both)
      assert.equal(status, 2)
      assert.match(stderr, new RegExp(`--${kind}-file does not go with --${kind}-fd`))
    }
  })
})
