import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NodeFault, NodeRefusal } from '../../../src/chain/rpc/faults.js'
import type { Source } from '../../../src/chain/rpc/query-source.js'
import { scanBlocks } from '../../../src/chain/tx/lookup.js'
import { fromBase64 } from '../../../src/platform/encoding.js'
import {
  address,
  bytes,
  changing,
  funded,
  over,
  sequence,
  signed,
} from '../../execution/tx-nodes.js'

const identity = {
  ...{ hash: 'AB'.repeat(32), address: 'demo1payer', sequence: 53n },
  publicKey: new Uint8Array(33),
}

describe('a search in one block', () => {
  const rows = [
    ['that the node does not have', new NodeRefusal('node', -32603, 'is pruned'), false],
    ['that it fails to give', new NodeFault('timeout', 'node', 'failed'), true],
  ] as const
  for (const [which, error, passes] of rows)
    test(`${which} is incomplete, and a retry may ${passes ? '' : 'not '}succeed`, async () => {
      const source = { call: () => Promise.reject(error) } as unknown as Source
      const why = `block 7: ${error.message}`
      assert.deepEqual(await scanBlocks(source, identity, 7, 7), {
        kind: 'incomplete',
        ...{ why, passes },
      })
    })

  test('finds a transaction, or what used its sequence, unless that used none', async () => {
    let isEarly = false
    const middleware = changing((method, result) => {
      if (method === 'block_results' && isEarly)
        Object.assign(result.txs_results[0], { code: 5, events: [] })
    })
    const chain = funded()
    const { session } = await over([{ chain, middleware }])
    chain.broadcast(bytes)
    chain.makeBlock()
    const [tx] = signed.txs
    const own = { hash: tx!.hash, address, publicKey: fromBase64(tx!.public_key), sequence }
    const kindOf = async (change: object = {}) =>
      (await session.chain.scan({ ...own, ...change }, chain.height, chain.height)).kind
    const { hash } = identity
    assert.equal(await kindOf(), 'found')
    assert.equal(await kindOf({ hash }), 'replaced')
    assert.equal(await kindOf({ hash, sequence: sequence + 1n }), 'absent')
    isEarly = true
    assert.equal(await kindOf(), 'absent')
  })

  test('with a defect of this program fails', async () => {
    const source = { call: () => Promise.reject(new RangeError()) } as unknown as Source
    await assert.rejects(scanBlocks(source, identity, 7, 7), RangeError)
  })
})
