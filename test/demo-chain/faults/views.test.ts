import assert from 'node:assert/strict'
import { QuerySmartContractStateRequest } from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { describe, test } from 'vitest'
import { brokenBook, dearerBook } from '../../../src/demo-chain/faults/market-faults.js'
import { seededRandom } from '../../../src/demo-chain/market/random.js'
import { codeIdOf, contractsByCode } from '../../../src/demo-chain/modules/dispatch.js'
import { bodyOf, type Stage, stage } from './stage.js'

function stageWithBlocks(blocks: number): Stage {
  const at = stage()
  for (let i = 0; i < blocks; i++) at.real.makeBlock()
  return at
}

const heightOf = async (at: Stage): Promise<number> =>
  Number((await at.rpc('status')).result.sync_info.latest_block_height)

describe('the height that a faulty node shows', () => {
  test('is constant while the chain continues with stale', async () => {
    const at = stageWithBlocks(3).fail({ kind: 'stale' })
    const seen = at.real.height
    at.real.makeBlock()
    at.real.makeBlock()
    assert.equal(await heightOf(at), seen)
    const { error } = await at.rpc('block', { height: `${seen + 1}` })
    assert.match(error?.data ?? '', /must be less than or equal to the current blockchain height/)
    at.board.clear()
    assert.equal(await heightOf(at), seen + 2)
  })
  test('behind and rollback: is lower by so many blocks', async () => {
    for (const kind of ['behind', 'rollback']) {
      const at = stageWithBlocks(10).fail({ kind, n: 4 })
      assert.equal(await heightOf(at), at.real.height - 4)
      const info = await at.rpc('abci_info')
      assert.equal(info.result.response.last_block_height, `${at.real.height - 4}`)
    }
  })
  test('is never lower than the oldest kept one', async () => {
    const at = stageWithBlocks(1).fail({ kind: 'rollback', n: 1000 })
    assert.equal(await heightOf(at), at.real.earliest)
  })
  test('mixed heights: is 0, 1 and 2 behind, separately for each call, in the same way every time', async () => {
    const seen = async () => {
      const at = stageWithBlocks(5).fail({ kind: 'mixed-heights' })
      const heights: number[] = []
      for (let i = 0; i < 40; i++) heights.push(at.real.height - (await heightOf(at)))
      return heights
    }
    const first = await seen()
    assert.deepEqual([...new Set(first)].sort(), [0, 1, 2])
    assert.deepEqual(await seen(), first)
  })
  test('fork: has another chain id, and other hashes that are consistent', async () => {
    const at = stageWithBlocks(6)
    const correct = await at.rpc('block', { height: `${at.real.height}` })
    at.fail({ kind: 'fork' })
    const { result } = await at.rpc('status')
    assert.equal(result.node_info.network, 'demo-1-fork')
    const top = await at.rpc('block', { height: `${at.real.height}` })
    const below = await at.rpc('block', { height: `${at.real.height - 1}` })
    assert.notEqual(top.result.block_id.hash, correct.result.block_id.hash)
    assert.equal(top.result.block.header.chain_id, 'demo-1-fork')
    assert.equal(top.result.block.header.last_block_id.hash, below.result.block_id.hash)
    const first = await at.rpc('block', { height: `${at.real.height - 3}` })
    const common = at.real.block(at.real.height - 4)?.hash
    assert.equal(first.result.block.header.last_block_id.hash, common)
  })
  test('has a time that is off by so many seconds', async () => {
    const at = stageWithBlocks(1)
    const time = async () => Date.parse((await at.rpc('status')).result.sync_info.latest_block_time)
    const correct = await time()
    at.fail({ kind: 'future-time', n: 600 })
    assert.equal((await time()) - correct, 600_000)
    at.board.clear()
    at.fail({ kind: 'past-time', n: 86_400 })
    assert.equal((await time()) - correct, -86_400_000)
  })
  test('pruned: older heights are refused, as on a node that prunes', async () => {
    const at = stageWithBlocks(5).fail({ kind: 'pruned', n: 2 })
    const asked = async (height: number) =>
      (await smart(at, pairs(at)[0] ?? '', '{"config":{}}', height)).code
    assert.equal(await asked(at.real.height), 0)
    assert.equal(await asked(at.real.height - 1), 0)
    assert.equal(await asked(at.real.height - 2), 38)
  })
  test('halted: does not grow until the fault ends', () => {
    const at = stageWithBlocks(0).fail({ kind: 'halted', forMs: 1_000 })
    assert.equal(at.block(), undefined)
    at.clock.now += 1_000
    assert.ok(at.block())
  })
})

const pairs = ({ real }: Stage): readonly string[] => {
  const state = real.stateAt(real.height)
  return state
    ? (['fin-1.0', 'fin-1.1'] as const)
        .flatMap((code) => contractsByCode(state, codeIdOf(code)))
        .sort()
    : []
}

type Smart = { readonly code: number; readonly log: string; readonly text: string }

