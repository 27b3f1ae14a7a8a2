import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { packMarket } from '../../../src/compose/feed/fleet/watch-fleet.js'
import { asData, ownMarket } from '../../chain/market/as-data.js'
import { grow } from '../../support/chain.js'
import { fleet, PATIENCE_MS, query, server, until } from './members.js'

describe.skipIf(server === undefined)('a leader whose height is published already', () => {
  /** A publication that is too old to follow and too young to replace. */
  async function published(height: number, digits: string) {
    const { url, chain, member, lead, board } = await fleet()
    const { epoch } = await lead()
    const market = { ...ownMarket(chain), height: chain.height + height, time: digits }
    const document = packMarket(market)
    await (await board()).publish(epoch, { height: market.height, document })
    await query(url, `update snapshot set published_ms = published_ms - ${2 * PATIENCE_MS}`)
    return { chain, leader: member(true), market }
  }

  test('serves the published market, not its own', async () => {
    const { chain, leader, market } = await published(0, '2026-01-02T03:04:05Z')
    const found = await until(leader, market.height)
    assert.deepEqual(asData(found.market), asData(market))
    assert.ok(found.ageMs! >= 2 * PATIENCE_MS)
    grow(chain, 1)
    await until(leader, chain.height)
    assert.equal(leader.last(), 'leads')
  })

  test('serves its own where the height of the published one was changed', async () => {
    const { url, chain, member, lead, board } = await fleet()
    const { epoch } = await lead()
    const document = packMarket(ownMarket(chain))
    await (await board()).publish(epoch, { height: chain.height, document })
    await query(url, 'update snapshot set height = 9007199254740990')
    const leader = member(true)
    const found = await until(leader, chain.height)
    assert.equal(found.market.height, chain.height)
    grow(chain, 1)
    await until(leader, chain.height)
    assert.equal(leader.last(), 'alone')
  })

  test('serves a higher one that was published by another node', async () => {
    const { chain, leader, market } = await published(3, '2026-01-02T03:04:05Z')
    assert.equal((await until(leader, 1)).market.height, market.height)
    assert.deepEqual(await leader.watch.poll(market.height), { behind: chain.height })
  })
})
