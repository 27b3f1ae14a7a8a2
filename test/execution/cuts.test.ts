import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { seededRandom } from '../../src/demo-chain/market/random.js'
import { isFinal } from '../../src/execution/journal/intent.js'
import { journalIn } from '../../src/execution/journal/journal.js'
import { sortedJson } from '../../src/platform/encoding.js'
import { beginIn, type Ended, network } from '../cli/commands/execute/stage.js'
import type { Executed } from '../support/chain.js'
import { runIn } from '../support/cli.js'
import { closingLast } from '../support/closing.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG, longTest } from '../support/long.js'
import { type Moment, wireCutter } from '../support/wire-cutter.js'

/** Broadcasts that are cut, and rounds of two programs with one key. */
const CUTS = Number(process.env['SWAP_CUTS'] ?? 40)
const ROUNDS = Number(process.env['SWAP_ROUNDS'] ?? 5)
/** Another first seed goes on where an earlier run ended. */
const FIRST = Number(process.env['SWAP_SEED'] ?? 1)

const net = await network(250)
const { executed } = net
const wire = closingLast(await wireCutter(net.env['SWAP_RPC']!))

/** A machine of its own, whose program reaches the chain by some URL. */
function machine(rpc: string) {
  const home = temporaryFolder('machine')
  const env = { ...net.env, SWAP_HOME: home, SWAP_RPC: rpc, PATH: process.env['PATH'] ?? '' }
  const begin = (...args: readonly string[]) => beginIn(home, env, args)
  const run = (...args: readonly string[]): Promise<Ended> => runIn({ home, env }, args)
  return { begin, run, home, journal: journalIn(join(home, 'state', 'journal')) }
}

const swapOnce = (...more: readonly string[]): readonly string[] =>
  swapOf('1', '--deadline', '12', ...more)

const swapOf = (amount: string, ...more: readonly string[]): readonly string[] => [
  'execute',
  amount,
  'rune',
  'usdc',
  '--from',
  'demo',
  '--yes',
  '--slippage',
  '5%',
  '--json',
  ...more,
]

const doneSince = (from: number): readonly Executed[] =>
  executed.slice(from).filter(({ code }) => code === 0)

describe.runIf(LONG)('the connection of a broadcast', () => {
  const moments: readonly Moment[] = ['before', 'during', 'after', 'within']

  longTest(
    `may be cut at any byte (${CUTS} times): at most one execution, in the journal, with a true report`,
    async () => {
      const { begin, run, journal } = machine(wire.url)
      const outcomes = { done: 0, not: 0, unknown: 0, killed: 0 }
      for (let seed = FIRST; seed < FIRST + CUTS; seed += 1) {
        const draw = seededRandom(`cut ${seed}`)
        const random = () => draw() / 2 ** 32
        const before = executed.length
        // Most come through at a later try; some never do, and some lose their process besides.
        wire.plan(
          moments[seed % 4]!,
          random(),
          random() < 0.85 ? 1 + Math.floor(random() * 3) : 1_000,
        )
        const swap = begin(...swapOnce('--once', `cut ${seed}`))
        const killer = random() < 0.25 ? setTimeout(swap.kill, 400 + random() * 1_600) : undefined
        const { status, stdout, stderr } = await swap.ended
        clearTimeout(killer)
        wire.spare()
        const now = doneSince(before).length
        const words = `seed ${seed}: exit ${status}, ${now} executed\n${stdout}${stderr}`
        assert.ok(now <= 1, words)
        if (status === 0) assert.equal(now, 1, words)
        if (status === 10) assert.equal(now, 0, words)
        if (status === null) outcomes.killed += 1
        else if (status === 0) outcomes.done += 1
        else if (status === 9) outcomes.unknown += 1
        else outcomes.not += 1
        assert.ok(status === null || [0, 4, 9, 10].includes(status), words)
        const resumed = await run('tx', 'resume', '--json')
        assert.ok([0, 10].includes(resumed.status ?? -1), resumed.stdout + resumed.stderr)
        const mine = journal.recent(10).intents.filter(({ once }) => once === `cut ${seed}`)
        for (const tx of mine.flatMap(({ txs }) => txs)) {
          assert.ok(isFinal(tx) || tx.state === 'signed', `${words} ${tx.state}`)
          const isIn = executed.some(({ hash }) => hash === tx.hash)
          assert.equal(tx.state === 'included', isIn, `${words} ${tx.state}`)
        }
        assert.ok(doneSince(before).length <= 1, words)
      }
      const known = new Set(
        journal.recent(10_000).intents.flatMap(({ txs }) => txs.map(({ hash }) => hash)),
      )
      for (const { hash } of executed) assert.ok(known.has(hash), `${hash} is forgotten`)
      console.info(`cuts ${FIRST} to ${FIRST + CUTS - 1}: ${JSON.stringify(outcomes)}`)
      assert.ok(outcomes.done > 0)
    },
    14_400_000,
  )
})

