import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { readPairContract } from '../../../src/chain/market/pair-config.js'
import { readPair } from '../../../src/chain/market/read-pair.js'
import { ReaderCache } from '../../../src/chain/market/reader-cache.js'
import { selfTest } from '../../../src/chain/market/self-test.js'
import { type Book, simulateBook } from '../../../src/engine/market/book.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import type { VectorCoin } from '../../support/cases.js'
import { marketOf } from '../../support/small-market.js'
import { readJson } from '../../support/vectors.js'
import { type Script, scripted } from './scripted.js'

type Level = { readonly price: string; readonly total: string }
type Recorded = {
  readonly pair: {
    readonly address: string
    readonly base: string
    readonly quote: string
    readonly version: string
    readonly bow: string | null
  }
  readonly config: object
  readonly book: { readonly base: readonly Level[]; readonly quote: readonly Level[] }
  readonly strategy: object | null
  readonly cases: readonly {
    readonly offer: VectorCoin
    readonly result:
      | { readonly returned: string; readonly fee: string }
      | { readonly error: string }
  }[]
}

const { pairs } = readJson<{ pairs: readonly Recorded[] }>('golden_simulate.json')

/** The number of levels that the recorded node's query gas allowed. */
const ALLOWED = 30

/** A node that has only the recorded answers of one pair. */
const scriptOf = ({ pair, config, book, strategy, cases }: Recorded): Script => ({
  unlisted: true,
  storage: () => [
    {
      key: Buffer.from('contract_info'),
      value: Buffer.from(JSON.stringify({ contract: 'rujira-fin', version: pair.version })),
    },
  ],
  smart(address, message) {
    const [entry] = Object.entries(message as object)
    const [name, body] = entry ?? []
    if (address === pair.bow) return name === 'strategy' ? JSON.stringify(strategy) : undefined
    if (name === 'config') return JSON.stringify(config)
    if (name === 'book') {
      const { limit, offset } = body as { limit: number; offset: number }
      if (limit > ALLOWED || offset > 0) return undefined
      const side = (levels: readonly Level[]) => levels.slice(0, limit)
      return JSON.stringify({ base: side(book.base), quote: side(book.quote) })
    }
    const found = cases.find(
      ({ offer }) =>
        offer.denom === (body as VectorCoin).denom && offer.amount === (body as VectorCoin).amount,
    )
    return found && 'returned' in found.result ? JSON.stringify(found.result) : undefined
  },
})

async function bookOf(recorded: Recorded): Promise<Book> {
  const ask = scripted(scriptOf(recorded))
  const facts = await readPairContract(ask, recorded.pair.address, 1)
  const cache = new ReaderCache().pair(recorded.pair.address, 1)
  const { document, mode } = await readPair(ask, facts, cache)
  assert.equal(mode, 'book')
  assert.ok((cache.fit?.fits ?? 0) <= ALLOWED)
  const { base, quote, address } = recorded.pair
  const market = marketOf([document], [base, quote])
  const book = market.books.get(address)
  assert.ok(book, market.excluded[0]?.reason)
  return book
}

describe('a pair of a recorded node, read by its book', () => {
  for (const recorded of pairs) {
    const { pair, cases } = recorded
    test(`${pair.base} for ${pair.quote} simulates as recorded, or is marked as an estimate`, async () => {
      const book = await bookOf(recorded)
      let exact = 0
      for (const { offer, result } of cases) {
        const fill = simulateBook(book, { denom: offer.denom, amount: BigInt(offer.amount) })
        if ('error' in result) continue
        assert.ok(!isRefusal(fill))
        if (!fill.exact) continue
        assert.equal(`${fill.bought}`, result.returned)
        assert.equal(`${fill.fee}`, result.fee)
        exact += 1
      }
      assert.ok(exact >= cases.length / 3, `${exact} of ${cases.length}`)
    })
  }

  test('is detected if it simulates another number', async () => {
    const [recorded] = pairs
    assert.ok(recorded)
    const book = await bookOf(recorded)
    const wrongPair = scripted({ smart: () => '{"returned":"1","fee":"1"}' })
    assert.match(
      (await selfTest(wrongPair, book, 1, 'thorough')) ?? '',
      /simulates 1 with a fee of 1/,
    )
    const refusingPair = scripted({})
    assert.match((await selfTest(refusingPair, book, 1, 'usual')) ?? '', /refuses to simulate/)
    const malformedPair = scripted({ smart: () => '{"returned":1}' })
    assert.match((await selfTest(malformedPair, book, 1, 'usual')) ?? '', /malformed/)
    const correctPair = scripted({
      smart: (_address, message) => {
        const { simulate } = message as { simulate?: VectorCoin }
        if (simulate === undefined) return undefined
        const { denom, amount } = simulate
        const fill = simulateBook(book, { denom, amount: BigInt(amount) })
        assert.ok(!isRefusal(fill))
        return JSON.stringify({ returned: `${fill.bought}`, fee: `${fill.fee}` })
      },
    })
    for (let height = 1; height < 200; height++)
      assert.equal(
        await selfTest(correctPair, book, height, height % 2 === 0 ? 'thorough' : 'usual'),
        undefined,
      )
  })

  test('is detected if its book is not the sum of resting orders and maker quotes', async () => {
    const [recorded] = pairs
    assert.ok(recorded)
    const book = await bookOf(recorded)
    const showing = (change: (levels: readonly Level[]) => readonly Level[]) => {
      const plain = scriptOf(recorded)
      return scripted({
        smart(address, message) {
          if (!('book' in (message as object))) {
            const { denom, amount } = (message as { simulate: VectorCoin }).simulate
            const fill = simulateBook(book, { denom, amount: BigInt(amount) })
            assert.ok(!isRefusal(fill))
            return JSON.stringify({ returned: `${fill.bought}`, fee: `${fill.fee}` })
          }
          const recordedBook = JSON.parse(plain.smart?.(address, message) ?? '') as Recorded['book']
          return JSON.stringify({ ...recordedBook, quote: change(recordedBook.quote) })
        },
      })
    }
    const test = (change: Parameters<typeof showing>[0]) =>
      selfTest(showing(change), book, 1, 'thorough')
    assert.equal(await test((levels) => levels), undefined)
    assert.match((await test((levels) => levels.slice(1))) ?? '', /the book shows/)
    assert.match((await test((levels) => levels.slice(0, 2))) ?? '', /more levels than the book/)
    assert.match(
      (await test((levels) => levels.map((level) => ({ ...level, total: '7' })))) ?? '',
      /the book shows 7/,
    )
  })
})
