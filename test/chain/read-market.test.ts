import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demo } from '../../src/chain/networks/demo.js'
import { marketReader } from '../../src/chain/read-market.js'
import { documentOf } from '../../src/demo/genesis/document.js'
import type { Market } from '../../src/market/market.js'
import { decodeSnapshot } from '../../src/snapshot/decode.js'
import { encodeSnapshot } from '../../src/snapshot/encode.js'
import { chainOf, grow } from '../support/chain.js'
import { directSource } from './direct.js'

/** A market as data, whatever the order of its lists. */
const asData = (market: Market) => {
  const { tokens, pairs, ...rest } = encodeSnapshot(market) as {
    tokens: { denom: string }[]
    pairs: { address: string; status: string }[]
  }
  return {
    ...rest,
    tokens: Object.fromEntries(tokens.map((each) => [each.denom, each])),
    pairs: Object.fromEntries(
      pairs.map((each) => [each.address, each.status === 'open' ? each : 'left out']),
    ),
  }
}

describe('reading a market', () => {
  test('gives the same as the chain itself knows, to the last atomic, height after height', async () => {
    const chain = chainOf()
    const source = directSource(chain)
    const reader = marketReader(demo, source)
    for (let round = 0; round < 4; round++) {
      grow(chain, 7)
      const own = decodeSnapshot(documentOf(chain), 'chain')
      const read = await reader.read()
      console.log(reader.lastRead())
      assert.deepEqual(asData(read), asData(own))
      assert.deepEqual(
        [...read.books.values()].map((b) => b.state.exact).filter((x) => !x),
        [],
      )
    }
  })
})
