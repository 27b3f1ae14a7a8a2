import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { decodeTx } from '../../../../src/chain/tx/decode-tx.js'
import { payFromFaucet } from '../../../../src/demo-chain/process/faucet.js'
import { journalIn } from '../../../../src/execution/journal/journal.js'
import { fromBase64 } from '../../../../src/platform/encoding.js'
import { network, problem } from '../execute/stage.js'

const net = await network(500)
const password = join(net.home, 'password')
writeFileSync(password, 'a long enough passphrase', { mode: 0o600 })
const unlocking = ['--password-file', password]
const words = [...unlocking, '--mnemonic-file', join(net.home, 'words')]
const { stdout } = await net.run('keys', 'new', 'other', ...words, '--json')
const { address } = JSON.parse(stdout)
payFromFaucet(net.real, address, [{ denom: 'rune', amount: 10n ** 12n }])
const signing = ['--from', 'demo', '--yes', '--json']
const swap = ['execute', '5', 'rune', 'usdc', '--slippage', '1%']
const journal = journalIn(join(net.home, 'state', 'journal'))

/** An execution with a second leg or message like the first, which is not executed yet. */
async function interrupted(...call: readonly string[]) {
  const { id } = JSON.parse((await net.run(...call, ...signing)).stdout)
  const done = journal.find(id)!
  const twice = <T>(parts: readonly T[]) => [...parts, ...parts]
  const orders = done.orders && { orders: twice(done.orders) }
  journal.put({ ...done, mode: 'legs', legs: twice(done.legs), ...orders })
  const resume = (...flags: readonly string[]) =>
    net.run('tx', 'resume', id, '--yes', '--slippage', '1%', '--json', ...flags)
  return { resume, address: done.address, txs: () => journal.find(id)!.txs }
}

describe('swap tx resume', () => {
  const order = ['order', 'sell', '5', 'rune', 'usdc', '--price', '5']
  test.each([swap, order])(
    'refuses to sign the rest with another account: swap %s',
    async (...call) => {
      const { resume, txs, address: own } = await interrupted(...call)
      const refused = problem(await resume('--from', 'other', ...unlocking))
      assert.equal(refused.code, 'INVALID_REQUEST')
      assert.equal(refused['hint'], `sign it with the same account: --from ${own}`)
      assert.equal(txs().length, 1)
      const same = JSON.parse((await resume('--from', own)).stdout)
      // The same order again changes nothing, and is refused as an order.
      if (call[0] === 'execute') assert.equal(same.status, 'confirmed')
      else assert.equal(same.cause, 'ORDER_REFUSED')
    },
  )

  test('pays the recipient and the affiliate of the first leg', async () => {
    const to = ['--to', address, '--confirm-to', address, '--affiliate', 'acme']
    const { resume, txs } = await interrupted(...swap, ...to)
    const refused = problem(await resume())
    assert.equal(refused.code, 'CONFIRMATION_REQUIRED')
    assert.match(`${refused['hint']}`, new RegExp(`repeat the address: --confirm-to ${address}$`))
    assert.equal((await resume('--confirm-to', address)).status, 0)
    const sent = txs().map(({ bytes }) => decodeTx(fromBase64(bytes)).calls[0]!.message)
    for (const message of sent) assert.match(message, new RegExp(`"${address}".*"acme"`))
    assert.equal(sent.length, 2)
  })

  test('gives the transactions of the remaining legs as many blocks as --deadline says', async () => {
    const { resume, txs } = await interrupted(...swap)
    assert.equal((await resume('--deadline', '200')).status, 0)
    const [first, last] = txs().map(({ timeout_height }) => timeout_height)
    assert.ok(last! - first! >= 180, `${first}, then ${last}`)
  })

  test('of everything with --csv is one table of swaps and orders, with -q their hashes, with --ndjson the last line', async () => {
    const ids: string[] = []
    for (const call of [swap, order])
      ids.push(JSON.parse((await net.run(...call, ...signing)).stdout).id)
    const reopened = () =>
      ids.flatMap((id) => {
        const { txs, ...done } = journal.find(id)!
        journal.put({ ...done, txs: txs.map((tx) => ({ ...tx, state: 'sent' })) })
        return txs.map(({ hash }) => hash)
      })
    const hashes = reopened().toSorted()
    const quiet = await net.run('tx', 'resume', '-q', '--json')
    assert.deepEqual(quiet.stdout.trim().split('\n').toSorted(), hashes)
    reopened()
    const events = (await net.run('tx', 'resume', '--ndjson')).stdout.trim().split('\n')
    const end = JSON.parse(events.pop()!)
    assert.deepEqual([end.type, end.executions.length], ['end', ids.length])
    assert.ok(events.length > 0 && events.every((line) => JSON.parse(line).type === 'stage'))
    reopened()
    const { stdout } = await net.run('tx', 'resume', '--csv')
    const [head, ...rows] = stdout.trim().split('\r\n')
    assert.match(head!, /^time,id,network,/)
    assert.deepEqual(rows.map((row) => row.split(',')[1]).toSorted(), ids.toSorted())
  })
})
