import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from 'typebox/value'
import { describe, test } from 'vitest'
import { decodeTx } from '../../../../src/chain/tx/decode-tx.js'
import { signedBytesOf } from '../../../../src/chain/tx/draft.js'
import { txHashOf } from '../../../../src/chain/tx/unsigned-tx.js'
import { commands } from '../../../../src/cli/commands/index.js'
import { documentSchemas } from '../../../../src/cli/commands/schema/run.js'
import type { Intent } from '../../../../src/execution/journal/intent.js'
import { journalIn } from '../../../../src/execution/journal/journal.js'
import { lockAccount } from '../../../../src/execution/journal/lock.js'
import { runIn } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'
import { DEMO, network, problem } from '../execute/stage.js'
import { orderCalls, type Signed } from './calls.js'

const net = await network()
const { executed } = net

const { order, signed } = orderCalls(net)

describe('swap order in other modes', () => {
  const place = ['sell', '1', 'rune', 'usdc', '--price', '5', '--max-cross', '100%'] as const

  test('signs nothing with --dry-run', async () => {
    const before = executed.length
    const { stdout } = await order(...place, '--dry-run')
    assert.equal((JSON.parse(stdout) as Signed).status, 'dry_run')
    assert.equal(executed.length, before)
  })
  test('prints a dry run in a pipe as keys and values', async () => {
    const { stdout } = await net.run('order', ...place, '--from', 'demo', '--dry-run')
    const lines = stdout.trimEnd().split('\n')
    assert.ok(lines.includes('status\tdry_run'), stdout)
    assert.ok(lines.includes('preview.1.orders.1.status\topen'), stdout)
    assert.ok(
      lines.every((line) => /^[\w.]+\t[^\t]*$/.test(line)),
      stdout,
    )
  })
  test.each([
    ['a slippage', ['--fok', '--slippage', '20%']],
    ['a price across the book', ['--ioc', '--price', '0.9']],
    ['a price across the book that it may rest at', ['--price', '0.9']],
  ])('buys at once no more than the amount with %s', async (_, limit) => {
    const call = ['buy', '3', 'rune', 'usdc', ...limit, '--max-cross', '100%', '--dry-run']
    const { previews } = await signed(...call)
    const { gross } = previews![0]!.entries[0]!.taken
    assert.ok(BigInt(gross) - 300_000_000n <= 5n, gross)
    assert.ok(BigInt(gross) >= 300_000_000n, gross)
  })
  test('gives the first result for the same --once key', async () => {
    const first = await signed(...place, '--once', 'monday')
    const again = await signed(...place, '--once', 'monday')
    assert.deepEqual([again.id, again.replayed], [first.id, true])
  })
  test('gives the first result for the same --once key where no order is left', async () => {
    await signed(...place)
    const call = ['cancel', '--all', '--once', 'none left'] as const
    const first = await signed(...call)
    const count = executed.length
    assert.deepEqual(await signed(...call), { ...first, replayed: true })
    assert.equal(executed.length, count)
  })
  test.each([
    ['another amount', ['order', 'sell', '2', ...place.slice(2)]],
    ['base units', ['order', ...place, '--atomic']],
    ['another price', ['order', ...place.slice(0, 5), '6', ...place.slice(6)]],
    ['the other side', ['order', 'buy', ...place.slice(1)]],
    ['a swap', ['execute', '1', 'rune', 'usdc', '--slippage', '1%']],
  ])('refuses %s under a --once key that was used', async (_, words) => {
    const first = await signed(...place, '--once', 'friday')
    const [count, ...rest] = [executed.length, '--from', 'demo', '--yes', '--once', 'friday']
    const refused = problem(await net.run(...words, ...rest, '--json'))
    assert.equal(refused.code, 'INVALID_REQUEST', JSON.stringify(refused))
    assert.match(
      `${refused['detail']}`,
      new RegExp(`${first.id} executed: order sell 1 rune usdc price=5`),
    )
    assert.equal(executed.length, count)
  })
  test('is followed by tx resume also while another account is held by another process', async () => {
    net.board.add({ kind: 'halted' }, net.real.height)
    const placed = await signed(...place, '--wait', 'none')
    const journal = journalIn(join(net.home, 'state', 'journal'))
    const own = journal.find(placed.id!)!
    const [tx] = own.txs
    const address = `${DEMO.slice(0, -1)}q`
    const bytes = signedBytesOf({ ...decodeTx(Buffer.from(tx!.bytes, 'base64')), sender: address })
    const copy = { bytes: Buffer.from(bytes).toString('base64'), hash: txHashOf(bytes) }
    const other: Intent = { ...own, id: 'x_0000beef', address, txs: [{ ...tx!, ...copy }] }
    const over = (intent: Intent) =>
      journal.put({ ...intent, txs: [{ ...intent.txs[0]!, state: 'abandoned' }] })
    const owner = { chainId: own.chain_id, address }
    const lock = await lockAccount(join(net.home, 'state', 'locks'), owner, 0)
    // What is unknown decides, whether it is followed before the one that is held or after it.
    for (const id of ['x_00000000', 'x_ffffffff']) {
      journal.put({ ...other, id })
      const open = await net.run('tx', 'resume', '--json', '--wait-timeout', '100ms')
      assert.deepEqual([open.status, problem(open).code], [9, 'OUTCOME_UNKNOWN'], open.stdout)
      assert.match(open.stderr, new RegExp(`${id} was not followed`))
      over({ ...other, id })
    }
    const shown = await net.run('tx', 'show', own.id, '--json', '--rpc', 'http://127.0.0.1:1')
    const { state, why } = JSON.parse(shown.stdout)
    assert.deepEqual([state, /refused the connection/.test(why)], ['open', true], shown.stdout)
    net.heal()
    journal.put(other)
    const resumed = problem(await net.run('tx', 'resume', '--json'))
    lock.release()
    assert.equal(resumed.code, 'BUSY')
    const reports = resumed['executions'] as readonly Signed[]
    assert.deepEqual(
      reports.map((report) => [report.id, report.status]),
      [[own.id, 'confirmed']],
    )
    over(other)
    assert.equal((await net.run('tx', 'resume')).status, 0)
  })
  test('is confirmed by the symbol that is received', async () => {
    const refused = problem(await order(...place, '--confirm', 'RUNE'))
    assert.equal(refused.code, 'DECLINED')
    assert.equal((await order(...place, '--confirm', 'usdc')).status, 0)
  })
  test('prints a transaction that is signed and broadcast elsewhere', async () => {
    const made = await order(...place, '--generate-only', '--deadline', '200')
    const unsigned = join(net.home, 'order.json')
    writeFileSync(unsigned, made.stdout)
    const sealed = await net.run('tx', 'sign', unsigned, '--from', 'demo', '--yes')
    assert.equal(sealed.status, 0, sealed.stdout)
    writeFileSync(join(net.home, 'signed.json'), sealed.stdout)
    const sent = await net.run('tx', 'broadcast', join(net.home, 'signed.json'), '--json')
    assert.equal(sent.status, 0, sent.stdout)
    const report = JSON.parse(sent.stdout) as Signed
    assert.equal(report.status, 'confirmed')
    assert.deepEqual([report.orders[0]?.expected, report.orders[0]?.paid], [null, []])
    const handed = await order(...place, '--sign-only', '--yes')
    assert.equal(handed.status, 0, handed.stdout)
    writeFileSync(join(net.home, 'handed.json'), handed.stdout)
    const later = await net.run('tx', 'broadcast', join(net.home, 'handed.json'), '-q')
    assert.equal(later.status, 0, later.stdout)
    assert.equal(executed.at(-1)?.hash, later.stdout.trim())
  })
  test('keeps the limits of unattended signing', async () => {
    const args = [...place, '--limits-per-tx-usd', '0.01', '--yes']
    assert.equal(problem(await order(...args)).code, 'LIMIT_EXCEEDED')
  })
  test('is in the journal, as words, as CSV and in its document', async () => {
    const { id } = await signed(...place)
    const { stdout } = await net.run('journal', '--json')
    const schema = (await documentSchemas(commands)).get('journal')!['answer']!
    assert.deepEqual(Value.Errors(schema, JSON.parse(stdout)).slice(0, 3), [])
    assert.ok((await net.run('journal')).stdout.includes(`${id}`))
    const rows = (await net.run('journal', '--csv')).stdout.trimEnd().split('\r\n')
    assert.equal(new Set(rows.map((row) => row.split(',').length)).size, 1)
    const shown = JSON.parse((await net.run('tx', 'show', `${id}`, '--json')).stdout)
    assert.ok(shown.orders[0].entries[0].id.endsWith('/sell/5'))
  })
})

