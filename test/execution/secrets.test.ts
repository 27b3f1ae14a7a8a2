import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { payFromFaucet } from '../../src/demo-chain/process/faucet.js'
import { network } from '../cli/commands/execute/stage.js'
import { LONG } from '../support/long.js'

const PASSWORD = 'canary velvet ostrich ember'
const WORDS = 'rotate poem kick mango vague pull board pizza nice tunnel canal poverty'
const net = await network(500)
writeFileSync(join(net.home, 'pw'), PASSWORD, { mode: 0o600 })
writeFileSync(join(net.home, 'words'), WORDS, { mode: 0o600 })
const made = await net.run(
  'keys',
  'import',
  'bot',
  join(net.home, 'words'),
  '--password-file',
  join(net.home, 'pw'),
  '--yes',
  '--json',
)
assert.equal(made.status, 0, made.stderr)
const { address } = JSON.parse(made.stdout)
payFromFaucet(net.real, address, [])
net.real.makeBlock()

/** The password, the mnemonic and the private key, and parts of them, in every encoding. */
async function secrets(): Promise<readonly string[]> {
  const raw = join(net.home, 'raw')
  const exported = await net.run(
    ...[
      'keys',
      'export',
      'bot',
      '--format',
      'hex',
      '--unsafe',
      '--confirm',
      'bot',
      '--out',
      raw,
      '--password-file',
      join(net.home, 'pw'),
    ],
  )
  assert.equal(exported.status, 0, exported.stderr)
  const key = Buffer.from(readFileSync(raw, 'utf8').trim(), 'hex')
  assert.equal(key.length, 32)
  const forms = (bytes: Buffer) => [
    bytes.toString('hex').slice(0, 24),
    bytes.toString('base64').slice(0, 24),
  ]
  const texts = [PASSWORD, PASSWORD.slice(0, 14), WORDS, WORDS.slice(0, 10), 'canal poverty']
  return [...texts, ...forms(key), ...[PASSWORD, WORDS].flatMap((text) => forms(Buffer.from(text)))]
}

/** Every file below a folder but those that the test wrote to hold a secret. */
function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* filesBelow(path)
    else if (!['pw', 'words', 'raw'].includes(name)) yield path
  }
}

describe('a secret', () => {
  test('is in no output of commands that sign and send, and in no file: journal, quotes, locks', async () => {
    const found = await secrets()
    const clean = (where: string, text: string): void => {
      for (const secret of found)
        assert.ok(!text.toLowerCase().includes(secret.toLowerCase()), `${where} tells ${secret}`)
    }
    const key = ['--from', 'bot', '--password-file', join(net.home, 'pw')]
    const swap = ['execute', '1', 'rune', 'usdc', ...key, '--slippage', '1%']
    const made = await net.run(...swap, '--generate-only')
    const [unsigned, sent] = [join(net.home, 'tx.json'), join(net.home, 'signed.json')]
    writeFileSync(unsigned, made.stdout)
    const signed = await net.run('tx', 'sign', unsigned, ...key, '--yes', '--slippage', '5%')
    assert.equal(signed.status, 0, signed.stderr)
    writeFileSync(sent, signed.stdout)
    const calls: readonly (readonly string[])[] = [
      ...(LONG ? [[...swap, '--yes']] : []),
      [...swap, '--yes', '--ndjson'],
      [...swap, '--dry-run', '-o', 'human'],
      [...swap, '--sign-only', '--yes', '--deadline', '40'],
      [...swap, '--yes', '--from', 'nobody'],
      [...swap, '--yes', '--password', PASSWORD],
      [...swap, '--yes', '--password-file', PASSWORD],
      [...swap, '--memo', 'm', '--yes', '--to', WORDS],
      ['execute', WORDS, ...key],
      ['tx', 'sign', unsigned, ...key],
      // Its sequence is used by now, and whether it is dead shows when its timeout has passed.
      ['tx', 'broadcast', sent, '--wait-timeout', '1s'],
      ['tx', 'broadcast', join(net.home, 'words')],
      ['tx', 'sign', join(net.home, 'words'), ...key],
      ['tx', 'status', WORDS],
      ['tx', 'resume', '--wait-timeout', '1s'],
      ['journal', '--json'],
      ['journal', '--csv'],
      ['balances', address],
    ]
    for (const [at, call] of calls.entries()) {
      const form =
        at % 2 === 0 && !call.includes('--ndjson') && !call.includes('-o') ? ['--json'] : []
      const { stdout, stderr } = await net.run(...call, ...form)
      const title = call.join(' ').slice(0, 60)
      // An argument may be repeated in an error; the value of a flag for secrets may not.
      if (call.some((word) => word === WORDS || word === 'mango')) continue
      clean(`stdout of ${title}`, stdout)
      clean(`stderr of ${title}`, stderr)
    }
    for (const path of filesBelow(net.home)) clean(path, readFileSync(path, 'latin1'))
  }, 900_000)
})
