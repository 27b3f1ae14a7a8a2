import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { DECODER } from '../../../../src/chain/trades/block-trades.js'
import type { IndexedBlock } from '../../../../src/history/store/history-store.js'
import { openHistory } from '../../../../src/history/store/open.js'
import { openNode } from '../../../chain/rpc/stage.js'
import { servingWith } from '../../../service/serving.js'
import { chainOf, grow, majorPairs } from '../../../support/chain.js'
import { type Ended, runIn, runSwap } from '../../../support/cli.js'
import { closingLast } from '../../../support/closing.js'
import { temporaryFolder } from '../../../support/folder.js'
import { LONG, longTest } from '../../../support/long.js'
import { network } from '../execute/stage.js'

const home = temporaryFolder('cli-history')
/** A home without a network: the demo chain of this machine. */
const own = { SWAP_HOME: home, HOME: home }
/** The same with a node of a chain on which people swapped, and which makes no block any more. */
const chain = chainOf({}, majorPairs)
grow(chain, 30)
const { rpc, rest } = closingLast(await openNode(chain))
const env = { ...own, SWAP_RPC: rpc, SWAP_REST: rest }

const run = (...args: readonly string[]): Promise<Ended> => runSwap(args, { env })
const history = (...args: readonly string[]): Promise<Ended> => run('history', ...args)
const jsonOf = ({ stdout, stderr }: Ended) => JSON.parse(stdout || assert.fail(stderr))

/** Without the texts, which are long. */
const same = (one: string, other: string) => assert.ok(one === other && one !== '', 'they differ')

/** The service over the same files. */
const serving = (...more: readonly string[]) => servingWith(env, ...more)

/** Adds a block without swaps to the index of a decoder, as another process does. */
async function addBlock(database: string, decoder: string, more: Partial<IndexedBlock>) {
  const store = await openHistory({ database, chainId: 'demo-1', decoder })
  const height = 7
  const block = { height, time: '2026-05-01T12:00:00Z', hash: 'AB'.repeat(32), parentHash: '' }
  const content = { swaps: [], orders: [], prices: new Map(), quarantined: [] }
  await store.commitBlocks(await store.lead(), [{ ...block, ...content, ...more }])
  await store.close()
}

