import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { payFromFaucet } from '../../../../src/demo-chain/process/faucet.js'
import type { PlanDocument } from '../../../../src/operations/plan/plan-documents.js'
import { network, problem } from '../execute/stage.js'

test('swap plan run executes a slice once when two accounts begin together, and when its date is moved later', async () => {
  const net = await network(500)
  const [path, password] = [join(net.home, 'plan.json'), join(net.home, 'password')]
  writeFileSync(password, 'a long enough passphrase', { mode: 0o600 })
  const words = ['--password-file', password, '--mnemonic-file', join(net.home, 'words')]
  const made = await net.run('keys', 'new', 'other', ...words, '--json')
  assert.equal(made.status, 0, made.stderr)
  payFromFaucet(net.real, JSON.parse(made.stdout).address, [{ denom: 'rune', amount: 10n ** 10n }])
  net.real.makeBlock()
  const division = ['--slices', '2', '--every', '1h', '--file', path]
  assert.equal((await net.run('plan', 'twap', '3', 'rune', 'usdc', ...division)).status, 0)
  const run = (...from: readonly string[]) =>
    net.run('plan', 'run', path, '--from', ...from, '--yes', '--slippage', '1%', '--json')
  const ends = await Promise.all([run('demo'), run('other', '--password-file', password)])
  assert.deepEqual(ends.map(({ status }) => status).sort(), [0, 13])
  const refused = ends.find(({ status }) => status === 13)!
  assert.match(`${problem(refused).detail}`, /^another process is executing this plan; /)
  const sold = ends[0]!.status === 0 ? 'demo' : 'other'
  const idle = sold === 'demo' ? ['other', '--password-file', password] : ['demo']
  // By the first date of the file, the slice of the other account was executed before the plan began.
  const plan = JSON.parse(readFileSync(path, 'utf8')) as PlanDocument
  const moveTo = (ms: number) => {
    const due = new Date(ms).toISOString()
    const slices = plan.slices.map((slice) => ({ ...slice, due }))
    writeFileSync(path, JSON.stringify({ ...plan, slices }))
  }
  moveTo(Date.now())
  const later = problem(await run(...idle))
  assert.match(`${later.detail}`, /^another account executes the plan p_/)
  moveTo(Date.now() + 3_600_000)
  assert.match(
    `${problem(await run(sold, '--password-file', password)).detail}`,
    /^the plan p_\w+ was changed after its slice 1 /,
  )
})
