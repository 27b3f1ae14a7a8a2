import assert from 'node:assert/strict'
import {
  QueryAllContractStateRequest,
  QueryAllContractStateResponse,
  QueryRawContractStateRequest,
  QueryRawContractStateResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { describe, test } from 'vitest'
import { marketReader } from '../../../src/chain/market/read-market.js'
import { demo } from '../../../src/chain/networks/demo.js'
import type { Answer, Query } from '../../../src/chain/rpc/query-source.js'
import { simulateBook } from '../../../src/engine/market/book.js'
import type { Market } from '../../../src/engine/market/market.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { visibleBook } from '../../../src/engine/market/resting-orders.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { directSource, jsonAnswer, jsonOf, messageOf } from './direct.js'

const chain = chainOf({ seed: 11 }, majorPairs)
grow(chain, 5)

const noStorage = (question: Query): Answer | undefined =>
  question.path.endsWith('/AllContractState')
    ? { ok: false, code: 12, codespace: 'sdk', text: 'not served here' }
    : undefined

const complete = await marketReader(demo, directSource(chain)).read()

/** The results of every book of two markets for amounts of both its denoms, small and large. */
function* compared(market: Market) {
  for (const [address, book] of market.books) {
    const other = complete.books.get(address)
    assert.ok(other)
    for (const denom of [book.state.pair.base, book.state.pair.quote])
      for (let amount = 1_000n; amount < 10n ** 16n; amount *= 77n)
        yield {
          address,
          ours: simulateBook(book, { denom, amount }),
          theirs: simulateBook(other, { denom, amount }),
        }
  }
}

describe('a node that refuses storage queries', () => {
  test('is read by books, with the same answers as from storage', async () => {
    const source = directSource(chain, { answer: noStorage, queryGas: 10n ** 12n })
    const reader = marketReader(demo, source)
    const market = await reader.read()
    assert.equal(market.books.size, complete.books.size)
    let compares = 0
    for (const { ours, theirs } of compared(market)) {
      if (!isRefusal(ours) && !ours.exact) continue
      assert.deepEqual(ours, theirs)
      compares += 1
    }
    assert.ok(compares > 60)
    const { fallbacks = [] } = reader.lastRead() ?? {}
    assert.equal(fallbacks.length, market.books.size)
    assert.ok(fallbacks.every(({ mode, why }) => mode === 'book' && /not served here/.test(why)))
  })

  test('with a gas limit for queries is read up to that limit, and the book is marked as cut', async () => {
    for (const queryGas of [3_000_000n, 1_000_000n]) {
      const source = directSource(chain, { answer: noStorage, queryGas })
      const market = await marketReader(demo, source).read()
      assert.equal(market.books.size, complete.books.size)
      let cut = 0
      for (const [address, { state }] of market.books)
        for (const side of ['ask', 'bid'] as const) {
          const read = visibleBook(state, side, 1000)
          const real = visibleBook(complete.books.get(address)!.state, side, 1000)
          assert.deepEqual(read.levels, real.levels.slice(0, read.levels.length))
          // A page that is exactly full may be the whole book: it is marked as possibly cut.
          if (!read.truncated) assert.equal(read.levels.length, real.levels.length)
          if (read.truncated && read.levels.length < real.levels.length) cut += 1
        }
      assert.ok(cut > 0)
      for (const { ours, theirs } of compared(market))
        if (!isRefusal(ours) && ours.exact) assert.deepEqual(ours, theirs)
    }
  })

  test('is not queried for more levels than fitted the last time', async () => {
    const limits: number[] = []
    const source = directSource(chain, {
      answer: (question) => {
        const message = messageOf(question)
        if (message?.name === 'book') limits.push((message.body as { limit: number }).limit)
        return noStorage(question)
      },
    })
    const reader = marketReader(demo, source)
    await reader.read()
    const searched = limits.length
    limits.length = 0
    const { books } = await reader.read()
    assert.ok(limits.length < searched)
    assert.ok(limits.length <= 2 * books.size)
  })
})

const [first = ''] = [...complete.books.values()]
  .filter(({ state }) => state.asks.fixed.length > 3 && state.bids.fixed.length > 3)
  .map(({ state }) => state.pair.address)

/** Makes every pool of one pair larger in its storage. */
function doctored(question: Query, node: () => Answer): Answer | undefined {
  if (!question.path.endsWith('/AllContractState')) return undefined
  if (QueryAllContractStateRequest.decode(question.data).address !== first) return undefined
  const answer = node()
  if (!answer.ok) return answer
  const { models, pagination } = QueryAllContractStateResponse.decode(answer.value)
  for (const model of models)
    model.value = Buffer.from(
      Buffer.from(model.value)
        .toString()
        .replace(/"total":"(\d+)"/, (_, total: string) => `"total":"${total}7"`),
    )
  return {
    ok: true,
    value: QueryAllContractStateResponse.encode({
      models,
      ...(pagination && { pagination }),
    }).finish(),
  }
}

describe('a pair whose storage disagrees with its simulation', () => {
  test('is detected, and read from its book instead', async () => {
    const source = directSource(chain, {
      answer: (question, _height, node) => doctored(question, node),
    })
    const reader = marketReader(demo, source)
    const market = await reader.read()
    const { fallbacks = [] } = reader.lastRead() ?? {}
    assert.deepEqual(
      fallbacks.map(({ address, mode }) => [address, mode]),
      [[first, 'book']],
    )
    assert.match(fallbacks[0]?.why ?? '', /it simulates/)
    for (const { ours, theirs } of compared(market))
      if (!isRefusal(ours) && ours.exact) assert.deepEqual(ours, theirs)
  })

  test('is an estimate, never exact, where its book disagrees as well', async () => {
    const source = directSource(chain, {
      answer: (question, _height, node) => {
        const message = messageOf(question)
        if (message?.address !== first || message.name !== 'simulate') return undefined
        const { returned, fee } = jsonOf(node()) as { returned: string; fee: string }
        return jsonAnswer({ returned: `${BigInt(returned) + 1n}`, fee })
      },
    })
    const reader = marketReader(demo, source)
    const market = await reader.read()
    assert.deepEqual(
      reader.lastRead()?.fallbacks.map(({ address, mode }) => [address, mode]),
      [[first, 'estimate']],
    )
    const book = market.books.get(first)
    assert.equal(book?.state.exact, false)
    for (const { address, ours } of compared(market))
      if (address === first && !isRefusal(ours) && ours.bought > 0n) assert.equal(ours.exact, false)
    for (const address of complete.books.keys())
      if (address !== first) assert.equal(market.books.get(address)?.state.exact, true)
  })

  test('is read again when only its configuration has changed', async () => {
    let fee = '0.0015'
    const source = directSource(chain, {
      answer: (question, _height, node) => {
        const message = messageOf(question)
        if (message?.address !== first) return undefined
        const value = jsonOf(node()) as { returned: string; fee: string } | undefined
        if (message.name === 'config') return jsonAnswer({ ...value, fee_taker: fee })
        if (message.name !== 'simulate' || value === undefined || fee === '0.0015') return undefined
        const gross = BigInt(value.returned) + BigInt(value.fee)
        return jsonAnswer({ returned: `${gross}`, fee: '0' })
      },
    })
    const reader = marketReader(demo, source)
    await reader.read()
    fee = '0'
    grow(chain, 1)
    const market = await reader.read()
    assert.deepEqual(reader.lastRead()?.fallbacks, [])
    assert.equal(market.books.get(first)?.state.pair.takerFee, 0n)
  })
})

describe('a pair with ranges', () => {
  const item = (base: string) => ({
    idx: '5',
    owner: 'demo1x',
    high: '2',
    low: '1',
    skew: '0',
    spread: '0.01',
    fee: '0.001',
    base,
    quote: '0',
    price: '1.5',
    ask: '1.6',
    bid: '1.4',
    fees: ['0', '0.5'],
  })

  const read = async (version: string, items: readonly object[]) => {
    const source = directSource(chain, {
      answer: (question) => {
        const message = messageOf(question)
        if (message?.address === first && message.name === 'ranges')
          return jsonAnswer({ ranges: 'dynamic' in (message.body as object) ? [] : items })
        if (!question.path.endsWith('/RawContractState')) return undefined
        if (QueryRawContractStateRequest.decode(question.data).address !== first) return undefined
        const data = Buffer.from(JSON.stringify({ contract: 'rujira-fin', version }))
        return { ok: true, value: QueryRawContractStateResponse.encode({ data }).finish() }
      },
    })
    const book = (await marketReader(demo, source).read()).books.get(first)
    assert.ok(book)
    return book.state
  }

  test('is an estimate from its book, with the ranges that hold coins listed', async () => {
    const state = await read('2.0.4', [item('7.5'), { ...item('0'), idx: '6' }])
    assert.deepEqual(state.pair.ranges, [item('7.5')])
    assert.equal(state.exact, false)
    assert.ok(state.asks.fixed.every(({ origin }) => origin === 'unknown'))
  })

  test('is read like any other when no range holds coins', async () => {
    const state = await read('2.0.4', [item('0'), { ...item('0.000'), idx: '6' }])
    assert.deepEqual(state.pair.ranges, [])
    assert.equal(state.exact, true)
  })

  test('is not queried for them while its version has none', async () => {
    const state = await read('1.1.0', [item('7.5')])
    assert.deepEqual(state.pair.ranges, [])
  })
})