describe('swap history', () => {
  test('without an index says how to fill it, and creates none', async () => {
    const history = (...args: readonly string[]) => runSwap(['history', ...args], { env: own })
    const { status, stdout } = await history('-o', 'human')
    assert.equal(status, 0)
    assert.match(stdout, /nothing is indexed yet/)
    assert.match(stdout, /swap history --sync/)
    assert.match((await history()).stderr, /nothing is indexed yet; .*swap history --sync/)
    assert.match((await history('--period', '7d', '--csv')).stderr, /nothing is indexed yet/)
    assert.equal((await history('-q')).stderr, '')
    const { total, indexed_height } = jsonOf(await history('--json'))
    assert.deepEqual([total, indexed_height], [0, null])
    assert.ok(!existsSync(join(home, 'state', 'demo', 'demo-1', 'history.db')))
  })
  test('names blocks that no node has any more beside a document, rows and changes of orders', async () => {
    const chain = chainOf({ keep: 10, life: false }, majorPairs)
    grow(chain, 30)
    const { rpc, rest } = closingLast(await openNode(chain))
    const gap = {
      SWAP_HOME: temporaryFolder('cli-gap'),
      HOME: home,
      SWAP_RPC: rpc,
      SWAP_REST: rest,
    }
    const history = (...args: readonly string[]) => runSwap(['history', ...args], { env: gap })
    await history('--sync')
    for (const form of [['--json'], ['--csv'], ['-q'], ['--orders', '--json']])
      assert.match(
        (await history(...form)).stderr,
        /^note: Blocks 120 to 140 are missing: no node/m,
      )
    assert.equal((await history('-qq')).stderr, '')
  })
  test('names the flags that choose what is listed where two were given', async () => {
    const { status, stderr } = await history('--sender', 'demo', '--tx-hash', 'A'.repeat(64))
    assert.equal(status, 2)
    assert.match(stderr, /keep one of --sender, --tx-hash/)
  })

  test('with --sync indexes all blocks and shows them; a second time nothing is left to index', async () => {
    const first = await history('--sync', '--json', '--limit', '100')
    assert.equal(first.status, 0, first.stderr)
    assert.match(first.stderr, /note: indexed \d+ blocks with [1-9]\d* swaps? in/)
    const { items, total, indexed_height } = jsonOf(first)
    assert.equal(items.length, Math.min(total, 100))
    assert.equal(indexed_height, 150)
    const again = await history('--sync', '--json', '--limit', '100')
    same(again.stdout, first.stdout)
    assert.match(again.stderr, /indexed 0 blocks with 0 swaps/)
  })

  test('filters by sender, hash, type and period, with as many rows in every form', async () => {
    const [item] = jsonOf(await history('--json', '--limit', '1')).items
    for (const [flag, value] of [
      ['--sender', item.sender],
      ['--tx-hash', item.tx_hash],
      ['--type', item.type],
    ]) {
      const { items } = jsonOf(await history(flag!, value, '--json', '--limit', '100'))
      const found = items.some(
        (each: typeof item) => each.tx_hash === item.tx_hash && each.msg_index === item.msg_index,
      )
      assert.ok(found, flag)
      if (flag !== '--type' && !LONG) continue
      const lines = (await history(flag!, value, '--limit', '100')).stdout.trim().split('\n')
      const csv = (await history(flag!, value, '--limit', '100', '--csv')).stdout
        .trim()
        .split('\r\n')
      assert.deepEqual([lines.length, csv.length], [items.length, items.length + 1])
    }
    const { items: legs } = jsonOf(await history('--json', '--limit', '100'))
    const hashes: Set<string> = new Set(legs.map((each: typeof item) => each.tx_hash))
    assert.equal((await history('-q', '--limit', '100')).stdout, `${[...hashes].join('\n')}\n`)
    const { items } = jsonOf(await history('--period', '1d', '--json', '--limit', '100'))
    assert.ok(items.length > 1 && items[0].rank === 1)
    assert.match((await history('--period', '1d', '-o', 'human', '--width', '120')).stdout, /█/)
  })

  longTest('with --reindex has the same rows again, and so has another database', async () => {
    const before = (await history('--json', '--limit', '100')).stdout
    same((await history('--reindex', '--json', '--limit', '100')).stdout, before)
    const elsewhere = join(home, 'elsewhere.db')
    same(
      (await history('--sync', '--json', '--limit', '100', '--database', elsewhere)).stdout,
      before,
    )
    assert.ok(existsSync(elsewhere))
  })

  longTest('prints the bytes that the service answers from the same database', async () => {
    const { url, end } = await serving('--no-index')
    try {
      // Running the program holds this thread up for longer than an idle connection is kept.
      const headers = { connection: 'close' }
      const body = async (query: string) =>
        (await fetch(`${url}/history${query}`, { headers })).text()
      // The command first: it indexes new blocks, and the service does not.
      same((await history('--limit', '5', '--json')).stdout, `${await body('?limit=5')}\n`)
      same((await history('--period', '7d', '--json')).stdout, `${await body('?period=7d')}\n`)
      same(
        (await history('--type', 'arbitrage', '--page', '2', '--json')).stdout,
        `${await body('?type=arbitrage&page=2')}\n`,
      )
    } finally {
      await end('SIGKILL')
    }
  })

  longTest(
    'has a database that the service may not fill: its metrics say so and follow the blocks of others',
    async () => {
      const database = join(home, 'theirs.db')
      const kept = (height: number) =>
        addBlock(database, 'other-rules', { height, hash: `${height}`.repeat(64) })
      await kept(7)
      const { url, end } = await serving('--database', database)
      const metric = async (name: string): Promise<string | undefined> => {
        const reply = await fetch(`${url}/metrics`, { headers: { connection: 'close' } })
        return new RegExp(`^${name} (.*)$`, 'm').exec(await reply.text())?.[1]
      }
      try {
        while ((await metric('swap_history_stopped')) !== '1') await wait(100)
        while ((await metric('swap_history_height')) !== '7') await wait(100)
        await kept(9)
        while ((await metric('swap_history_height')) !== '9') await wait(100)
      } finally {
        await end('SIGKILL')
      }
    },
  )

  longTest(
    'with --quarantine lists unreadable events with their bytes, and other forms mention them',
    async () => {
      const database = join(home, 'aside.db')
      const reason = 'the attribute volume is missing'
      await addBlock(database, DECODER, {
        quarantined: [
          { txIndex: 2, eventIndex: 5, reason, bytes: Buffer.from('{"type":"wasm-x"}') },
        ],
      })
      const doctor = await runSwap(['doctor', 'database', '--json'], {
        env: { ...env, SWAP_DATABASE: database },
      })
      const { checks } = jsonOf(doctor)
      assert.deepEqual(
        checks.map(({ status }: { status: string }) => status),
        ['ok', 'note'],
      )
      assert.equal(checks[1].do, 'swap history --quarantine')
      const at = ['--database', database]
      const { items, total } = jsonOf(await history('--quarantine', '--json', ...at))
      assert.equal(total, 1)
      assert.deepEqual(items, [
        {
          height: 7,
          tx_index: 2,
          event_index: 5,
          reason,
          bytes: 'eyJ0eXBlIjoid2FzbS14In0=',
        },
      ])
      const { stdout } = await history('--quarantine', '-o', 'human', ...at)
      assert.match(stdout, /block 7 +transaction 2, event 5/)
      assert.match(stdout, /{"type":"wasm-x"}/)
      assert.equal((await history('--quarantine', '-q', ...at)).stdout, '7\n')
      assert.equal((await history('--quarantine', ...at)).stdout.split('\t').length, 5)
      assert.match(
        (await history('--quarantine', '--csv', ...at)).stdout,
        /^height,tx_index,[\s\S]*\n7,2,5,/,
      )
      assert.match(
        (await history('-o', 'human', ...at)).stdout,
        /1 event could[\s\S]*swap history --quarantine/,
      )
      assert.match((await history('--period', '7d', '-o', 'human', ...at)).stdout, /--quarantine/)
    },
  )

  test('shows a swap that was executed after the last run, without --sync', async () => {
    const net = await network()
    const args = ['execute', '1', 'rune', 'usdc', '--from', 'demo', '--yes', '--slippage', '1%']
    const { txs } = jsonOf(await net.run(...args, '--json'))
    const { stdout, stderr } = await net.run('history', '-q')
    assert.ok(stdout.split('\n').includes(txs[0].hash), stderr)
    const sold = ['order', 'sell', '1', 'rune', 'usdc', '--ioc', '--slippage', '1%', '--yes']
    await net.run(...sold, '--from', 'demo')
    const file = await net.run('history', '--format', 'generic', '--sender', 'demo')
    assert.match(file.stderr, /^note: 1 exchange by limit orders is not in the file: /m)
  })

  test('with --watch ends at the count of blocks that have swaps, and runs --exec for them', async () => {
    const net = await network()
    const flags = ['--watch', '--count', '1', '--until', 'swaps>=1', '--exec', 'grep -q swap']
    let isOver = false
    const watched = net.run('history', ...flags, '--json').finally(() => {
      isOver = true
    })
    const args = ['execute', '1', 'rune', 'usdc', '--from', 'demo', '--yes', '--slippage', '1%']
    // The first of them may be in what the watch begins with.
    while (!isOver) assert.equal((await net.run(...args)).status, 0)
    const { status, stdout, stderr } = await watched
    assert.equal(status, 0, stdout + stderr)
    const types = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type)
    assert.deepEqual([...new Set(types)], ['swap', 'exec', 'end'])
  })

  longTest('needs no home where a database is named', async () => {
    const database = join(home, 'elsewhere.db')
    const args = ['history', '--database', database, '--json']
    const { SWAP_RPC = '', SWAP_REST = '' } = env
    const homeless = { SWAP_HOME: '', HOME: '', SWAP_RPC, SWAP_REST }
    const place = { home: '', cwd: home, env: homeless }
    const { status, stdout, stderr } = await runIn(place, args)
    assert.equal(status, 0, stdout + stderr)
  })

  longTest('with --reindex keeps the index when the chain does not answer', async () => {
    const before = (await history('--json', '--limit', '100')).stdout
    const away = ['--rpc', 'http://127.0.0.1:1', '--timeout', '2s']
    assert.equal((await history('--reindex', ...away)).status, 4)
    same((await history('--json', '--limit', '100')).stdout, before)
  })

  test('refuses wrong flags before anything is indexed', async () => {
    for (const args of [
      ['--sync', '--type', 'swap', '--period', '1d'],
      ['--limit', '101'],
      ['--from-height', '5'],
      ['--tx-hash', 'abc'],
      ['--quarantine', '--type', 'swap'],
      ['--quarantine', '--watch'],
      ['--watch', '--csv'],
      ['--watch', '--count', 'x'],
      ['--watch', '--until', 'price>=1'],
      ['--watch', '--exec', "'"],
      ['--sync', '--count', '5'],
      ['--sync', '--database', '/'],
      ['--sync', '--database', ''],
      ['--sync', '--database', 'mysql://x'],
      ['extra'],
    ]) {
      const { status, stderr } = await history(...args)
      assert.equal(status, 2, args.join(' '))
      assert.ok(!stderr.includes('note: indexed'))
    }
    const { status, stdout } = await history('--sender', 'demo1nobody', '--json')
    assert.deepEqual([status, JSON.parse(stdout).code], [2, 'INVALID_ADDRESS'])
  })
})
