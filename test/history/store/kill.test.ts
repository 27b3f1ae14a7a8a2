import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { dice } from '../../support/dice.js'
import {
  blocksOf,
  contentsOf,
  type DatabaseKind,
  databaseKinds,
  openAt,
} from '../../support/history.js'
import { buildChild, startChild } from '../../support/history-kill.js'
import { syntheticChain } from '../../support/synthetic-blocks.js'

const KILL_COUNT = Number(process.env['SWAP_KILLS'] ?? (process.env['SWAP_LONG'] ? 40 : 2))
const SEED = Number(process.env['SWAP_SEED'] ?? Date.now() % 1_000_000)
/** More blocks than all the child processes index together. */
const ENDLESS = 1_000_000

let child: Awaited<ReturnType<typeof buildChild>>
// On the disk, not in memory: commits that wait for the disk are killed more often.
const folder = mkdtempSync(join(tmpdir(), 'swap-kill-'))
beforeAll(async () => {
  child = await buildChild()
})
afterAll(() => {
  child.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** The contents after the first blocks were indexed without interruption. */
async function clean(kind: DatabaseKind, seed: number, to: number): Promise<string> {
  const database = await kind.newDatabase()
  const store = await openAt(database, kind)
  const leadership = await store.lead()
  for (let from = 1; from <= to; from += 200)
    await store.commitBlocks(
      leadership,
      blocksOf(syntheticChain(seed), from, Math.min(from + 199, to)),
    )
  await store.close()
  return contentsOf(database, kind.driver)
}

/** The state a process found when it took the lead, and the last block it reported as committed. */
type KilledRun = { readonly runs: number; readonly blocks: number; readonly kept: number }

/**
 * Starts an indexer and kills it: one in five while it starts, opens, migrates or takes the lead, the
 * others at least `least` commits later. @returns its first state and its commits, if it took the lead
 */
async function killOne(
  order: Parameters<typeof startChild>[1],
  random: () => number,
  least: number,
): Promise<KilledRun | undefined> {
  const running = startChild(child.path, { ...order, batch: 1 + Math.floor(random() * 8) })
  const early = random() < 0.2 && least === 0
  const firstState = early ? undefined : await running.nextLine('leading')
  assert.ok(early || firstState !== undefined, `it came to lead: ${running.complaints()}`)
  const commits = Math.max(least, Math.floor(random() * 4))
  if (!early && commits > 0) await running.nextLine('kept', commits)
  await delay(random() * (early ? 500 : 40))
  running.process.kill('SIGKILL')
  await running.ended
  if (firstState === undefined) return undefined
  const [runs = 0, blocks = 0] = firstState.split(' ').map(Number)
  return { runs, blocks, kept: Number(running.last('kept') ?? 0) }
}

const found = await databaseKinds(folder)

describe('an indexer that is killed', () => {
  for (const kind of found)
    test(`at ${KILL_COUNT} random times loses no swap and duplicates none: ${kind.name}`, async () => {
      const random = dice(SEED)
      const database = await kind.newDatabase()
      const order = { database, seed: SEED, ...(kind.driver && { driver: kind.driver }) }
      let before = 0
      for (let kill = 0; kill < KILL_COUNT; kill += 1) {
        const killedRun = await killOne({ ...order, to: ENDLESS }, random, kill === 0 ? 1 : 0)
        if (killedRun === undefined) continue
        assert.ok(killedRun.runs <= 1, 'heights are done without a gap')
        assert.ok(killedRun.blocks >= before, 'no reported block is lost')
        before = Math.max(killedRun.blocks, killedRun.kept)
      }
      const last = startChild(child.path, { ...order, to: before + 20, batch: 5 })
      assert.equal(await last.ended, 0, last.complaints())
      const left = await contentsOf(database, kind.driver)
      const blocks = Number(left.match(/done .*last=(\d+)/)?.[1])
      assert.ok(before > 0 && blocks >= before + 20, 'some of them were killed while they indexed')
      const expectedDump = await clean(kind, SEED, blocks)
      assert.ok(left === expectedDump, `${kind.name}: contents differ from those of a clean run`)
      const swaps = left.match(/^swap /gm)?.length ?? 0
      const orders = left.match(/^order_change /gm)?.length ?? 0
      console.log(
        `${kind.name}, Node ${process.versions.node}: ${KILL_COUNT} kills, seed ${SEED}, ${blocks} blocks, ${swaps} swaps, ${orders} changes of orders; 0 lost, 0 doubled`,
      )
    }, 3_600_000)

  test('during the write of a transaction leaves the state before it', async () => {
    for (const kind of found.filter(({ driver }) => driver !== undefined)) {
      const database = await kind.newDatabase()
      const store = await openAt(database, kind)
      await store.commitBlocks(await store.lead(), blocksOf(syntheticChain(5), 1, 200))
      await store.close()
      const before = await contentsOf(database, kind.driver)
      const dying = startChild(child.path, { work: 'spill', database })
      assert.equal(await dying.ended, undefined, dying.complaints())
      assert.ok(statSync(`${database}-journal`).size > 10_000, 'the journal is there to undo it')
      assert.ok((await contentsOf(database, kind.driver)) === before, kind.name)
    }
  })
})