describe("a project's .swaprc that decides what is traded", () => {
  test('keeps orders and swaps from being signed, and what is left of orders from being continued', async () => {
    const cwd = temporaryFolder('project')
    writeFileSync(join(cwd, '.swaprc'), 'alias: { rune: tcy }')
    const journal = journalIn(`${net.home}/state/journal`)
    const [placed] = journal.recent(100).intents.filter(({ orders }) => orders !== undefined)
    const [message] = placed!.orders!
    const txs = placed!.txs.map((tx) => ({ ...tx, legs: [0] }))
    const id = 'x_0000abcd'
    journal.put({ ...placed!, id, once: null, mode: 'legs', orders: [message!, message!], txs })
    const before = executed.length
    for (const words of [
      ['order', 'sell', '1', 'rune', 'usdc', '--price', '5', '--from', 'demo'],
      ['execute', '1', 'rune', 'usdc', '--from', 'demo', '--slippage', '1%'],
      ['tx', 'resume', id],
    ]) {
      const ended = await runIn({ ...net, cwd }, [...words, '--yes', '--json'])
      assert.equal(problem(ended).code, 'INVALID_REQUEST', words.join(' '))
      assert.match(ended.stdout, /nothing is signed with the alias/)
    }
    assert.equal(executed.length, before)
  })
})
