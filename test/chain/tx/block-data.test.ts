import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { readBlock, readCommit, resultsHash } from '../../../src/chain/tx/block-data.js'
import { deterministicPart } from '../../../src/chain/tx/result.js'
import { items, member, rootCursor } from '../../../src/engine/snapshot/json-cursor.js'
import { recorded } from '../../demo-chain/node/recorded.js'

// biome-ignore lint/suspicious/noExplicitAny: recorded answers are changed freely
const result = (name: string): any => structuredClone((recorded[name] as any).response.result)

const HEIGHT = 33
const id = result('rpc_block').block_id.hash as string

describe('the block data of a real node', () => {
  test('hash to the block id, for the block and for its commit', () => {
    assert.equal(readBlock(rootCursor(result('rpc_block')), HEIGHT).hash, id)
    assert.equal(readCommit(rootCursor(result('rpc_commit')), HEIGHT).hash, id)
  })

  test('contain the hash of the results of the block before', () => {
    const header = readCommit(rootCursor(result('rpc_commit')), HEIGHT)
    const before = member(rootCursor(result('rpc_block_results_empty')), 'txs_results')
    const results = items(before).map(deterministicPart)
    assert.equal(resultsHash(results), header.lastResultsHash)
    const [first, ...rest] = results
    assert.notEqual(resultsHash([{ ...first!, code: 5 }, ...rest]), header.lastResultsHash)
  })

  test('without transactions hash as well', () => {
    const old = result('rpc_block_old')
    assert.equal(readBlock(rootCursor(old), 3).hash, old.block_id.hash)
  })
})

describe('changed block data', () => {
  // biome-ignore lint/suspicious/noExplicitAny: recorded answers are changed freely
  const changes: readonly (readonly [string, (answer: any) => void])[] = [
    ['a transaction left out', ({ block }) => block.data.txs.pop()],
    ['a transaction added', ({ block }) => block.data.txs.push('AAAA')],
    ['another data_hash', ({ block }) => (block.header.data_hash = 'AB'.repeat(32))],
    ['another last_results_hash', ({ block }) => (block.header.last_results_hash = 'AB')],
    ['another time', ({ block }) => (block.header.time = '2026-11-21T09:33:00Z')],
    ['another height', ({ block }) => (block.header.height = '34')],
    ['another chain', ({ block }) => (block.header.chain_id = 'other-1')],
    ['another version', ({ block }) => (block.header.version.app = '1')],
    ['another id', (answer) => (answer.block_id.hash = 'AB'.repeat(32))],
  ]
  for (const [title, change] of changes)
    test(`are refused: ${title}`, () => {
      const answer = result('rpc_block')
      change(answer)
      assert.throws(() => readBlock(rootCursor(answer), HEIGHT), { name: 'MalformedDocument' })
    })
})
