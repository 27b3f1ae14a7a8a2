import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { marketReader } from '../../../src/chain/market/read-market.js'
import { demo } from '../../../src/chain/networks/demo.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { encodeSnapshot } from '../../../src/engine/snapshot/encode.js'
import { chainOf } from '../../support/chain.js'
import { directSource, messageOf } from './direct.js'
import { refused } from './scripted.js'

const chain = chainOf({ seed: 12, life: false })

/** The demo market with one kind of query of one pair refused, and that pair's exclusion. */
async function leftOut(address: string, names: readonly string[]) {
  const source = directSource(chain, {
    queryGas: 10n ** 12n,
    answer(question) {
      if (question.path.endsWith('/AllContractState')) return refused('no')
      const message = messageOf(question)
      const isMeant = message?.address === address && names.includes(message.name)
      return isMeant ? refused('no') : undefined
    },
  })
  const market = await marketReader(demo, source).read()
  return { market, excluded: market.excluded.find((excluded) => excluded.address === address) }
}

describe('a pair that the market leaves out', () => {
  test('is retired where the network lists it as such, and its denoms are those of its label', async () => {
    const { excluded } = await marketReader(demo, directSource(chain)).read()
    assert.equal(excluded.length, 2)
    for (const { address, pair, denoms, isRetired } of excluded) {
      assert.ok(demo.discovery.retired?.includes(address))
      assert.deepEqual([pair, isRetired], [undefined, true])
      assert.ok(denoms?.base && denoms.quote)
    }
  })

  test('keeps its configuration where only its book is refused, also in a snapshot document', async () => {
    const complete = await marketReader(demo, directSource(chain)).read()
    const [book] = complete.books.values()
    const { pair } = book!.state
    const { market, excluded } = await leftOut(pair.address, ['book'])
    assert.deepEqual(excluded?.pair, pair)
    assert.deepEqual(excluded?.denoms, { base: pair.base, quote: pair.quote })
    const again = decodeSnapshot(JSON.parse(JSON.stringify(encodeSnapshot(market))), 'written')
    assert.deepEqual(again.excluded, market.excluded)
  })

  test('has no configuration where that is refused', async () => {
    const complete = await marketReader(demo, directSource(chain)).read()
    const [book] = complete.books.values()
    const { address, base, quote } = book!.state.pair
    const { excluded } = await leftOut(address, ['config'])
    assert.deepEqual([excluded?.pair, excluded?.denoms], [undefined, { base, quote }])
  })

  test('is not the reason why no pair can be read, if it is retired', async () => {
    const source = directSource(chain, {
      queryGas: 10n ** 12n,
      answer: (question) =>
        question.path.endsWith('/AllContractState') || messageOf(question)?.name === 'book'
          ? refused('broken')
          : undefined,
    })
    await assert.rejects(marketReader(demo, source).read(), {
      why: /^no pair of it can be read, the last one for: unreadable: .*broken/,
    })
  })
})
