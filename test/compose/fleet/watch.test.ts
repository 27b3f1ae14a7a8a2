import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import {
  packMarket,
  unpackMarket,
  watchFleet,
} from '../../../src/compose/feed/fleet/watch-fleet.js'
import type { NetworkWatch, WatchResult } from '../../../src/compose/feed/network-watch.js'
import type { FleetRole } from '../../../src/service/feed/market-feed.js'
import { asData, ownMarket } from '../../chain/market/as-data.js'
import { faultyNode } from '../../chain/rpc/stage.js'
import { chainOf, grow, threePairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { longTest } from '../../support/long.js'
import { fleet, memberOf, PATIENCE_MS, query, server, until } from './members.js'

/** Polls as a feed does until the member has a role. */
async function waitForRole(
  member: ReturnType<typeof memberOf>,
  role: FleetRole['is'],
): Promise<FleetRole> {
  for (const last = performance.now() + 60_000; member.last() !== role; await wait(20)) {
    await member.watch.poll(member.heights.at(-1))
    assert.ok(performance.now() < last, `it never ${role}`)
  }
  return member.roles.at(-1)!
}

describe.skipIf(server === undefined)('a process of a fleet', () => {
  longTest(
    'that leads publishes the market; a follower has it without asking the node',
    async () => {
      const { chain, member, lead } = await fleet()
      await lead()
      const other = await faultyNode(chain)
      const [leader, follower] = [member(true), member(false, other)]
      for (let block = 0; block < 4; block += 1) {
        grow(chain, 1)
        const [led, followed] = [
          await until(leader, chain.height),
          await until(follower, chain.height),
        ]
        assert.deepEqual(asData(led.market), asData(ownMarket(chain)))
        assert.deepEqual(packMarket(followed.market), packMarket(led.market))
        assert.ok(followed.ageMs! >= 0)
      }
      assert.deepEqual([leader.roles, follower.roles], [[{ is: 'leads' }], [{ is: 'follows' }]])
      assert.equal(other.asked.length, 0)
    },
  )

  test('calls its feed when something is published, long before it would look', async () => {
    const { chain, member, lead } = await fleet()
    await lead()
    const [leader, follower] = [member(true), member(false)]
    await until(leader, chain.height)
    await until(follower, chain.height)
    const called = new Promise<void>((resolve) => follower.watch.hints(resolve))
    grow(chain, 1)
    await until(leader, chain.height)
    await called
    const look = await follower.watch.poll(follower.heights.at(-1))
    assert.ok(look !== undefined && 'market' in look && look.market.height === chain.height)
  })

  test('reads the nodes itself without a leader, reports that, and follows a new one', async () => {
    const { chain, member, lead } = await fleet()
    grow(chain, 1)
    const follower = member(false)
    await until(follower, chain.height)
    assert.deepEqual(follower.roles, [{ is: 'alone', reason: 'no process publishes' }])
    await lead()
    const leader = member(true)
    grow(chain, 1)
    await until(leader, chain.height)
    await waitForRole(follower, 'follows')
    grow(chain, 1)
    const led = await until(leader, chain.height)
    const followed = await until(follower, chain.height)
    assert.deepEqual(packMarket(followed.market), packMarket(led.market))
  })

  test('that reads alone has the same market of a height as a published one', async () => {
    const { chain, member, lead } = await fleet()
    await lead()
    grow(chain, 1)
    const led = await until(member(true), chain.height)
    const url = new URL('postgres://127.0.0.1:1/nobody')
    const alone = memberOf(url.href, await faultyNode(chain), false)
    const read = await until(alone, chain.height)
    assert.equal(alone.last(), 'alone')
    assert.deepEqual(packMarket(read.market), packMarket(led.market))
  })

  longTest('that reads alone has the market that its document decodes to', async () => {
    const market = ownMarket(chainOf({ seed: 9 }, threePairs))
    // A snapshot document requires a non-empty reason.
    const withoutReason = {
      ...market,
      excluded: [{ address: 'a', status: 'halted', reason: 'halted: ' }],
    }
    const node: NetworkWatch = {
      poll: () => Promise.resolve({ market: withoutReason }),
      hints: () => () => {},
      close() {},
    }
    const watch = closing(
      watchFleet(node, {
        open: () => Promise.reject(new Error('no database')),
        mayLead: false,
        patienceMs: PATIENCE_MS,
        router: demo.router,
        roleChanged() {},
      }),
    )
    const alone = await until({ watch, heights: [] }, market.height)
    assert.deepEqual(alone.market.excluded, unpackMarket(packMarket(withoutReason)).excluded)
    assert.notDeepEqual(alone.market.excluded, withoutReason.excluded)
  })

  longTest('ignores a document that is too old', async () => {
    const { url, chain, member, lead, board } = await fleet()
    const { epoch } = await lead()
    const old = { ...ownMarket(chain), height: 5_000 }
    await (await board()).publish(epoch, { height: 5_000, document: packMarket(old) })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('update snapshot set published_ms = published_ms - 30000')
    await client.end()
    const follower = member(false)
    const { market } = await until(follower, chain.height)
    assert.equal(market.height, chain.height)
    assert.equal(follower.last(), 'alone')
  })

  longTest('reads the nodes itself if the published document is unreadable', async () => {
    const { chain, member, lead, board } = await fleet()
    const { epoch } = await lead()
    const height = chain.height + 1
    await (await board()).publish(epoch, { height, document: Buffer.from('of a later version') })
    grow(chain, 2)
    const follower = member(false)
    await until(follower, chain.height)
    const standpoint = follower.roles.at(-1)
    assert.ok(standpoint?.is === 'alone' && standpoint.reason !== 'no process publishes')
  })

  longTest('that is replaced while it reads serves its market, and publishes nothing', async () => {
    const { url, chain, member, lead, board } = await fleet()
    const first = await lead()
    const leader = member(true)
    await until(leader, chain.height)
    await first.release()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    // Another member takes the lead between the leader's status query and its publication.
    await client.query(
      'create function depose() returns trigger language plpgsql as $$ begin return null; end $$',
    )
    await client.query(
      'create trigger depose before update on store for each row when (new.epoch = old.epoch) execute function depose()',
    )
    grow(chain, 1)
    const { market } = await until(leader, chain.height)
    assert.deepEqual(asData(market), asData(ownMarket(chain)))
    const standpoint = leader.roles.at(-1)
    assert.ok(standpoint?.is === 'alone' && /no longer leads/.test(standpoint.reason))
    assert.equal((await (await board()).newest())?.height, chain.height - 1)
    await client.query('drop trigger depose on store')
    await client.end()
    grow(chain, 1)
    await until(leader, chain.height)
    assert.equal(leader.last(), 'leads')
  })

  test('that is replaced as the leader does not count as one while the chain makes no blocks', async () => {
    const { url, chain, member, lead } = await fleet()
    await lead()
    const leader = member(true)
    await until(leader, chain.height)
    await query(url, "update store set epoch = epoch + 1, leader_process = 'another'")
    await query(url, 'update snapshot set published_ms = published_ms - 30000')
    await waitForRole(leader, 'follows')
  })

  test('never goes back to the lower height of its own node', async () => {
    const { chain, member, lead, board } = await fleet()
    const { epoch } = await lead()
    const ahead = { ...ownMarket(chain), height: chain.height + 3 }
    await (await board()).publish(epoch, { height: ahead.height, document: packMarket(ahead) })
    const leader = member(true)
    await until(leader, ahead.height)
    for (let look = 0; look < 5; look += 1) {
      grow(chain, look < 2 ? 1 : 0)
      assert.deepEqual(await leader.watch.poll(ahead.height), { behind: chain.height })
    }
    grow(chain, 3)
    await until(leader, chain.height)
  })

  test('that follows takes the lower height of a chain that was reset', async () => {
    const { url, chain, member, lead, board } = await fleet()
    const { epoch } = await lead()
    const publish = async (height: number) => {
      const document = packMarket({ ...ownMarket(chain), height })
      assert.equal(await (await board()).publish(epoch, { height, document }), 'published')
    }
    await publish(5_000)
    const follower = member(false)
    await until(follower, 5_000)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('update snapshot set published_ms = published_ms - 61000')
    await client.end()
    await publish(7)
    let look: WatchResult
    for (const last = performance.now() + 60_000; look === undefined; await wait(20)) {
      look = await follower.watch.poll(5_000)
      assert.ok(performance.now() < last, 'the lower height did not come')
    }
    assert.equal('market' in look && look.market.height, 7)
    assert.equal(await follower.watch.poll(7), undefined)
    assert.equal(follower.last(), 'follows')
  })

  test.skipIf(server?.restart === undefined)(
    'goes on when the database stops, and follows again when it is back',
    async () => {
      const { chain, member, lead, board } = await fleet()
      await lead()
      const [leader, follower] = [member(true), member(false)]
      await until(leader, chain.height)
      await until(follower, chain.height)
      server!.restart!()
      // The row still names the last leader; no other member has led since.
      const published = await board()
      for (let last = 0; last < chain.height || follower.last() !== 'follows'; ) {
        grow(chain, 1)
        await Promise.all([until(leader, chain.height), until(follower, chain.height)])
        last = (await published.newest())?.height ?? 0
      }
      assert.deepEqual(
        follower.heights,
        follower.heights.toSorted((a, b) => a - b),
      )
    },
  )
})
