import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { packMarket, unpackMarket } from '../../../src/compose/feed/fleet/watch-fleet.js'
import { fleetPlace } from '../../../src/compose/serve.js'
import { marketSnapshotOf } from '../../../src/demo-chain/genesis/market-snapshot.js'
import type { Market } from '../../../src/engine/market/market.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { asData } from '../../chain/market/as-data.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'

const statesOf = ({ books }: Market) => [...books.values()].map(({ state }) => state)

describe('a published document', () => {
  test('unpacks to the same market, and packing that again gives the same bytes', () => {
    const chain = chainOf({ seed: 5 }, majorPairs)
    for (let block = 0; block < 3; block += 1) {
      grow(chain, 1)
      const market = decodeSnapshot(marketSnapshotOf(chain), 'the chain')
      const document = packMarket(market)
      const again = unpackMarket(document)
      assert.deepEqual(statesOf(again), statesOf(market))
      assert.deepEqual(asData(again), asData(market))
      assert.deepEqual(packMarket(again), document)
    }
  })

  test('is refused if malformed', () => {
    for (const bytes of [Buffer.from(''), Buffer.from('{}'), Buffer.alloc(1_000, 255)])
      assert.throws(() => unpackMarket(bytes))
  })
})

describe('the place of a fleet', () => {
  const given = { chainId: 'demo-1', blockTimeMs: 6_500, maxAge: undefined, mayLead: true }

  test('is a server; a file is not shared', () => {
    assert.equal(fleetPlace({ ...given, database: undefined }), undefined)
    assert.equal(fleetPlace({ ...given, database: '/some/history.db' }), undefined)
    const place = fleetPlace({ ...given, database: 'postgres://h/d' })
    assert.deepEqual(place?.table, { url: 'postgres://h/d', chainId: 'demo-1' })
  })

  test('is waited for two blocks or five seconds, but not so long that a market is too old', () => {
    const patience = (more: object) =>
      fleetPlace({ ...given, database: 'postgres://h/d', ...more })?.patienceMs
    assert.equal(patience({}), 13_000)
    assert.equal(patience({ blockTimeMs: 200 }), 5_000)
    assert.equal(patience({ blockTimeMs: 200, maxAge: 3_000 }), 1_500)
  })
})
