import assert from 'node:assert/strict'
import { test } from 'vitest'
import { decodeSnapshot } from '../../../../src/engine/snapshot/decode.js'
import type { VectorMarket } from '../../../support/cases.js'
import { recorded, replayOnContracts } from '../../../support/contract-replay.js'
import { marketWorld } from '../../../support/contracts.js'
import { readLines } from '../../../support/vectors.js'

/** Cases whose answer follows from what was recorded. */
function replayed(name: string): number {
  let cases = 0
  for (const line of readLines<VectorMarket>(name)) {
    const world = marketWorld(decodeSnapshot(line.snapshot, name))
    for (const [index, item] of line.cases.entries()) {
      // The walk leaves the maker's recorded levels.
      if (item.needs.includes('beyond')) continue
      assert.deepEqual(replayOnContracts(world, item), recorded(item), `${line.id} case ${index}`)
      cases += 1
    }
  }
  return cases
}

test('every trap of the matching has the recorded outcome', () => {
  assert.equal(replayed('traps.jsonl'), 151)
})

test('a maker that is only asked for its levels gives the recorded outcomes', () => {
  assert.ok(replayed('levels.jsonl') > 1400)
})
