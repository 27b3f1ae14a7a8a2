import assert from 'node:assert/strict'
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { machineChecks } from '../../../../src/cli/commands/doctor/check-names.js'
import { runSwap } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'

let home: string
beforeEach(() => {
  home = temporaryFolder('doctor')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

type Check = {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly do: string | null
}

const doctor = async (...args: readonly string[]) => {
  const env = { SWAP_HOME: home, HOME: home, SHELL: '/bin/zsh' }
  const { status, stdout } = await runSwap(['doctor', ...args, '--json'], { env })
  return { status, checks: (JSON.parse(stdout) as { checks: Check[] }).checks }
}

describe('what lies on this machine', () => {
  test('is nothing that is wrong where nothing is there yet', async () => {
    const { status, checks } = await doctor(...machineChecks)
    assert.equal(status, 0)
    assert.deepEqual(
      checks.map(({ name }) => name),
      [...machineChecks],
    )
    for (const { status: each } of checks) assert.match(each, /^(ok|skip|note)$/)
  })
  test('is asked of nobody with --offline', async () => {
    const { checks } = await doctor('--offline')
    const names = checks.map(({ name }) => name)
    for (const name of ['keys', 'journal', 'completion']) assert.ok(names.includes(name), name)
    for (const name of ['server', 'database', 'node']) assert.ok(!names.includes(name), name)
  })
  test('is a completion that is installed', async () => {
    assert.match((await doctor('completion')).checks[0]!.message, /not installed for zsh/)
    const env = { SWAP_HOME: home, HOME: home }
    await runSwap(['completion', 'install', '--shell', 'zsh', '--yes'], { env })
    assert.equal((await doctor('completion')).checks[0]!.status, 'ok')
  })
  test('is a history that is indexed', async () => {
    assert.equal((await doctor('database')).checks[0]!.status, 'skip')
    await runSwap(['history', '--sync', '-qq'], { env: { SWAP_HOME: home } })
    assert.match((await doctor('database')).checks[0]!.message, /\d+ legs up to block \d+/)
  })
})

describe('key files', () => {
  const withKey = async () => {
    const secret = join(home, 'pw')
    writeFileSync(secret, 'a password of some length', { mode: 0o600 })
    const words = join(home, 'words')
    const args = ['keys', 'new', 'main', '--password-file', secret, '--mnemonic-file', words]
    const { status, stderr } = await runSwap(args, { env: { SWAP_HOME: home, HOME: home } })
    assert.equal(status, 0, stderr)
    return join(home, 'keys', 'main.json')
  }
  test('that others may read are a failure with what to do, and --fix does it', async () => {
    const file = await withKey()
    assert.match((await doctor('keys')).checks[0]!.message, /^1 key file in/)
    chmodSync(file, 0o644)
    const { status, checks } = await doctor('keys')
    assert.equal(status, 1)
    assert.ok(checks.some((each) => each.status === 'fail' && /chmod 600/.test(each.do ?? '')))
    assert.equal((await doctor('keys', '--fix')).status, 0)
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })
})

test('an execution whose end is not known is a failure, with the command that settles it', async () => {
  const env = { SWAP_HOME: home, HOME: home }
  assert.equal((await doctor('journal')).checks[0]!.message, 'nothing unfinished')
  await runSwap(['demo', 'start', '--port', '0', '--block-time', '500ms'], { env })
  try {
    await runSwap(['demo', 'fail', 'timeout', '--once'], { env })
    const trade = ['0.01', 'btc', 'rune', '--from', 'demo', '--yes', '--slippage', '1%']
    await runSwap(['execute', ...trade, '--wait', 'accepted'], { env })
    const [found] = (await doctor('journal')).checks
    assert.deepEqual([found!.status, found!.do], ['fail', 'swap tx resume'])
  } finally {
    await runSwap(['demo', 'stop'], { env })
  }
})
