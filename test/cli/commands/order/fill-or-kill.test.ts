import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { payFromFaucet } from '../../../../src/demo-chain/process/faucet.js'
import { network, problem } from '../execute/stage.js'
import { orderCalls, rate, USDC } from './calls.js'

test('a fill-or-kill order that another one precedes in its block is reported as filled in part', async () => {
  const net = await network()
  const { best } = orderCalls(net)
  const password = join(net.home, 'password')
  writeFileSync(password, 'a long enough passphrase', { mode: 0o600 })
  const secrets = ['--password-file', password]
  const words = ['--mnemonic-file', join(net.home, 'words')]
  const made = await net.run('keys', 'new', 'other', ...secrets, ...words, '--json')
  const { address } = JSON.parse(made.stdout)
  payFromFaucet(net.real, address, [{ denom: USDC, amount: 10n ** 15n }])
  net.real.makeBlock()
  const { ask } = await best()
  const buy = (amount: string, price: number, ...more: readonly string[]) =>
    net.run('order', 'buy', amount, 'rune', 'usdc', '--price', rate(price), '--yes', ...more)
  const other = ['--ioc', '--from', 'other', ...secrets, '--sign-only']
  const signed = await buy('900000', ask * 1.01, ...other)
  assert.equal(signed.status, 0, signed.stderr)
  const file = join(net.home, 'signed.json')
  writeFileSync(file, signed.stdout)
  net.hook = async (request, next) => {
    if (!request.body.includes('broadcast_tx_sync')) return next()
    net.hook = (_, go) => go()
    const earlier = await net.run('tx', 'broadcast', file, '--wait', 'accepted')
    assert.equal(earlier.status, 0, earlier.stderr)
    return next()
  }
  const call = ['--fok', '--from', 'demo', '--once', 'all', '--json']
  for (const replayed of [false, true]) {
    const ended = await buy('10', ask * 1.005, ...call)
    const { code, detail, orders, cause } = problem(ended)
    assert.deepEqual([ended.status, code, cause], [12, 'PARTIALLY_EXECUTED', null], `${replayed}`)
    assert.match(`${detail}`, /^the order was not filled completely; the book became thinner /)
    const [{ funds, paid }] = orders as [{ funds: object; paid: object }]
    assert.deepEqual(paid, funds)
  }
})
