import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { payFromFaucet } from '../../../../src/demo-chain/process/faucet.js'
import { journalIn } from '../../../../src/execution/journal/journal.js'
import { closingLast } from '../../../support/closing.js'
import { network, problem } from '../execute/stage.js'

test('swap tx resume signs the rest with the account that began, and refuses another one', async () => {
  const net = closingLast(await network(500))
  const password = join(net.home, 'password')
  writeFileSync(password, 'a long enough passphrase', { mode: 0o600 })
  const unlocking = ['--password-file', password]
  const words = [...unlocking, '--mnemonic-file', join(net.home, 'words')]
  const { address } = JSON.parse((await net.run('keys', 'new', 'other', ...words, '--json')).stdout)
  payFromFaucet(net.real, address, [{ denom: 'rune', amount: 10n ** 12n }])
  const signing = ['--from', 'demo', '--yes', '--json']
  const swap = ['execute', '5', 'rune', 'usdc', '--slippage', '1%']
  const order = ['order', 'sell', '5', 'rune', 'usdc', '--price', '5']
  const journal = journalIn(join(net.home, 'state', 'journal'))
  for (const call of [swap, order]) {
    const { id } = JSON.parse((await net.run(...call, ...signing)).stdout)
    // A second leg or message like the first, which is not executed yet.
    const done = journal.find(id)!
    const twice = <T>(parts: readonly T[]) => [...parts, ...parts]
    const orders = done.orders && { orders: twice(done.orders) }
    journal.put({ ...done, mode: 'legs', legs: twice(done.legs), ...orders })
    const resumed = (...flags: readonly string[]) =>
      net.run('tx', 'resume', id, '--yes', '--slippage', '1%', '--json', ...flags)
    const refused = problem(await resumed('--from', 'other', ...unlocking))
    assert.equal(refused.code, 'INVALID_REQUEST')
    assert.equal(refused['hint'], `sign it with the same account: --from ${done.address}`)
    assert.equal(journal.find(id)!.txs.length, 1)
    // The same order again changes nothing, and is refused as an order.
    const { status, stdout } = await resumed('--from', done.address)
    const { status: reported, cause } = JSON.parse(stdout)
    if (call === swap) assert.deepEqual([status, reported], [0, 'confirmed'])
    else assert.equal(cause, 'ORDER_REFUSED')
  }
})
