import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, test, vi } from 'vitest'
import { journalIn } from '../../../../src/execution/journal/journal.js'
import { addressOf } from '../../../../src/wallet/address.js'
import { DEMO } from '../../../../src/wallet/demo-key.js'
import { encodeExternal } from '../../../../src/wallet/keyfile/key-document.js'
import { runIn } from '../../../support/cli.js'
import { longTest } from '../../../support/long.js'
import type { Ended } from './stage.js'

/** Everything that opens, derives or holds a key. It cannot be loaded in this file. */
const SECRET_CODE = [
  'derive',
  'make',
  'mnemonic',
  'signer',
  'keyfile/seal',
  'keyfile/scrypt',
  'signing/child',
  'signing/process',
  'signing/signature',
  'formats/recognise',
]
const refuse = () => {
  throw new Error('code that opens keys was loaded')
}
for (const name of SECRET_CODE) vi.doMock(resolve(`src/wallet/${name}.ts`), refuse)
// What another file has loaded in this process would not be loaded again.
vi.resetModules()
const { network, problem } = await import('./stage.js')
afterAll(() => void vi.resetModules())

const address = addressOf(Buffer.from(DEMO.publicKey, 'hex'), 'demo')
const script = resolve('test/execution/faulty-signer.mjs')
const command = (fault: string): string =>
  `exec:'${process.execPath}' '${script}' '${fault}' ${DEMO.privateKey} ${DEMO.publicKey}`

const net = await network()
mkdirSync(join(net.home, 'keys'), { mode: 0o700 })
external('device', { signer: command('good') })
external('ledger', { signer: command('good'), sign_mode: 'amino', pubkey: null })
external('broken', { signer: command('says no') })

function external(name: string, own: object): void {
  const bytes = encodeExternal({
    format: 'swap.external/1',
    created_at: '2026-11-23T00:00:00.000Z',
    address,
    pubkey: DEMO.publicKey,
    prefix: 'demo',
    sign_mode: 'direct',
    signer: '',
    ...own,
  })
  writeFileSync(join(net.home, 'keys', `${name}.json`), bytes, { mode: 0o600 })
}

const swap = ['execute', '1', 'rune', 'usdc', '--yes', '--slippage', '1%', '--json'] as const
const newest = () => journalIn(join(net.home, 'state', 'journal')).recent(1).intents[0]!
const confirmed = (ended: Ended) => {
  assert.equal(ended.status, 0, ended.stdout + ended.stderr)
  assert.equal(JSON.parse(ended.stdout).status, 'confirmed')
}

