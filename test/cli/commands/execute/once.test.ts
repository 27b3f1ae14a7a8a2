import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { lockAccount } from '../../../../src/execution/journal/lock.js'
import { DEMO, network, problem } from './stage.js'

const net = await network()
const { executed } = net

const unattended = ['--from', 'demo', '--yes', '--slippage', '1%'] as const
const guarded = ['execute', '1', 'rune', 'usdc', ...unattended] as const

describe('a share of a balance of which another command sells some meanwhile', () => {
  for (const words of [
    ['execute', '0.01%', 'rune', 'usdc', '--slippage', '1%'],
    ['order', 'sell', '50%', 'rune', 'usdc', '--price', '5'],
    ['order', 'ladder', 'sell', '50%', 'rune', 'usdc', '--from-price', '5', '--to-price', '6'],
  ])
    test(`is refused: ${words.slice(0, 3).join(' ')}`, async () => {
      const before = executed.length
      net.hook = async (request, next) => {
        const reply = await next()
        if (request.body.includes('Query/AllBalances')) {
          net.hook = (_, pass) => pass()
          assert.equal((await net.run(...guarded)).status, 0)
        }
        return reply
      }
      const ended = await net.run(...words, '--from', 'demo', '--yes', '--json')
      const { code, detail } = problem(ended)
      assert.deepEqual([ended.status, code], [5, 'QUOTE_EXPIRED'])
      assert.match(String(detail), /it was [\d,.]+ RUNE, and is [\d,.]+ RUNE/)
      assert.equal(executed.length, before + 1)
    })
})

describe('swap execute --lock-wait', () => {
  test('waits for longer than a quote is valid, and executes at the minimums of the quote', async () => {
    const owner = { chainId: 'demo-1', address: DEMO }
    const lock = await lockAccount(join(net.home, 'state', 'locks'), owner, 0)
    const quotes = join(net.home, 'state', 'quotes')
    rmSync(quotes, { recursive: true, force: true })
    const waiting = net.run(...guarded, '--lock-wait', '60s', '--json')
    while (!existsSync(quotes)) await sleep(20)
    for (let blocks = 0; blocks < 40; blocks += 1) net.real.makeBlock()
    lock.release()
    const { status, stdout } = await waiting
    assert.equal(status, 0, stdout)
  })
})

describe('swap execute --once', () => {
  test('executes a key once, also in two runs at the same time', async () => {
    const before = executed.length
    const both = await Promise.all(
      [1, 2].map(() => net.run(...guarded, '--once', 'twice', '--lock-wait', '60s', '--json')),
    )
    assert.deepEqual(
      both.map(({ status }) => status),
      [0, 0],
      both.map(({ stderr }) => stderr).join(),
    )
    const reports = both.map(({ stdout }) => JSON.parse(stdout))
    assert.deepEqual(reports.map(({ replayed }) => replayed).sort(), [false, true])
    assert.equal(reports[0].id, reports[1].id)
    assert.equal(executed.length, before + 1)
  })
  test('says that the first result for the same key is below a minimum of the repeated call', async () => {
    const keyed = (...words: readonly string[]) => net.run(...guarded, '--once', 'least', ...words)
    const first = JSON.parse((await keyed('--json')).stdout)
    const before = executed.length
    const met = await keyed('--min-out', '0.000001', '--json')
    assert.deepEqual([met.status, JSON.parse(met.stdout)], [0, { ...first, replayed: true }])
    const ended = await keyed('--min-out', '999999', '--json')
    const { code, received, tx_hash } = problem(ended)
    assert.deepEqual([ended.status, code], [10, 'BELOW_MINIMUM'])
    assert.deepEqual([received, tx_hash], [first.amount_out.amount, first.txs[0].hash])
    const { stdout, stderr } = await keyed('--min-out', '999999')
    assert.ok(stdout.includes(first.txs[0].hash), stdout)
    assert.match(stderr, /less than the new minimum\n +why +it paid [\d.]+ USDC, .+ is 999999 USDC/)
    assert.equal(executed.length, before)
  })
  test('gives the first result for the same key after the balance was sold', async () => {
    const signed = async (...words: readonly string[]) => {
      const ended = await net.run(...words, '--from', 'demo', '--yes', '--json')
      assert.equal(ended.status, 0, ended.stdout)
      return JSON.parse(ended.stdout)
    }
    await signed('order', 'sell', '99.99%', 'rune', 'usdc', '--price', '5')
    await signed('order', 'sell', '99.99%', 'rune', 'usdc', '--price', '6')
    const call = ['execute', 'max', 'rune', 'usdc', '--slippage', '1%', '--once', 'all'] as const
    const first = await signed(...call)
    const again = await signed(...call)
    await signed('order', 'cancel', '--all')
    assert.deepEqual(again, { ...first, replayed: true })
  })
  test('compares the first result of a loop with a profit that the repeated call asks for', async () => {
    const { stdout } = await net.run('arbroute', '700', 'usdc', '--json')
    const file = net.file('loop.json', stdout)
    const keyed = (profit: string) =>
      net.run('execute', file, ...unattended, '--once', 'loop', '--min-profit', profit, '--json')
    const { amount_in, amount_out } = JSON.parse((await keyed('0.00001')).stdout)
    const profit = BigInt(amount_out.amount) - BigInt(amount_in.amount)
    const units = (atomics: bigint) =>
      `${atomics / 100_000_000n}.${`${atomics % 100_000_000n}`.padStart(8, '0')}`
    assert.equal((await keyed(units(profit))).status, 0)
    assert.equal(problem(await keyed(units(profit + 1n))).code, 'BELOW_MINIMUM')
  })
})

describe('a quote that was executed and is not kept any more', () => {
  test('is answered with its execution', async () => {
    const { quote_id } = JSON.parse((await net.run('route', '1', 'rune', 'usdc', '--json')).stdout)
    const call = ['execute', quote_id, ...unattended, '--json'] as const
    const done = JSON.parse((await net.run(...call)).stdout)
    rmSync(join(net.home, 'state', 'quotes', `${quote_id}.json`))
    const before = executed.length
    const ended = await net.run(...call)
    const { code, id, tx_hash, state } = problem(ended)
    assert.deepEqual([ended.status, code, state], [2, 'NOT_FOUND', 'confirmed'])
    assert.deepEqual([id, tx_hash], [done.id, done.txs[0].hash])
    assert.match(ended.stdout, /is confirmed; nothing was sent now/)
    assert.equal(executed.length, before)
  })
})
