import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NodeFault, NodeRefusal } from '../../../src/chain/rpc/faults.js'
import type { Source } from '../../../src/chain/rpc/query-source.js'
import { scanBlocks } from '../../../src/chain/tx/lookup.js'
import { txHashOf } from '../../../src/chain/tx/unsigned-tx.js'
import { publicKeyOf } from '../../../src/demo-chain/tx/sign.js'
import { MalformedDocument } from '../../../src/engine/snapshot/json-cursor.js'
import { fromBase64 } from '../../../src/platform/encoding.js'
import {
  address,
  bytes,
  changing,
  funded,
  over,
  sequence,
  signed,
  twoAccounts,
} from '../../execution/tx-nodes.js'

const identity = {
  hash: 'AB'.repeat(32),
  address: 'demo1payer',
  sequence: 53n,
  publicKey: new Uint8Array(33),
}

describe('a search in one block', () => {
  const rows = [
    [
      'that the node does not have',
      new NodeRefusal('node', -32603, 'is pruned'),
      'node refused the call; is pruned (-32603)',
      false,
    ],
    ['that it fails to give', new NodeFault('timeout', 'node', 'failed'), 'node failed', true],
    [
      'that it gives malformed',
      new MalformedDocument('/block', 'is required'),
      '/block is required',
      true,
    ],
  ] as const
  for (const [which, error, reason, passes] of rows)
    test(`${which} is incomplete with the reason, and a retry may ${passes ? '' : 'not '}succeed`, async () => {
      const source = { call: () => Promise.reject(error) } as unknown as Source
      assert.deepEqual(await scanBlocks(source, identity, 7, 7), {
        kind: 'incomplete',
        why: `block 7: ${reason}`,
        passes,
      })
    })

  test('without a use of the sequence is read once', async () => {
    const asked: string[] = []
    const middleware = changing((method, { block }) => {
      if (method === 'block') asked.push(block.header.height)
    })
    const chain = funded()
    const { session } = await over([{ chain, middleware }])
    const from = chain.height
    for (let i = 0; i < 3; i += 1) {
      assert.equal((await session.chain.scan(identity, from, chain.height)).kind, 'absent')
      chain.makeBlock()
    }
    assert.deepEqual(asked, [`${from}`, `${from + 1}`, `${from + 2}`])
    const other = { ...identity, hash: 'CD'.repeat(32) }
    await session.chain.scan(other, from, from)
    assert.equal(asked.length, 4)
  })

  test('finds a transaction, or what used its sequence, unless that used none', async () => {
    let results: 'own' | 'early' | 'cut' = 'own'
    const middleware = changing((method, result) => {
      if (method !== 'block_results') return
      if (results === 'early') Object.assign(result.txs_results[0], { code: 5, events: [] })
      if (results === 'cut') result.txs_results = []
    })
    const chain = funded()
    const { session } = await over([{ chain, middleware }])
    chain.broadcast(bytes)
    chain.makeBlock()
    const [tx] = signed.txs
    const own = { hash: tx!.hash, address, publicKey: fromBase64(tx!.public_key), sequence }
    const { height } = chain
    const kindOf = async (change: object = {}) =>
      (await session.chain.scan({ ...own, ...change }, height, height)).kind
    const { hash } = identity
    chain.makeBlock()
    assert.equal(await kindOf(), 'found')
    assert.equal(await kindOf({ hash }), 'replaced')
    assert.equal(await kindOf({ hash, sequence: sequence + 1n }), 'absent')
    results = 'early'
    assert.equal(await kindOf(), 'absent')
    results = 'cut'
    assert.equal(await kindOf(), 'incomplete')
  })

  test('does not take a transaction of another account for one that used the sequence', async () => {
    const chain = funded()
    const [own, other] = twoAccounts(chain)
    const bytes = own.pay(own.address)
    const wanted = {
      hash: txHashOf(bytes),
      address: own.address,
      sequence: 1n,
      publicKey: publicKeyOf(own.privateKey),
    }
    const { session } = await over([{ chain }])
    const first = chain.height + 1
    const scan = () => session.chain.scan(wanted, first, chain.height)
    chain.broadcast(other.pay(own.address, { isKeyGiven: false }))
    chain.makeBlock()
    assert.equal(chain.block(chain.height)?.txs[0]?.result.code, 0)
    assert.equal((await scan()).kind, 'absent')
    assert.equal(
      (await session.chain.scan({ ...wanted, address: other.address }, first, first)).kind,
      'replaced',
    )
    chain.broadcast(bytes)
    chain.makeBlock()
    assert.equal((await scan()).kind, 'found')
  })

  test('reads every block before another transaction counts', async () => {
    const chain = funded()
    chain.broadcast(bytes)
    chain.makeBlock()
    let refused = [0, 0]
    const middleware = changing((method, { block }, answer) => {
      if (method !== 'block' || block.header.height !== `${refused[0]}`) return
      delete answer.result
      answer.error = { code: refused[1], message: 'fails' }
    })
    const { session } = await over([{ chain, middleware }])
    const [tx] = signed.txs
    const { height } = chain
    const scan = (hash: string, to: number, from = height) => {
      const own = { hash, address, publicKey: fromBase64(tx!.public_key), sequence }
      return session.chain.scan(own, from, to)
    }
    assert.equal((await scan(identity.hash, height)).kind, 'replaced')
    assert.equal((await scan(identity.hash, height + 1)).kind, 'incomplete')
    assert.equal((await scan(tx!.hash, height + 1)).kind, 'found')
    chain.makeBlock()
    refused = [height + 1, -32000]
    assert.equal((await scan(identity.hash, height + 1)).kind, 'incomplete')
    // A node that has the block a moment later.
    refused = [height - 1, -32603]
    assert.equal((await scan(identity.hash, height + 1, height - 1)).kind, 'incomplete')
    refused = [0, 0]
    assert.equal((await scan(identity.hash, height + 1, height - 1)).kind, 'replaced')
  })

  test('passes over earlier blocks that the node does not have: a later one shows what used the sequence', async () => {
    const chain = funded()
    chain.broadcast(bytes)
    chain.makeBlock()
    const { session } = await over([{ chain }])
    const [tx] = signed.txs
    const scan = (hash: string, to: number) => {
      const own = { hash, address, publicKey: fromBase64(tx!.public_key), sequence }
      return session.chain.scan(own, chain.earliest - 2, to)
    }
    assert.equal((await scan(identity.hash, chain.height)).kind, 'replaced')
    assert.equal((await scan(tx!.hash, chain.height)).kind, 'found')
    const { kind, why } = (await scan(identity.hash, chain.height - 1)) as Record<string, string>
    assert.equal(kind, 'incomplete')
    assert.match(why!, new RegExp(`^block ${chain.earliest - 2}: `))
  })

  test('with a defect of this program fails', async () => {
    const source = { call: () => Promise.reject(new RangeError()) } as unknown as Source
    await assert.rejects(scanBlocks(source, identity, 7, 7), RangeError)
  })
})
