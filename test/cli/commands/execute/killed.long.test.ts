import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { seededRandom } from '../../../../src/demo-chain/market/random.js'
import { isFinal } from '../../../../src/execution/journal/intent.js'
import { journalIn } from '../../../../src/execution/journal/journal.js'
import { network } from './stage.js'

/** Processes that are really killed, one after the other. */
const KILLS = 40

const net = await network(500)
const { executed } = net

/** Ends a process when its n-th request comes to the node, before or after the node has done it. */
function killAt(requests: number, isAfter: boolean, kill: () => void): void {
  let left = requests
  net.hook = async (_request, next) => {
    left -= 1
    if (left !== 0) return next()
    if (!isAfter) kill()
    const reply = await next()
    kill()
    return reply
  }
}

/** The number of requests of an undisturbed execution, and which of them is the first broadcast. */
async function requestsOfOne(
  command: Command,
): Promise<{ readonly all: number; readonly broadcast: number }> {
  let all = 0
  let broadcast = 0
  net.hook = (request, next) => {
    all += 1
    if (broadcast === 0 && request.body.includes('broadcast_tx_sync')) broadcast = all
    return next()
  }
  const { status, stderr } = await net.run(...command('undisturbed'))
  assert.equal(status, 0, stderr)
  return { all, broadcast }
}

type Command = (key: string) => readonly string[]

const common = (key: string) => [
  '--from',
  'demo',
  '--yes',
  '--once',
  key,
  '--deadline',
  '8',
  '--json',
]

const swapOnce: Command = (key) => [
  'execute',
  '1',
  'rune',
  'usdc',
  '--slippage',
  '1%',
  ...common(`swap ${key}`),
]

const orderOnce: Command = (key) => [
  'order',
  'buy',
  '1',
  'rune',
  'usdc',
  '--price',
  '0.1',
  ...common(`order ${key}`),
]

describe('a process that is killed', () => {
  test(
    `at ${KILLS} points of a swap has executed it at most once, and the journal has it`,
    () => killed(swapOnce),
    7_200_000,
  )
  test(
    `at ${KILLS} points of an order has placed it at most once, and the journal has it`,
    () => killed(orderOnce),
    7_200_000,
  )
})

/** The idempotency key of a call. */
function onceOf(command: Command, key: string): string {
  const words = command(key)
  return words[words.indexOf('--once') + 1]!
}

async function killed(command: Command): Promise<void> {
  const { all, broadcast } = await requestsOfOne(command)
  const journal = journalIn(`${net.home}/state/journal`)
  let ended = 0
  for (let seed = 1; seed <= KILLS; seed += 1) {
    const draw = seededRandom(`kill ${seed}`)
    const random = () => draw() / 2 ** 32
    // Half of them near the moment at which the bytes leave.
    const near = random() < 0.5
    const point = near ? broadcast - 1 + Math.floor(random() * 4) : 1 + Math.floor(random() * all)
    const key = `kill ${seed}`
    const process = net.begin(...command(key))
    killAt(point, random() < 0.5, process.kill)
    const { status } = await process.ended
    if (status === null) ended += 1
    net.hook = (_request, next) => next()

    const resumed = await net.run('tx', 'resume', '--json')
    assert.ok([0, 10].includes(resumed.status ?? -1), `${key}: ${resumed.stdout}${resumed.stderr}`)
    const onChain = new Map(executed.map((tx) => [tx.hash, tx]))
    const mine = journal
      .recent(1_000)
      .intents.filter(({ once }) => once === onceOf(command, key))
      .flatMap(({ txs }) => txs)
    const done = mine.filter(({ hash }) => onChain.has(hash))
    assert.ok(done.length <= 1, `${key} was executed ${done.length} times`)
    for (const tx of mine) {
      assert.ok(isFinal(tx) || tx.state === 'signed', `${key}: ${tx.state}`)
      const isSent = mine.some(({ hash, state }) => hash === tx.hash && state === 'included')
      assert.equal(isSent, onChain.has(tx.hash), `${key}: ${tx.state}`)
    }
    // The same call again does what is left to do, and no more.
    if (seed % 3 === 0) {
      const again = await net.run(...command(key))
      assert.equal(again.status, 0, `${key}: ${again.stderr}`)
      assert.equal(JSON.parse(again.stdout).replayed, done.length === 1, key)
    }
  }
  assert.ok(ended > 0)
  const known = new Set(
    journal.recent(10_000).intents.flatMap(({ txs }) => txs.map(({ hash }) => hash)),
  )
  for (const { hash } of executed) assert.ok(known.has(hash), `${hash} is forgotten`)
}
