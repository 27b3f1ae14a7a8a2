import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { built, type Ended, swap } from '../../support/program.js'

const home = mkdtempSync(join(tmpdir(), 'swap-cli-history-'))
const env = { SWAP_HOME: home, HOME: home }
const run = (...args: readonly string[]): Ended => swap(args, { env })
const history = (...args: readonly string[]): Ended => run('history', ...args)
const jsonOf = ({ stdout, stderr }: Ended) => JSON.parse(stdout || assert.fail(stderr))

/** Documents are long: what differs is looked for by hand. */
const same = (one: string, other: string) => assert.ok(one === other && one !== '', 'they differ')

beforeAll(built)
afterAll(() => {
  run('demo', 'stop')
  rmSync(home, { recursive: true, force: true })
})

describe('swap history', () => {
  test('of an index that is not there says how to fill it, and makes none', () => {
    const { status, stdout } = history('-o', 'human')
    assert.equal(status, 0)
    assert.match(stdout, /nothing is indexed yet/)
    assert.match(stdout, /swap history --sync/)
    const { total, indexed_height } = jsonOf(history('--json'))
    assert.deepEqual([total, indexed_height], [0, null])
    assert.ok(!existsSync(join(home, 'state', 'demo', 'demo-1', 'history.db')))
  })

  test('--sync indexes what there is, then shows it; another time there is nothing to do', () => {
    run('demo', 'start', '--port', '0', '--block-time', '50ms', '-qq')
    while (jsonOf(run('demo', 'status', '--json')).height < 140);
    run('demo', 'stop')
    const first = history('--sync', '--json', '--limit', '100')
    assert.equal(first.status, 0, first.stderr)
    assert.match(first.stderr, /note: indexed \d+ blocks with [1-9]\d* swaps? in/)
    const { items, total, indexed_height } = jsonOf(first)
    assert.equal(items.length, Math.min(total, 100))
    assert.ok(indexed_height >= 140)
    const again = history('--sync', '--json', '--limit', '100')
    same(again.stdout, first.stdout)
    assert.match(again.stderr, /indexed 0 blocks with 0 swaps/)
  })

  test('answers the five questions, and its rows are as many as it says', () => {
    const [item] = jsonOf(history('--json', '--limit', '1')).items
    for (const [flag, value] of [
      ['--sender', item.sender],
      ['--tx-hash', item.tx_hash],
      ['--type', item.type],
    ]) {
      const { items } = jsonOf(history(flag!, value, '--json', '--limit', '100'))
      const found = items.some(
        (each: typeof item) => each.tx_hash === item.tx_hash && each.msg_index === item.msg_index,
      )
      assert.ok(found, flag)
      assert.equal(
        history(flag!, value, '--limit', '100').stdout.trim().split('\n').length,
        items.length,
      )
      const csv = history(flag!, value, '--limit', '100', '--csv').stdout.trim().split('\r\n')
      assert.equal(csv.length, items.length + 1)
    }
    const { items } = jsonOf(history('--period', '1d', '--json', '--limit', '100'))
    assert.ok(items.length > 1 && items[0].rank === 1)
    assert.match(history('--period', '1d', '-o', 'human', '--width', '120').stdout, /█/)
  })

  test('--reindex makes the same rows again, the database elsewhere too', () => {
    const before = history('--json', '--limit', '100').stdout
    same(history('--reindex', '--json', '--limit', '100').stdout, before)
    const elsewhere = join(home, 'elsewhere.db')
    same(history('--sync', '--json', '--limit', '100', '--database', elsewhere).stdout, before)
    assert.ok(existsSync(elsewhere))
  })

  test('the service answers the same bytes from the same database', async () => {
    const child = spawn(
      process.execPath,
      [resolve('bin/swap.js'), 'serve', '--no-index', '--listen', '127.0.0.1:0', '--json'],
      { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'ignore'] },
    )
    try {
      const [line] = await new Promise<string[]>((resolve) =>
        createInterface(child.stdout).once('line', (...lines: string[]) => resolve(lines)),
      )
      const { http } = JSON.parse(line ?? '')
      const body = async (query: string) => (await fetch(`${http}/history${query}`)).text()
      same(`${await body('?limit=5')}\n`, history('--limit', '5', '--json').stdout)
      same(`${await body('?period=7d')}\n`, history('--period', '7d', '--json').stdout)
      same(
        `${await body('?type=arbitrage&page=2')}\n`,
        history('--type', 'arbitrage', '--page', '2', '--json').stdout,
      )
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('what is asked wrongly is said before anything is indexed', () => {
    for (const args of [
      ['--sync', '--type', 'swap', '--period', '1d'],
      ['--limit', '101'],
      ['--from-height', '5'],
      ['--sync', '--database', 'mysql://x'],
      ['extra'],
    ]) {
      const { status, stderr } = history(...args)
      assert.equal(status, 2, args.join(' '))
      assert.ok(!stderr.includes('note: indexed'))
    }
    const { status, stdout } = history('--sender', 'demo1nobody', '--json')
    assert.deepEqual([status, JSON.parse(stdout).code], [2, 'INVALID_ADDRESS'])
  })
})