describe('a quote in a file', () => {
  test('is executed once in any layout, and again with --again', async () => {
    const { run: swap, home } = machine(net.env['SWAP_RPC']!)
    const quote = (await swap('sroute', '1', 'rune', 'usdc', '--json')).stdout
    const [file, laid, ordered] = ['quote.json', 'laid.json', 'ordered.json'].map((name) =>
      join(home, name),
    )
    writeFileSync(file!, quote)
    writeFileSync(ordered!, sortedJson(JSON.parse(quote)))
    writeFileSync(laid!, JSON.stringify(JSON.parse(quote), null, 2))
    const guarded = ['--from', 'demo', '--yes', '--slippage', '5%', '--max-age', '10m', '--json']
    const run = async (...call: readonly string[]) => {
      const { status, stdout, stderr } = await swap('execute', ...call, ...guarded)
      assert.equal(status, 0, stdout + stderr)
      return JSON.parse(stdout)
    }
    const before = executed.length
    const first = await run(file!)
    assert.equal(first.replayed, false)
    // The id under which it was kept when it was quoted names the same document.
    for (const each of [file!, laid!, ordered!, first.quote_id])
      assert.deepEqual(await run(each), { ...first, replayed: true })
    assert.equal(doneSince(before).length, 1)
    const again = await run(laid!, '--again')
    assert.notEqual(again.id, first.id)
    assert.equal(doneSince(before).length, 2)
  }, 600_000)
})

describe.runIf(LONG)('two machines with one key', () => {
  longTest(
    `that execute at the same time (${ROUNDS} times) report exactly the executed swaps`,
    async () => {
      const both = [machine(net.env['SWAP_RPC']!), machine(net.env['SWAP_RPC']!)]
      const before = executed.length
      const reported: string[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        // Equal bytes would be one swap, reported twice, so the amounts differ.
        const ends = await Promise.all(
          both.map(({ begin }, i) => begin(...swapOf(`${i + 1}`)).ended),
        )
        for (const { status, stdout, stderr } of ends) {
          const answer = JSON.parse(stdout)
          if (status === 0) reported.push(answer.txs.at(-1).hash)
          // The second call reports that it was second; no report is false.
          else assert.ok([5, 9, 10].includes(status ?? -1), `exit ${status} ${stdout}${stderr}`)
          if (status === 10) assert.equal(answer.funds, 'untouched', stdout)
          if (status === 9) assert.equal(answer.funds, 'unknown', stdout)
        }
      }
      const done = doneSince(before).map(({ hash }) => hash)
      assert.deepEqual([...reported].sort(), [...done].sort())
      assert.ok(reported.length > 0)
      for (const { run } of both)
        assert.ok([0, 10].includes((await run('tx', 'resume')).status ?? -1))
      assert.equal(doneSince(before).length, done.length)
    },
    3_600_000,
  )
})