async function smart(at: Stage, address: string, query: string, height = 0): Promise<Smart> {
  const request = QuerySmartContractStateRequest.encode(
    QuerySmartContractStateRequest.fromPartial({ address, queryData: Buffer.from(query) }),
  ).finish()
  const { result } = await at.rpc('abci_query', {
    path: '/cosmwasm.wasm.v1.Query/SmartContractState',
    data: Buffer.from(request).toString('hex'),
    height: `${height}`,
    prove: false,
  })
  const { code, log, value } = result.response
  const bytes = Buffer.from(value ?? '', 'base64')
  // One field of bytes; its length is a varint.
  let at0 = 1
  while ((bytes[at0] ?? 0) >= 128) at0 += 1
  return { code, log, text: bytes.subarray(at0 + 1).toString() }
}

const BOOK = '{"book":{"limit":5,"offset":0}}'

describe('contract answers of a faulty node', () => {
  /** A pair whose book can be read. */
  const working = async (at: Stage): Promise<string> => {
    for (const pair of pairs(at)) if ((await smart(at, pair, BOOK)).code === 0) return pair
    throw new Error('no pair answers')
  }
  test('pair-fails: the named pair fails, others do not', async () => {
    const at = stage()
    const pair = await working(at)
    const before = await Promise.all(pairs(at).map((each) => smart(at, each, BOOK)))
    at.fail({ kind: 'pair-fails', pair })
    const after = await Promise.all(pairs(at).map((each) => smart(at, each, BOOK)))
    for (const [i, each] of pairs(at).entries()) {
      if (each !== pair) assert.deepEqual(after[i], before[i])
      else
        assert.match(after[i]?.log ?? '', /Config; key: .* not found: query wasm contract failed/)
    }
  })
  test('pairs-fail: one is left', async () => {
    const at = stage()
    const pair = await working(at)
    at.fail({ kind: 'pairs-fail', pair })
    const codes = await Promise.all(
      pairs(at).map(async (each) => (await smart(at, each, BOOK)).code),
    )
    assert.deepEqual(
      pairs(at).filter((_, i) => codes[i] === 0),
      [pair],
    )
  })
  test('out-of-gas: fail with the text of a node', async () => {
    const at = stage()
    const pair = await working(at)
    at.fail({ kind: 'out-of-gas', pair })
    const { code, log } = await smart(at, pair, BOOK)
    assert.equal(code, 6)
    assert.match(
      log,
      /^out of gas in location: wasm contract; gasWanted: 3000000, gasUsed: 3000229/,
    )
  })
  test('lying-book: have prices and simulations that are off by so much', async () => {
    const at = stage()
    const pair = await working(at)
    const correct = JSON.parse((await smart(at, pair, BOOK)).text)
    at.fail({ kind: 'lying-book', n: 50, pair })
    const falseBook = JSON.parse((await smart(at, pair, BOOK)).text)
    const [level] = [...correct.base, ...correct.quote]
    const [falseLevel] = [...falseBook.base, ...falseBook.quote]
    assert.ok(Math.abs(Number(falseLevel.price) / Number(level.price) - 1.5) < 1e-9)
    assert.equal(falseLevel.total, level.total)
  })
  test('bad-book: have books that are malformed in different ways, and correct configurations', async () => {
    const at = stage()
    const pair = await working(at)
    const correct = (await smart(at, pair, BOOK)).text
    const config = await smart(at, pair, '{"config":{}}')
    at.fail({ kind: 'bad-book', pair })
    const seen = new Set<string>()
    for (let i = 0; i < 30; i++) seen.add((await smart(at, pair, BOOK)).text)
    assert.ok(seen.size > 5)
    assert.ok(!seen.has(correct))
    assert.deepEqual(await smart(at, pair, '{"config":{}}'), config)
  })
  test('include every kind of malformed book sooner or later, all of them JSON', () => {
    const book = '{"base":[{"price":"2","total":"10"}],"quote":[{"price":"1","total":"5"}]}'
    const random = seededRandom('books')
    const seen = new Set<string>()
    for (let i = 0; i < 600; i++) {
      const malformedBook = brokenBook(book, random)
      JSON.parse(malformedBook)
      seen.add(malformedBook)
    }
    assert.ok(seen.size >= 18)
    assert.equal(dearerBook(book, 100), book.replace('"2"', '"4"').replace('"1"', '"2"'))
  })
})

describe('WebSockets of a faulty node', () => {
  test('send no event, or each many times', () => {
    const at = stage()
    const heights: number[] = []
    at.chain.subscribe(({ header }) => heights.push(header.height))
    at.fail({ kind: 'ws-silent', forMs: 10 })
    at.block()
    assert.deepEqual(heights, [])
    at.clock.now += 10
    at.fail({ kind: 'ws-flood', n: 4 })
    const block = at.block()
    assert.deepEqual(
      heights,
      Array.from({ length: 4 }, () => block?.header.height),
    )
  })
  test('are closed at the first message', async () => {
    const at = stage().fail({ kind: 'ws-refuse' })
    const body = bodyOf({ jsonrpc: '2.0', id: 1, method: 'status', params: {} })
    assert.equal((await at.send({ endpoint: 'ws', method: 'MESSAGE', body })).send, 'reset')
    assert.ok((await at.rpc('status')).result)
  })
})
