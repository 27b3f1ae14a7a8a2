import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { marketReader } from '../../../src/chain/market/read-market.js'
import { demo } from '../../../src/chain/networks/demo.js'
import type { Answer } from '../../../src/chain/rpc/query-source.js'
import type { Market } from '../../../src/engine/market/market.js'
import { chainOf, grow } from '../../support/chain.js'
import { asData } from './as-data.js'
import { directSource, jsonAnswer, jsonOf, messageOf } from './direct.js'
import { refused } from './scripted.js'

const chain = chainOf({ seed: 12 })
grow(chain, 4)

const everything = await marketReader(demo, directSource(chain)).read()
/** A few pairs, those with makers among them, to keep reading fast. */
const network = {
  ...demo,
  discovery: {
    pairs: [...everything.books.values()]
      .filter(({ state }, at) => at < 5 || state.makers.length > 0)
      .slice(0, 9)
      .map(({ state }) => state.pair.address),
  },
}
const complete = await marketReader(network, directSource(chain)).read()
const [book] = [...complete.books.values()].filter(({ state }) => state.makers.length > 0)
assert.ok(book)
const { address } = book.state.pair
const makers = book.state.makers.map((maker) => maker.address)

type Reply = (value: unknown) => Answer

/** Reads with one query of one contract answered differently, and with storage refused if requested. */
async function readWith(
  contract: string,
  name: string,
  reply: Reply,
  storage = true,
): Promise<Market> {
  const source = directSource(chain, {
    queryGas: 10n ** 12n,
    answer: (question, _height, node) => {
      if (!storage && question.path.endsWith('/AllContractState')) return refused('no')
      const message = messageOf(question)
      if (message?.address !== contract || message.name !== name) return undefined
      return reply(jsonOf(node()))
    },
  })
  return marketReader(network, source).read()
}

const pairsOf = (market: Market) => (asData(market) as { pairs: Record<string, unknown> }).pairs

/** Everything but the victim is unchanged. */
function assertAlone(market: Market, reason: RegExp): void {
  const why = market.excluded.find((excluded) => excluded.address === address)?.reason
  assert.match(why ?? 'it is in the market', reason)
  assert.match(why!, /^(halted|unreadable): (?!halted|unreadable|\/)/)
  assert.deepEqual(pairsOf(market), { ...pairsOf(complete), [address]: 'left out' })
}

describe('a pair that fails or returns malformed data', () => {
  const changes: readonly (readonly [string, string, Reply, RegExp])[] = [
    [address, 'config', () => refused('halted by the chain'), /halted: .*halted by the chain/],
    [address, 'config', (value) => jsonAnswer({ ...(value as object), tick: '6' }), /tick/],
    [address, 'config', () => jsonAnswer('nonsense'), /must be an object/],
    [address, 'config', () => ({ ok: true, value: Buffer.from([1, 2, 3]) }), /protobuf/],
    [address, 'config', () => ({ ok: true, value: new Uint8Array() }), /JSON/],
    [
      makers[0] ?? '',
      'strategy',
      () => jsonAnswer({ xyk: [{ x: 'a', y: 'b', step: '-1', min_quote: '1', fee: '0' }, {}] }),
      /the strategy of .*step/,
    ],
    [makers[0] ?? '', 'strategy', () => jsonAnswer({ xyk: [] }), /configuration, state/],
  ]
  for (const [contract, name, reply, reason] of changes)
    test(`is excluded alone when ${name} gives ${reason}`, async () => {
      assertAlone(await readWith(contract, name, reply), reason)
    })

  test('is excluded alone when its book is malformed and its storage is refused', async () => {
    for (const malformed of [
      { base: [{ price: '-1', total: '1' }], quote: [] },
      { base: [{ price: '1e3', total: '1' }], quote: [] },
      { base: [{ price: '1', total: '9'.repeat(60) }], quote: [] },
      { base: [{ price: '1' }], quote: [] },
      { quote: [] },
      [],
    ]) {
      const market = await readWith(address, 'book', () => jsonAnswer(malformed), false)
      const why = market.excluded.find((excluded) => excluded.address === address)?.reason
      assert.match(why ?? 'it is in the market', /book/)
      assert.equal(market.books.size, complete.books.size - 1)
    }
  })

  test('is not read in part when its book is out of order', async () => {
    const reversed: Reply = (value) => {
      const { base, quote } = value as { base: object[]; quote: object[] }
      return jsonAnswer({ base: base.toReversed(), quote })
    }
    const market = await readWith(address, 'book', reversed, false)
    assert.equal(market.books.get(address), undefined)
    const why = market.excluded.find((excluded) => excluded.address === address)?.reason
    assert.equal(why, 'quarantined: book/base/1/price must not be better than the level before it')
  })

  test('is included again as soon as it answers', async () => {
    let isBroken = true
    const source = directSource(chain, {
      answer: (question) => {
        const message = messageOf(question)
        return isBroken && message?.address === address && message.name === 'config'
          ? refused('not now')
          : undefined
      },
    })
    const reader = marketReader(network, source)
    assert.equal((await reader.read()).books.has(address), false)
    isBroken = false
    assert.deepEqual(asData(await reader.read()), asData(complete))
  })

  test('keeps its tokens by its label', async () => {
    const only = [...complete.tokens.keys()].find(
      (denom) =>
        [...complete.books.values()].filter(
          ({ state: { pair } }) => pair.base === denom || pair.quote === denom,
        ).length === 1,
    )
    const pair = [...complete.books.values()].find(
      ({ state }) => state.pair.base === only || state.pair.quote === only,
    )
    assert.ok(only && pair)
    const market = await readWith(pair.state.pair.address, 'config', () => refused('halted'))
    assert.deepEqual(market.tokens.get(only), complete.tokens.get(only))
  })

  test('is excluded whichever pair it is, and the others are read', async () => {
    for (const one of complete.books.keys()) {
      const market = await readWith(one, 'config', () => refused('halted'))
      assert.equal(market.books.size, complete.books.size - 1)
      assert.equal(market.books.has(one), false)
    }
  })
})

describe('a maker that fails or returns malformed data', () => {
  const maker = makers[0] ?? ''

  test('and refuses its strategy is queried for its levels, which give the same first fills', async () => {
    const market = await readWith(maker, 'strategy', () => refused('unknown variant'))
    const state = market.books.get(address)?.state
    assert.equal(state?.makers[0]?.kind, 'quoted')
    assert.equal(state?.exact, true)
  })

  test('and returns nothing valid makes the pair an estimate at most', async () => {
    const source = directSource(chain, {
      answer: (question) =>
        messageOf(question)?.address === maker ? refused('nothing') : undefined,
    })
    const reader = marketReader(network, source)
    const market = await reader.read()
    const book = market.books.get(address)
    // The pair itself still quotes the maker, so numbers without it disagree with its simulation.
    assert.equal(book?.state.exact, false)
    assert.deepEqual(
      reader.lastRead()?.fallbacks.map(({ address: each, mode }) => [each, mode]),
      [[address, 'estimate']],
    )
  })
})