describe('an external signer', () => {
  test('runs where no code that opens keys can be loaded', async () => {
    const own = await net.run(...swap, '--from', 'demo')
    assert.notEqual(own.status, 0)
    for (const name of SECRET_CODE) await assert.rejects(import(resolve(`src/wallet/${name}.ts`)))
  })

  test('signs a swap in Amino JSON, with the address alone, and over the bytes', async () => {
    confirmed(await net.run(...swap, '--from', 'ledger'))
    const [{ sign_mode, public_key } = {}] = newest().txs
    assert.deepEqual(
      [newest().key, sign_mode, Buffer.from(public_key!, 'base64').toString('hex')],
      ['ledger', 'amino', DEMO.publicKey],
    )
    confirmed(await net.run(...swap, '--from', 'device'))
    assert.equal(newest().txs[0]!.sign_mode, undefined)
  })

  test('of --signer signs for an address, a name and --amino; --key-file is another signer', async () => {
    const signer = ['--signer', command('good')]
    confirmed(await net.run(...swap, '--from', address, ...signer, '--amino'))
    confirmed(await net.run(...swap, '--from', 'broken', ...signer))
    const both = await net.run(...swap, '--key-file', join(net.home, 'keys/device.json'), ...signer)
    assert.match(String(problem(both)['detail']), /signs itself/)
    const two = await net.run(...swap, '--key-file', 'device.json', '--from', 'device')
    assert.match(String(problem(two)['detail']), /--key-file does not go with --from/)
  })

  longTest('signs each leg, orders, and a transaction from a file', async () => {
    const legs = ['--legs', '1:rune/usdc', '--legs', '1:rune/usdc', '--mode', 'legs']
    confirmed(await net.run('execute', '2', ...swap.slice(2), ...legs, '--from', 'device'))
    const orders = ['sell', '1', 'rune', 'usdc', '--price', '5', '--yes', '--json']
    confirmed(await net.run('order', ...orders, '--from', 'ledger'))
    const made = await net.run(...swap.slice(0, 4), '--generate-only', '--from', 'device')
    const file = join(net.home, 'tx.json')
    writeFileSync(file, made.stdout)
    const sign = ['tx', 'sign', file, '--yes', '--slippage', '5%']
    const signed = await net.run(...sign, '--from', 'device', '--amino')
    assert.equal(signed.status, 0, signed.stdout + signed.stderr)
    writeFileSync(file, signed.stdout)
    confirmed(await net.run('tx', 'broadcast', file, '--json'))
    const numbers = ['--offline', '--account-number', '1', '--sequence', '1']
    writeFileSync(file, made.stdout)
    const offline = await net.run('tx', 'sign', file, '--from', 'ledger', ...numbers, '--json')
    assert.equal(problem(offline).code, 'CONFIRMATION_REQUIRED')
  })

  test('that fails leaves neither a transaction nor an entry in the journal', async () => {
    const before = [newest().id, net.real.height]
    const ended = await net.run(...swap, '--from', 'broken')
    assert.equal(ended.status, 7, ended.stdout)
    assert.equal(problem(ended).code, 'SIGNER_FAILED')
    assert.match(String(problem(ended)['detail']), /status 3: declined on the device/)
    assert.match(ended.stderr, /signer: declined on the device/)
    assert.equal(newest().id, before[0])
    confirmed(await net.run(...swap, '--from', 'device'))
  })

  test('is not started above the limits of the account', async () => {
    const limits = ['--limits-per-tx-usd', '0.01', '--limits-per-day-usd', '0.01']
    const ended = await net.run(...swap, '--from', 'broken', ...limits)
    assert.equal(problem(ended).code, 'LIMIT_EXCEEDED')
    assert.doesNotMatch(ended.stderr, /signer:/)
  })

  test('has no password in its environment, and runs in the folder of keys', async () => {
    external('env', { signer: command('prints its environment') })
    external('cwd', { signer: command('cwd') })
    const place = { home: net.home, env: { ...net.env, SWAP_PASSWORD: 'secret' } }
    const { stderr } = await runIn(place, [...swap, '--from', 'env'])
    assert.match(stderr, /signer: .*PATH/)
    assert.doesNotMatch(stderr, /SWAP_PASSWORD/)
    const where = await net.run(...swap, '--from', 'cwd')
    assert.ok(where.stderr.includes(`signer: ${join(net.home, 'keys')}`), where.stderr)
  })
})

describe('a project', () => {
  test('cannot introduce the command of a signer by its .swaprc or a key file', async () => {
    const project = join(net.home, 'project')
    mkdirSync(project)
    writeFileSync(join(project, '.swaprc'), `signer: "${command('says no').replaceAll('"', '')}"\n`)
    writeFileSync(
      join(project, 'device.json'),
      encodeExternal({
        format: 'swap.external/1',
        created_at: '2026-11-23T00:00:00.000Z',
        address,
        pubkey: DEMO.publicKey,
        prefix: 'demo',
        sign_mode: 'direct',
        signer: command('says no'),
      }),
      { mode: 0o600 },
    )
    const place = { home: net.home, env: net.env, cwd: project }
    const ended = await runIn(place, [...swap, '--from', address])
    assert.notEqual(ended.status, 0)
    assert.doesNotMatch(ended.stderr, /signer: declined/)
    const file = await runIn(place, [...swap, '--key-file', 'device.json'])
    assert.notEqual(file.status, 0)
    assert.doesNotMatch(file.stderr, /signer: declined/)
    assert.deepEqual(readdirSync(project).sort(), ['.swaprc', 'device.json'])
  })
})
