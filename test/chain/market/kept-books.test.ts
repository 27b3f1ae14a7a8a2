import assert from 'node:assert/strict'
import { ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { QueryAllContractStateRequest } from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { test } from 'vitest'
import { marketReader } from '../../../src/chain/market/read-market.js'
import { stepDown } from '../../../src/chain/market/read-pair.js'
import { ReaderCache } from '../../../src/chain/market/reader-cache.js'
import { demo } from '../../../src/chain/networks/demo.js'
import { InvalidChain, NodeFault } from '../../../src/chain/rpc/faults.js'
import type { Source } from '../../../src/chain/rpc/query-source.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { directSource, jsonAnswer, jsonOf, messageOf } from './direct.js'

const refused = { ok: false, code: 12, codespace: 'sdk', text: 'not served' } as const
const RUNE = { chain: 'THOR', symbol: 'RUNE' }

/** Reads a market at two heights in a row. @returns the books of both, and the pairs whose books were read again */
async function readTwice({
  isStorageServed = true,
  touched = [''],
  withOracle = '',
  withoutStrategy = '',
  falsified = 0,
} = {}) {
  const chain = chainOf({ seed: 7, life: false }, majorPairs)
  const read = new Set<string>()
  let wrong = 0
  const direct = directSource(chain, {
    rest: () => ({ asset_tor_price: '100000000', rune_price_in_tor: '100000000' }),
    answer: (question, _height, node) => {
      const message = messageOf(question)
      if (message?.name === 'config' && message.address === withOracle)
        return jsonAnswer({ ...(jsonOf(node()) as object), oracles: [RUNE, RUNE] })
      if (message?.name === 'strategy' && message.address === withoutStrategy) return refused
      if (message?.name === 'simulate' && wrong-- > 0)
        return jsonAnswer({ returned: '1', fee: '0' })
      if (message?.name === 'book') read.add(message.address)
      if (!question.path.endsWith('/AllContractState')) return undefined
      read.add(QueryAllContractStateRequest.decode(question.data).address)
      return isStorageServed ? undefined : refused
    },
  })
  const events = [{ attributes: touched.map((value) => ({ key: 'sender', value })) }]
  const source = {
    ...direct,
    call: async (method: string, params: Parameters<typeof direct.call>[1]) => {
      const result = await direct.call(method, params)
      return method === 'block_results'
        ? { ...(result as object), end_block_events: events }
        : result
    },
  }
  const reader = marketReader(demo, source)
  const { books } = await reader.read()
  read.clear()
  grow(chain, 1)
  wrong = falsified
  const later = (await reader.read()).books
  return { books, read, later }
}

test('a book is kept while its pair and its makers are untouched', async () => {
  const { books, read } = await readTwice()
  assert.deepEqual(read, new Set())
  const book = [...books.values()].find(({ state }) => state.makers.length > 0)!
  const { pair, makers } = book.state
  assert.deepEqual((await readTwice({ touched: [pair.address] })).read, new Set([pair.address]))
  const ofMaker = await readTwice({ touched: [makers[0]!.address] })
  assert.deepEqual(ofMaker.read, new Set([pair.address]))
})

test('a book that was not read from storage is read at every height', async () => {
  const { books, read } = await readTwice({ isStorageServed: false })
  assert.deepEqual(read, new Set(books.keys()))
})

test('a book is read at every height where its pair has an oracle, or a maker has no strategy', async () => {
  const first = (await readTwice()).books
  const [withOracle] = first.keys()
  const oracle = await readTwice({ withOracle: withOracle! })
  assert.ok(oracle.books.get(withOracle!)!.state.pair.oracles)
  assert.deepEqual(oracle.read, new Set([withOracle]))
  const { pair, makers } = [...first.values()].find(({ state }) => state.makers.length > 0)!.state
  const quoting = await readTwice({ withoutStrategy: makers[0]!.address })
  assert.ok(quoting.books.get(pair.address)!.state.makers.some(({ kind }) => kind !== 'xyk'))
  assert.deepEqual(quoting.read, new Set([pair.address]))
})

test('a kept book that differs from a simulation is read again', async () => {
  const { books, read, later } = await readTwice({ falsified: 1 })
  assert.equal(read.size, 1)
  assert.deepEqual([...later.keys()].sort(), [...books.keys()].sort())
})

test('the list of pairs as of a later height is not used for an earlier one', async () => {
  const chain = chainOf({ seed: 7 }, majorPairs)
  grow(chain, 2)
  const source = directSource(chain)
  const reader = marketReader(demo, source)
  await reader.read()
  const listed = source.count.get('ContractsByCode')!
  await reader.read(chain.height - 1)
  assert.equal(source.count.get('ContractsByCode'), 2 * listed)
})

test('the list of pairs is kept while it cannot be read again', async () => {
  const chain = chainOf({ seed: 7 }, majorPairs)
  let isListed = true
  const source = directSource(chain, {
    answer: ({ path }) => (isListed || !path.endsWith('/ContractsByCode') ? undefined : refused),
  })
  const reader = marketReader(demo, source)
  const { books } = await reader.read()
  isListed = false
  grow(chain, 1)
  assert.deepEqual([...(await reader.read()).books.keys()], [...books.keys()])
  await assert.rejects(marketReader(demo, source).read(), InvalidChain)
})

test('the gas limit and the gas price are kept while they cannot be read again', async () => {
  const chain = chainOf({ life: false }, majorPairs)
  let isAnswered = true
  const config = ConfigResponse.fromPartial({ minimumGasPrice: '0.5rune' })
  const orFault = <T>(value: T): T => {
    if (isAnswered) return value
    throw new NodeFault('timeout', 'the node', 'did not answer')
  }
  const direct = directSource(chain, {
    answer: ({ path }) =>
      path.endsWith('/Config')
        ? orFault({ ok: true, value: ConfigResponse.encode(config).finish() })
        : undefined,
  })
  const source: Source = {
    ...direct,
    async call(method, params) {
      if (method !== 'consensus_params') return direct.call(method, params)
      return orFault({ consensus_params: { block: { max_gas: '5000000' } } })
    },
  }
  const reader = marketReader({ ...demo, gasPrice: undefined }, source)
  const { gas } = await reader.read()
  assert.deepEqual([gas.limit, gas.price?.amount], [5_000_000n, 500_000_000_000_000_000n])
  isAnswered = false
  grow(chain, 100)
  assert.deepEqual((await reader.read()).gas, gas)
})

test('a pair that was not read from storage is tried again after ten heights', () => {
  const cache = new ReaderCache()
  stepDown(cache.pair('p', 1), 'not served')
  const modes = Array.from({ length: 11 }, (_, i) => cache.pair('p', 2 + i).mode)
  assert.deepEqual(modes, [...Array(10).fill('book'), 'storage'])
})
