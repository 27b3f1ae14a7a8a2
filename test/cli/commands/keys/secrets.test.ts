import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import type { Ended } from '../../../support/program.js'
import { deriveCheaply } from '../../../support/remembered-scrypt.js'
import { desk } from './desk.js'

beforeAll(deriveCheaply)

const PASSWORD = 'canary velvet ostrich ember'
const NEW_PASSWORD = 'second canary willow zephyr'
/** A mnemonic, and whatever of it or of the password must be nowhere. */
const WORDS = 'rotate poem kick mango vague pull board pizza nice tunnel canal poverty'
const PRIVATE_KEY = 'facd294249cdfb90293dc81cce2a5822bfe615e9bc8ba5ea8ee55eb733360715'
const secrets = [
  PASSWORD,
  PASSWORD.slice(0, 13),
  NEW_PASSWORD,
  WORDS,
  'mango vague',
  'tunnel canal',
  PRIVATE_KEY,
  PRIVATE_KEY.slice(0, 12),
  PRIVATE_KEY.slice(-12),
  ...[PASSWORD, WORDS].flatMap((text) => {
    const bytes = Buffer.from(text)
    return [bytes.toString('base64').slice(0, 24), bytes.toString('hex').slice(0, 24)]
  }),
  Buffer.from(PRIVATE_KEY, 'hex').toString('base64').slice(0, 24),
]

const clean = (where: string, text: string): void => {
  for (const secret of secrets)
    assert.ok(!text.toLowerCase().includes(secret.toLowerCase()), `${where} tells ${secret}`)
}

/** Every file below a folder but those that are meant to hold a secret. */
function* filesBelow(folder: string, meant: readonly string[]): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* filesBelow(path, meant)
    else if (!meant.includes(name)) yield path
  }
}

describe('a secret', () => {
  test('is in no output and no file of any command, whether it works or not', async () => {
    const { home, write, run } = desk()
    const pw = write('pw', PASSWORD)
    const anew = write('anew', NEW_PASSWORD)
    const words = write('words', WORDS)
    const hex = write('hex', PRIVATE_KEY)
    const damaged = write('damaged', WORDS.replace('poverty', 'canal'))
    const half = write('half', PRIVATE_KEY.slice(2))
    const spoilt = write('spoilt', `{"type":"secp256k1wallet-v1","data":"${PRIVATE_KEY}"`)
    const given = ['--password-file', pw]
    const calls: readonly (readonly string[])[] = [
      ['import', 'main', words, ...given],
      ['import', 'main', hex, ...given, '-n', 'mainnet', '--hd-path', 'm/0'],
      ['import', 'other', damaged, ...given],
      ['import', 'other', half, ...given],
      ['import', 'other', spoilt, ...given],
      ['import', 'other', words, ...given, '--format', 'keystore'],
      ['import', 'other', hex, ...given, '--format', 'armor'],
      ['import', 'other', WORDS, ...given],
      ['import', 'other', ...WORDS.split(' '), ...given],
      ['import', WORDS, words, ...given],
      ['import', 'other', PRIVATE_KEY, ...given],
      [PRIVATE_KEY],
      ['show', WORDS],
      ['show', PRIVATE_KEY],
      ['check', 'main', '--password-file', PASSWORD],
      ['check', 'main', '--password-fd', PASSWORD],
      ['check', 'main', `--password=${PASSWORD}`],
      ['check', 'main', '--password', PASSWORD],
      ['check', 'main', `--pasword=${PASSWORD}`],
      ['import', 'other', '--mnemonic', WORDS],
      ['import', 'other', `--mnemonic=${WORDS}`],
      ['import', 'other', '--private-key', PRIVATE_KEY],
      ['new', 'other', '--words', PRIVATE_KEY, ...given],
      ['new', 'other', '--hd-path', WORDS, ...given],
      ['import', 'other', words, '--format', WORDS, ...given],
      ['reencrypt', 'main', '--scrypt-cost', PASSWORD, ...given],
      ['delete', 'main', '--confirm', WORDS],
      ['check', 'main', ...given],
      ['show', 'main'],
      ['list'],
      ['export', 'main', '--out', join(home, 'copy'), ...given],
      ['export', 'main', '--out', join(home, 'armor'), '--format', 'armor', ...given],
      ['export', 'main', '--out', join(home, 'raw'), '--format', 'hex', ...given],
      ['reencrypt', 'main', ...given, '--new-password-file', anew],
      ['check', 'main', ...given],
      ['rename', 'main', 'other'],
      ['delete', 'other', '--confirm', 'other'],
    ]
    for (const [at, call] of calls.entries()) {
      const form = at % 2 === 0 ? ['--json'] : []
      const env = { SWAP_TRACE: '1', SWAP_NO_INPUT: '1' }
      const { stdout, stderr }: Ended = await run(['keys', ...call, ...form], { env })
      clean(`stdout of ${call[0]}`, stdout)
      clean(`stderr of ${call[0]}`, stderr)
    }
    const meant = ['pw', 'anew', 'words', 'hex', 'damaged', 'half', 'spoilt']
    for (const path of filesBelow(home, meant)) clean(path, readFileSync(path, 'latin1'))
  }, 300_000)

  test('on the command line is refused with the way that is safe', async () => {
    const { run } = desk()
    for (const [flag, way] of [
      ['--password', /--password-file/],
      ['--passphrase', /--password-file/],
      ['--mnemonic', /swap keys import/],
      ['--private-key', /swap keys import/],
    ] as const)
      for (const call of [
        ['keys', 'check', 'main', flag, PASSWORD],
        [flag, PASSWORD, 'tokens'],
        ['route', '1', 'btc', 'rune', `${flag}=${PASSWORD}`],
      ]) {
        const { status, stderr } = await run(call, {})
        assert.equal(status, 2)
        assert.match(stderr, /no flag takes a secret/)
        assert.match(stderr, way)
        assert.match(stderr, /history/)
        clean('stderr', stderr)
      }
  })

  test.runIf(existsSync('/proc/self/cmdline'))(
    'is in no argument of the process, and SWAP_PASSWORD reaches no child of it',
    async () => {
      const { home, write, run } = desk()
      await run(['keys', 'import', 'main', '-', '--password-file', write('pw', PASSWORD)], {
        input: WORDS,
      })
      const child = spawn(process.execPath, [resolve('bin/swap.js'), 'demo', 'start'], {
        env: { PATH: process.env['PATH'] ?? '', SWAP_HOME: home, SWAP_PASSWORD: PASSWORD },
        stdio: 'ignore',
      })
      await once(child, 'exit')
      try {
        const { pid } = JSON.parse((await run(['demo', 'status', '--json'], {})).stdout)
        clean('environ of the demo', readFileSync(`/proc/${pid}/environ`, 'latin1'))
        clean('cmdline of the demo', readFileSync(`/proc/${pid}/cmdline`, 'latin1'))
      } finally {
        await run(['demo', 'stop'], {})
      }
    },
  )
})
