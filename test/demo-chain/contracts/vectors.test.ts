import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { test } from 'vitest'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import type { VectorMarket } from '../../support/cases.js'
import { forwardCase, recorded, replayOnContracts } from '../../support/contract-replay.js'
import { marketWorld } from '../../support/contracts.js'
import { readLines } from '../../support/vectors.js'

/** The engine replays every case in each run; these contracts, which are slower, every 41st. */
const STEP = process.env['SWAP_LONG'] ? 1 : 41

/** The number of cases of a recording, and those that differ on the contracts. */
function differences(name: string) {
  const found: string[] = []
  const counts = { cases: 0, beyond: 0 }
  for (const line of readLines<VectorMarket>(name)) {
    const world = marketWorld(decodeSnapshot(line.snapshot, name))
    for (const [at, item] of line.cases.entries()) {
      counts.cases += 1
      const beyond = item.needs.includes('beyond')
      if (beyond) counts.beyond += 1
      else if (counts.cases % STEP !== 0) continue
      const [replayed, expected] = [replayOnContracts(world, item), recorded(item)]
      if (!isDeepStrictEqual(replayed, expected) && !(beyond && isLess(replayed, expected)))
        found.push(
          `${line.id} case ${at} ${item.kind}: ours ${JSON.stringify(replayed)} theirs ${JSON.stringify(expected)}`,
        )
    }
  }
  return { found, counts }
}

type Simulated = { readonly returned?: string }

/** A walk that ends with the known levels of a maker returns at most what the full one does. */
const isLess = (ours: unknown, theirs: unknown): boolean =>
  BigInt((ours as Simulated).returned ?? -1n) <= BigInt((theirs as Simulated).returned ?? -2n)

for (const [name, cases, beyond] of [
  ['public.jsonl', 3930, 0],
  ['traps.jsonl', 151, 0],
  ['levels.jsonl', 1440, 11],
] as const)
  test(`the demo contracts equal the recording in ${STEP === 1 ? 'all' : `every ${STEP}th of the`} ${cases} cases of ${name}, to the atomic and by class of failure`, () => {
    const { found, counts } = differences(name)
    assert.deepEqual(found.slice(0, 5), [])
    assert.deepEqual(counts, { cases, beyond })
  })

test('a router that reads stages in forward order answers the recorded routes like the recorded one', () => {
  const counts = { routes: 0, differ: 0 }
  for (const line of readLines<VectorMarket>('public.jsonl')) {
    const market = decodeSnapshot(line.snapshot, 'public.jsonl')
    const world = marketWorld({ ...market, router: { ...market.router, dialect: 'forward' } })
    for (const item of line.cases) {
      const forward = forwardCase(world, item)
      if (forward === undefined) continue
      counts.routes += 1
      if (counts.routes % STEP !== 0) continue
      if (!isDeepStrictEqual(replayOnContracts(world, forward), recorded(item))) counts.differ += 1
    }
  }
  assert.deepEqual(counts, { routes: 1530, differ: 0 })
})
