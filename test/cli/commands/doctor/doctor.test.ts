import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, test } from 'vitest'
import { machineChecks } from '../../../../src/cli/commands/doctor/check-names.js'
import { built, swap } from '../../../support/program.js'

let home: string
beforeAll(built)
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'swap-doctor-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

type Check = {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly do: string | null
}

const doctor = (...args: readonly string[]) => {
  const env = { SWAP_HOME: home, HOME: home, SHELL: '/bin/zsh' }
  const { status, stdout } = swap(['doctor', ...args, '--json'], { env })
  return { status, checks: (JSON.parse(stdout) as { checks: Check[] }).checks }
}

describe('what lies on this machine', () => {
  test('is nothing that is wrong where nothing is there yet', () => {
    const { status, checks } = doctor(...machineChecks)
    assert.equal(status, 0)
    assert.deepEqual(
      checks.map(({ name }) => name),
      [...machineChecks],
    )
    for (const { status: each } of checks) assert.match(each, /^(ok|skip|note)$/)
  })
  test('is asked of nobody with --offline', () => {
    const { checks } = doctor('--offline')
    const names = checks.map(({ name }) => name)
    for (const name of ['keys', 'journal', 'completion']) assert.ok(names.includes(name), name)
    for (const name of ['server', 'database', 'node']) assert.ok(!names.includes(name), name)
  })
  test('is a completion that is installed', () => {
    assert.match(doctor('completion').checks[0]!.message, /not installed for zsh/)
    const env = { SWAP_HOME: home, HOME: home }
    swap(['completion', 'install', '--shell', 'zsh', '--yes'], { env })
    assert.equal(doctor('completion').checks[0]!.status, 'ok')
  })
  test('is a history that is indexed', () => {
    assert.equal(doctor('database').checks[0]!.status, 'skip')
    swap(['history', '--sync', '-qq'], { env: { SWAP_HOME: home } })
    assert.match(doctor('database').checks[0]!.message, /\d+ legs up to block \d+/)
  })
})

describe('key files', () => {
  const withKey = () => {
    const secret = join(home, 'pw')
    writeFileSync(secret, 'a password of some length', { mode: 0o600 })
    const words = join(home, 'words')
    const args = ['keys', 'new', 'main', '--password-file', secret, '--mnemonic-file', words]
    const { status, stderr } = swap(args, { env: { SWAP_HOME: home, HOME: home } })
    assert.equal(status, 0, stderr)
    return join(home, 'keys', 'main.json')
  }
  test('that others may read are a failure with what to do, and --fix does it', () => {
    const file = withKey()
    assert.match(doctor('keys').checks[0]!.message, /^1 key file in/)
    chmodSync(file, 0o644)
    const { status, checks } = doctor('keys')
    assert.equal(status, 1)
    assert.ok(checks.some((each) => each.status === 'fail' && /chmod 600/.test(each.do ?? '')))
    assert.equal(doctor('keys', '--fix').status, 0)
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })
})

test('an execution whose end is not known is a failure, with the command that settles it', () => {
  const env = { SWAP_HOME: home, HOME: home }
  assert.equal(doctor('journal').checks[0]!.message, 'nothing unfinished')
  swap(['demo', 'start', '--port', '0', '--block-time', '500ms'], { env })
  try {
    swap(['demo', 'fail', 'timeout', '--once'], { env })
    const trade = ['0.01', 'btc', 'rune', '--from', 'demo', '--yes', '--slippage', '1%']
    swap(['execute', ...trade, '--wait', 'accepted'], { env })
    const [found] = doctor('journal').checks
    assert.deepEqual([found!.status, found!.do], ['fail', 'swap resume'])
  } finally {
    swap(['demo', 'stop'], { env })
  }
})
