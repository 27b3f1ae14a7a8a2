import assert from 'node:assert/strict'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'vitest'
import { payFromFaucet } from '../../../../src/demo-chain/process/faucet.js'
import { accountOf } from '../../../../src/wallet/make.js'
import { entropyOf } from '../../../../src/wallet/mnemonic.js'
import { deriveCheaply } from '../../../support/remembered-scrypt.js'
import { network } from '../execute/stage.js'
import { PASSWORD } from './desk.js'

const WORDS = 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above'
const OTHER = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const [rune, cosmos, ether] = [931, 118, 60].map((type) => `m/44'/${type}'/0'/0/0`) as [
  string,
  string,
  string,
]

deriveCheaply()
const net = await network(200)
const secretFile = (name: string, text: string) => {
  writeFileSync(join(net.home, name), text)
  chmodSync(join(net.home, name), 0o600)
}
secretFile('pw', PASSWORD)
secretFile('words', WORDS)
secretFile('other', OTHER)
beforeEach(() => rmSync(join(net.home, 'keys'), { recursive: true, force: true }))

const addressAt = async (words: string, hdPath: string): Promise<string> => {
  const secret = { kind: 'mnemonic' as const, bytes: entropyOf(words) }
  return (await accountOf(secret, { hdPath, prefix: 'demo' })).address
}

/** Pays something there. */
function fund(address: string): void {
  payFromFaucet(net.real, address, [])
  net.real.makeBlock()
}

const importing = (file: string, ...flags: readonly string[]) =>
  net.run(
    ...['keys', 'import', 'main', join(net.home, file)],
    ...['--password-file', join(net.home, 'pw'), '--json', ...flags],
  )

describe('the words of a mnemonic', () => {
  test('without any use give the account at the usual path, with a note', async () => {
    const { status, stdout, stderr } = await importing('words')
    assert.equal(status, 0, stderr)
    assert.equal(JSON.parse(stdout).path, cosmos)
    assert.match(stderr, /nothing is held at m\/44'\/118'\/0'\/0\/0 yet, nor at .*931.* or .*60/)
  })

  test('give the account that is used, and both are named', async () => {
    const used = await addressAt(WORDS, ether)
    fund(used)
    const { status, stdout, stderr } = await importing('words')
    assert.equal(status, 0, stderr)
    assert.equal(JSON.parse(stdout).path, ether)
    assert.equal(JSON.parse(stdout).address, used)
    assert.match(stderr, /nothing is at the usual path m\/44'\/118'/)
    assert.match(stderr, /coins are at m\/44'\/60'\/0'\/0\/0, so that is taken/)
    assert.match(stderr, /choose by --hd-path/)
    assert.ok(stderr.includes(await addressAt(WORDS, cosmos)))
  })

  test('give the first of several that are used, and the others are named', async () => {
    fund(await addressAt(WORDS, rune))
    const { stdout, stderr } = await importing('words')
    assert.equal(JSON.parse(stdout).path, rune)
    assert.match(stderr, /coins are also at m\/44'\/60'/)
    assert.ok(stderr.includes(await addressAt(WORDS, ether)))
  })

  test('give the usual account without a note if it is used', async () => {
    fund(await addressAt(OTHER, cosmos))
    const { stdout, stderr } = await importing('other')
    assert.equal(JSON.parse(stdout).path, cosmos)
    assert.doesNotMatch(stderr, /nothing is|coins are/)
  })

  test('give the account of --hd-path or --coin-type without a query', async () => {
    let asked = 0
    net.hook = (_request, next) => {
      asked += 1
      return next()
    }
    for (const [flag, value, path] of [
      ['--hd-path', "m/44'/118'/0'/0/3", "m/44'/118'/0'/0/3"],
      ['--coin-type', '118', cosmos],
      ['--coin-type', '931', rune],
    ] as const) {
      const { stdout, stderr } = await importing('words', flag, value)
      assert.equal(JSON.parse(stdout).path, path, stderr)
      rmSync(join(net.home, 'keys'), { recursive: true })
    }
    net.hook = (_request, next) => next()
    assert.equal(asked, 0)
  })

  test('give the usual account if no node answers, with a note', async () => {
    const away = ['--rpc', 'http://127.0.0.1:1', '--rest', 'http://127.0.0.1:1', '--timeout', '1s']
    const { status, stdout, stderr } = await importing('words', ...away)
    assert.equal(status, 0, stderr)
    assert.equal(JSON.parse(stdout).path, cosmos)
    assert.match(stderr, /could not be queried/)
  })

  for (const flags of [
    ['--coin-type', 'rune'],
    ['--coin-type', '2147483648'],
    ['--coin-type', '931', '--hd-path', 'm/0'],
    ['--hd-path', '44/931'],
  ])
    test(`are not looked for at ${flags.join(' ')}`, async () => {
      const { status, stdout } = await importing('words', ...flags)
      assert.equal(status, 2)
      assert.equal(JSON.parse(stdout).code, 'INVALID_REQUEST')
    })
})
