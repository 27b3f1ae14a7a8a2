import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'vitest'
import { readBlock, readCommit, resultsHash } from '../../../src/chain/tx/block-data.js'
import { deterministicPart } from '../../../src/chain/tx/result.js'
import { headerHash } from '../../../src/demo-chain/blocks/hashing.js'
import { headerJson, wholeBlockJson } from '../../../src/demo-chain/node/rpc/rpc-json.js'
import { items, member, rootCursor } from '../../../src/engine/snapshot/json-cursor.js'
import { recorded } from '../../demo-chain/node/recorded.js'
import { chainOf } from '../../support/chain.js'

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

describe('a header', () => {
  const sha256Of = (text: string) => createHash('sha256').update(text).digest()
  const sha256 = (text: string) => sha256Of(text).toString('hex')
  const hashes = [
    'last_commit_hash',
    'data_hash',
    'validators_hash',
    'next_validators_hash',
    'consensus_hash',
    'app_hash',
    'last_results_hash',
    'evidence_hash',
  ]
  const zeros = '00'.repeat(32)
  const header = {
    version: { block: '1', app: '2' },
    chain_id: 'chainId',
    height: '3',
    time: '2019-10-13T16:14:44Z',
    last_block_id: { hash: zeros, parts: { total: 6, hash: zeros } },
    ...Object.fromEntries(hashes.map((name) => [name, sha256(name)])),
    proposer_address: sha256('proposer_address').slice(0, 40),
  }
  const commit = (change: object, hash: string) =>
    rootCursor({
      signed_header: { header: { ...header, ...change }, commit: { block_id: { hash } } },
    })

  test("hashes as CometBFT's own test of headers says", () => {
    const hash = 'F740121F553B5418C3EFBD343C2DBFE9E007BB67B0D020A0741374BAB65242A4'
    assert.equal(readCommit(commit({}, hash), 3).hash, hash)
    assert.throws(() => readCommit(commit({ app_hash: zeros }, hash), 3), /hash of the header/)
  })

  test('has a time of any precision, whose trailing zeros a node leaves out', () => {
    const hashOf = (time: string) => {
      try {
        return readCommit(commit({ time }, 'AB'), 3).hash
      } catch (error) {
        return /hash of the header, (\w+)/.exec((error as Error).message)?.[1]
      }
    }
    assert.equal(hashOf('2019-10-13T16:14:44.5Z'), hashOf('2019-10-13T16:14:44.500000000Z'))
    assert.equal(hashOf('2019-10-13T16:14:44.05Z'), hashOf('2019-10-13T16:14:44.050000000Z'))
    assert.notEqual(hashOf('2019-10-13T16:14:44.05Z'), hashOf('2019-10-13T16:14:44.000000005Z'))
  })

  const chain = chainOf({ life: false })
  test('of the first block names no block before it', () => {
    const block = chain.block(chain.height)!
    const { hash, lastBlockHash } = readBlock(
      rootCursor(wholeBlockJson(chain, block)),
      chain.height,
    )
    assert.deepEqual([hash, lastBlockHash], [block.hash, ''])
  })

  test('may be of a block with a transaction of no bytes, which a proposer can add', () => {
    const leaf = createHash('sha256').update(Buffer.of(0)).update(sha256Of('')).digest()
    const header = {
      ...chain.block(chain.height)!.header,
      dataHash: leaf.toString('hex').toUpperCase(),
    }
    const block = { header: headerJson(header), data: { txs: [''] } }
    const answer = rootCursor({ block_id: { hash: headerHash(header) }, block })
    assert.deepEqual(
      readBlock(answer, chain.height).txs.map(({ length }) => length),
      [0],
    )
  })

  test('has no field for an empty hash', () => {
    const bare = { ...chain.block(chain.height)!.header, evidenceHash: '' }
    const commit = { block_id: { hash: headerHash(bare) } }
    readCommit(rootCursor({ signed_header: { header: headerJson(bare), commit } }), chain.height)
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
    ['a time of no date', ({ block }) => (block.header.time = '2026-13-32T25:61:61Z')],
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
