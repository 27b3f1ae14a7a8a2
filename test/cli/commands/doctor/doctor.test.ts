import assert from 'node:assert/strict'
import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'vitest'
import { machineChecks } from '../../../../src/cli/commands/doctor/check-names.js'
import { runSwap } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'
import { deriveCheaply } from '../../../support/remembered-scrypt.js'
import { network } from '../execute/stage.js'

let home: string
beforeEach(() => {
  home = temporaryFolder('doctor')
})

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

describe('the doctor on this machine', () => {
  test('finds no failure in an empty home', async () => {
    const { status, checks } = await doctor(...machineChecks)
    assert.equal(status, 0)
    assert.deepEqual(
      checks.map(({ name }) => name),
      [...machineChecks],
    )
    for (const { status: each } of checks) assert.match(each, /^(ok|skip|note)$/)
  })
  test('asks no server with --offline', async () => {
    const { checks } = await doctor('--offline')
    const names = checks.map(({ name }) => name)
    for (const name of ['keys', 'journal', 'completion']) assert.ok(names.includes(name), name)
    for (const name of ['server', 'database', 'node']) assert.ok(!names.includes(name), name)
  })
  test('fails a check that it cannot make without a usable configuration', async () => {
    writeFileSync(join(home, '.swaprc'), 'slippage: 200%\n')
    const { status, checks } = await doctor('node')
    assert.deepEqual(
      [status, checks.map((each) => `${each.name} ${each.status}`)],
      [1, ['config fail']],
    )
  })
  test('finds an installed completion', async () => {
    assert.match((await doctor('completion')).checks[0]!.message, /not installed for zsh/)
    const env = { SWAP_HOME: home, HOME: home }
    await runSwap(['completion', 'install', '--shell', 'zsh', '--yes'], { env })
    assert.equal((await doctor('completion')).checks[0]!.status, 'ok')
  })
  test('finds an indexed history', async () => {
    assert.equal((await doctor('database')).checks[0]!.status, 'skip')
    for (const args of [
      ['demo', 'faucet', 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn', '1rune'],
      ['history', '--sync'],
    ])
      await runSwap([...args, '-qq'], { env: { SWAP_HOME: home } })
    assert.match((await doctor('database')).checks[0]!.message, /\d+ legs? up to block 121/)
  })
})

describe('a command that the doctor suggests', () => {
  for (const form of ['--json', '-o', '--csv'] as const)
    test(`repeats the network of the call with ${form}`, async () => {
      const args = ['doctor', 'database', '-n', 'demo', form, ...(form === '-o' ? ['human'] : [])]
      const { stdout } = await runSwap(args, { env: { SWAP_HOME: home, HOME: home } })
      assert.match(stdout, /swap -n demo history --sync begins/)
    })
})

describe('key files of the doctor', () => {
  const withKey = async () => {
    deriveCheaply()
    const secret = join(home, 'pw')
    writeFileSync(secret, 'a password of some length', { mode: 0o600 })
    const words = join(home, 'words')
    const args = ['keys', 'new', 'main', '--password-file', secret, '--mnemonic-file', words]
    const { status, stderr } = await runSwap(args, { env: { SWAP_HOME: home, HOME: home } })
    assert.equal(status, 0, stderr)
    return join(home, 'keys', 'main.json')
  }
  test('that others may read are a failure with a remedy, which --fix applies', async () => {
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

test('an unfinished execution is a failed check of the doctor, with the command that settles it', async () => {
  const net = await network()
  const journal = async (...flags: readonly string[]) => {
    const { stdout } = await net.run('doctor', 'journal', '--json', ...flags)
    return (JSON.parse(stdout).checks as Check[])[0]!
  }
  assert.equal((await journal()).message, 'nothing unfinished')
  net.board.add({ kind: 'timeout', once: true }, net.real.height)
  const trade = ['1', 'rune', 'usdc', '--from', 'demo', '--yes', '--slippage', '1%']
  await net.run('execute', ...trade, '--wait', 'accepted')
  const { status, do: command } = await journal()
  assert.deepEqual([status, command], ['fail', 'swap tx resume'])
  assert.equal((await journal('-n', 'mainnet')).do, 'swap -n demo tx resume')
})
