import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { touchedIn } from '../../../src/chain/market/touched.js'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import type { Source } from '../../../src/chain/rpc/query-source.js'
import { chainOf, grow, threePairs } from '../../support/chain.js'
import { directSource } from './direct.js'

const sourceOf = (call: Source['call']): Source => ({
  ...directSource(chainOf({ life: false }, threePairs)),
  call,
})
const results = (height: unknown, key: string, value: string) => ({
  height,
  txs_results: [{ events: [{ type: 'wasm', attributes: [{ key, value }] }] }],
  finalize_block_events: null,
})

describe('the set of values in the events of blocks', () => {
  test('has every value of the events, and each block is read once', async () => {
    const chain = chainOf({ seed: 3 }, threePairs)
    grow(chain, 4)
    const named = await touchedIn(directSource(chain), chain.height - 3, chain.height)
    const events = [2, 1, 0].flatMap((back) =>
      (chain.block(chain.height - back)?.txs ?? []).flatMap(({ result }) => result.events),
    )
    const values = events.flatMap(({ attributes }) => attributes.map(({ value }) => value))
    assert.ok(values.length > 0 && values.every((value) => named?.has(value)))
    assert.deepEqual(await touchedIn(directSource(chain), chain.height, chain.height), new Set())
  })

  test('is unknown for too many blocks, another height, base64 events, no events of an executed transaction, or without an answer', async () => {
    const plain = sourceOf(async (_method, { height }) => results(height, 'sender', 'demo1a'))
    assert.deepEqual(await touchedIn(plain, 7, 8), new Set(['demo1a']))
    assert.equal(await touchedIn(plain, 7, 13), undefined)
    assert.equal(await touchedIn(plain, 8, 7), undefined)
    const others: readonly Source['call'][] = [
      async () => results('9', 'sender', 'demo1a'),
      async () => results('8', 'c2VuZGVy', 'ZGVtbzFh'),
      async () => ({ height: '8', txs_results: 'none' }),
      async () => ({ ...results('8', 'sender', 'demo1a'), txs_results: [{ events: [] }] }),
      async () => 'nonsense',
      async () => {
        throw new NodeFault('timeout', 'a node', 'did not answer')
      },
    ]
    for (const call of others) assert.equal(await touchedIn(sourceOf(call), 7, 8), undefined)
  })
})
