import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type FaultyNode, openNode } from '../../chain/rpc/stage.js'
import { endAll, type Serving } from '../../service/serving.js'
import { body } from '../../service/stage.js'
import { chainOf, threePairs } from '../../support/chain.js'
import { closingLast } from '../../support/closing.js'
import { freshDatabase, testPostgres } from '../../support/postgres.js'
import { ALONE, ask, FOLLOWS, LEADS, member, messagesOf, registry, soon, truths } from './crew.js'
import { loadAll, nothingFound } from './load.js'

const KILL_COUNT = Number(process.env['SWAP_KILLS'] ?? 15)
const PROCESSES = 3
const BLOCK_MS = 1_000

const server = await testPostgres()
const chain = chainOf({ seed: 9 }, threePairs)
const expected = truths(chain)
let node: FaultyNode

beforeAll(async () => {
  node = closingLast(await openNode(chain))
})
afterAll(endAll)

describe.skipIf(server === undefined)('several processes with one database', () => {
  test(`replace a killed leader (${KILL_COUNT} times): heights only rise, equal heights give equal bytes`, async () => {
    const database = await freshDatabase(server!)
    const processes: Serving[] = []
    for (let i = 0; i < PROCESSES; i += 1) processes.push(await member(database, node))
    const board = await registry(database)
    const blocks = setInterval(() => expected.grow(), BLOCK_MS)
    await soon(async () => (await board.published()).heights.length > 2)

    const ending = new AbortController()
    const found = nothingFound()
    const loads = loadAll(processes, expected, found, ending.signal)
    const handovers: number[] = []
    const work = async (): Promise<void> => {
      let highest = 0
      for (let kill = 0; kill < KILL_COUNT; kill += 1) {
        const before = await board.published()
        const pid = await board.leader()
        const place = processes.findIndex(({ child }) => child.pid === pid)
        assert.ok(place >= 0, 'one of them leads')
        processes[place]!.child.kill('SIGKILL')
        const killed = performance.now()
        const after = await soon(async () => {
          const now = await board.published()
          return now.epoch > before.epoch && now
        })
        handovers.push(performance.now() - killed)
        assert.ok(after.heights.length <= 8)
        assert.ok(after.heights.at(-1)! > Math.max(highest, before.heights.at(-1)!))
        highest = after.heights.at(-1)!
        processes[place] = await member(database, node)
        await soon(async () => ask(processes[place]!.url, body()))
        await wait(Math.random() * 1_000)
      }
    }
    try {
      await Promise.race([work(), Promise.all(loads)])
    } finally {
      ending.abort()
      clearInterval(blocks)
      await Promise.all(loads)
      await board.close()
    }
    handovers.sort((a, b) => a - b)
    const [middle, slowest] = [handovers[handovers.length >> 1]!, handovers.at(-1)!]
    console.log(
      `${KILL_COUNT} kills: handover after ${Math.round(middle)} ms in the median, up to ${Math.round(slowest)} ms; ${found.answers} answers, ${found.bytes.size} computed again, ${found.compared} compared between processes`,
    )
    assert.ok(found.compared > 0)
    for (const each of processes) assert.equal(await each.end(), 0)
  }, 3_600_000)

  test('take published markets with --no-index without asking the node, and read alone without a leader', async () => {
    const database = await freshDatabase(server!)
    const other = closingLast(await openNode(chain))
    const leader = await member(database, node)
    const board = await registry(database)
    const blocks = setInterval(() => expected.grow(), BLOCK_MS)
    try {
      await soon(async () => (await board.published()).heights.length > 1)
      const reader = await member(database, other, '--no-index', '--max-age', '30s')
      const height = () => ask(reader.url, body()).then((answer) => answer?.height ?? 0)
      const first = await soon(height)
      await soon(async () => (await height()) > first + 1)
      assert.deepEqual(noted(reader), [FOLLOWS])
      await soon(() => counts(leader, 'swap_history_leader 1', 'swap_fleet_role{role="leads"} 1'))
      await soon(() => counts(reader, 'swap_history_leader 0', 'swap_fleet_role{role="follows"} 1'))
      await soon(() => counts(reader, 'swap_fleet_heights_published 8', 'swap_history_epoch 1'))
      assert.equal(other.asked.length, 0)
      leader.child.kill('SIGKILL')
      await soon(() => noted(reader).length > 1)
      const alone = await soon(height)
      await soon(async () => (await height()) > alone)
      assert.deepEqual(noted(reader), [FOLLOWS, ALONE])
      assert.equal(await reader.end(), 0)
    } finally {
      clearInterval(blocks)
      await board.close()
    }
  })
})

/** Whether a process has these among its metrics. */
async function counts({ url }: Serving, ...lines: readonly string[]): Promise<boolean> {
  const found = new Set((await (await fetch(`${url}/metrics`)).text()).split('\n'))
  return lines.every((line) => found.has(line))
}

/** The log messages of a process about the source of its markets. */
const noted = (of: Serving): readonly string[] =>
  messagesOf(of).filter((message) => [LEADS, FOLLOWS, ALONE].includes(message))
