import assert from 'node:assert/strict'
import { test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import type { Network } from '../../../src/chain/networks/network.js'
import { packMarket, watchFleet } from '../../../src/compose/feed/fleet/watch-fleet.js'
import type { WatchResult } from '../../../src/compose/feed/network-watch.js'
import { ownMarket } from '../../chain/market/as-data.js'
import { chainOf, threePairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'

const PATIENCE_MS = 5_000
const SECOND = 1_000
const market = ownMarket(chainOf({ seed: 9 }, threePairs))
const documentAt = (height: number) => packMarket({ ...market, height })

type Row = { readonly height: number; readonly at: number; readonly document: Uint8Array }

/** A process of a fleet whose clock, table and node are those of the test. */
function processOf(mayLead: boolean, router: Network['router'] = demo.router) {
  let after: number | undefined
  const roles: string[] = []
  const count = { nodePolls: 0, documents: 0, subscribed: 0 }
  const fleet = {
    ms: 1_000_000,
    /** Height of the node. */
    node: 10,
    epoch: undefined as number | undefined,
    newest: undefined as Row | undefined,
    /** Milliseconds that the table takes to send a document. */
    slowMs: 0,
    refuses: false,
  }
  const ageOf = ({ at }: Row) => fleet.ms - at
  const publish = (height: number, document = documentAt(height)) => {
    fleet.newest = { height, at: fleet.ms, document }
  }
  const watch = closing(
    watchFleet(
      {
        async poll(last) {
          count.nodePolls += 1
          return fleet.node === last ? undefined : { market: { ...market, height: fleet.node } }
        },
        hints() {
          count.subscribed += 1
          return () => void (count.subscribed -= 1)
        },
        close() {},
      },
      {
        mayLead,
        patienceMs: PATIENCE_MS,
        router,
        roleChanged: (role) => roles.push(role.is === 'alone' ? role.reason : role.is),
        now: () => fleet.ms,
        open: async () => ({
          async status() {
            const { newest, epoch } = fleet
            return { newest: newest && { height: newest.height, ageMs: ageOf(newest) }, epoch }
          },
          async newest() {
            count.documents += 1
            const row = fleet.newest && { ...fleet.newest, ageMs: ageOf(fleet.newest) }
            fleet.ms += fleet.slowMs
            return row
          },
          async publish(_, { height, document }) {
            if (fleet.refuses) throw new Error('read-only')
            if (fleet.newest && fleet.newest.height >= height && ageOf(fleet.newest) <= 60_000)
              return 'behind'
            publish(height, document)
            return 'published'
          },
          lost: new AbortController().signal,
          close() {},
        }),
      },
    ),
  )
  /** Polls after some time, as a feed does. */
  const poll = async (ms = SECOND): Promise<WatchResult> => {
    fleet.ms += ms
    const result = await watch.poll(after)
    if (result !== undefined && 'market' in result) after = result.market.height
    return result
  }
  /** The height of the market that a poll gives. */
  const height = async (ms?: number) => {
    const result = await poll(ms)
    return result && ('market' in result ? result.market.height : result)
  }
  return { fleet, roles, count, publish, poll, height, watch }
}

test('a follower reads the nodes once nothing was published for its patience, and no sooner', async () => {
  const { fleet, roles, count, publish, height } = processOf(false)
  for (let block = 1; block < 12; block += 1) {
    publish(block)
    assert.equal(await height(), block)
  }
  assert.equal(await height(PATIENCE_MS - SECOND), undefined)
  assert.deepEqual(count, { nodePolls: 0, documents: 11, subscribed: 0 })
  fleet.node = 11
  assert.equal(await height(), undefined)
  // A chain that makes no blocks has nothing to publish.
  assert.deepEqual([roles, count.nodePolls], [['follows'], 1])
  fleet.node = 12
  assert.equal(await height(), 12)
  assert.deepEqual([roles, count.subscribed], [['follows', 'no process publishes'], 1])
  fleet.node = 11
  assert.deepEqual(await height(), { behind: 11 })
  publish(13)
  assert.equal(await height(), 13)
  assert.deepEqual([roles.at(-1), count.subscribed], ['follows', 0])
})

test('a process that has just started waits a second for a publication, and serves none that is too old', async () => {
  const { fleet, roles, publish, height } = processOf(false)
  publish(20)
  fleet.ms += PATIENCE_MS + 1
  assert.equal(await height(0), undefined)
  assert.equal(await height(SECOND), undefined)
  assert.equal(await height(1), 10)
  assert.deepEqual(roles, ['no process publishes'])
})

test('a publication from before the clock of the database was set back is not served as new', async () => {
  const { fleet, roles, publish, height } = processOf(false)
  publish(8)
  assert.equal(await height(), 8)
  publish(9)
  fleet.newest = { ...fleet.newest!, at: fleet.ms + 3_600_000 }
  assert.equal(await height(), undefined)
  assert.equal(await height(PATIENCE_MS), 10)
  publish(11)
  assert.equal(await height(), 11)
  assert.deepEqual(roles, ['follows', 'no process publishes', 'follows'])
})

test('the age of a published market counts the time that its document took', async () => {
  const { fleet, publish, poll } = processOf(false)
  publish(20)
  fleet.slowMs = 300
  assert.equal(((await poll()) as { ageMs?: number }).ageMs, SECOND + 300)
})

test('a process never serves a market of another router than its own, nor of another dialect', async () => {
  const { router } = market
  for (const other of [
    { ...router, address: 'demo1other' },
    { ...router, dialect: 'stack' as const },
  ]) {
    const { roles, publish, poll } = processOf(true, { ...demo.router, dialect: 'forward' })
    publish(20, packMarket({ ...market, height: 20, router: other }))
    assert.equal(await poll(), undefined)
    const alone = await poll(SECOND + 1)
    assert.ok(alone !== undefined && 'market' in alone)
    assert.equal(alone.market.router.address, router.address)
    assert.match(`${roles}`, /^the process that leads has another router: it publishes demo1/)
  }
})

test('a process reads the nodes at every block as long as another router is published', async () => {
  const { fleet, roles, publish, height } = processOf(false)
  const other = { ...market.router, address: 'demo1other' }
  const served: unknown[] = []
  for (let block = 20; block < 32; block += 1) {
    fleet.node = block
    publish(block, packMarket({ ...market, height: block, router: other }))
    served.push(await height(), await height(10))
  }
  const blocks = Array.from({ length: 11 }, (_, i) => i + 21)
  assert.deepEqual(served.slice(2).filter(Boolean), blocks)
  assert.equal(roles.length, 1)
  fleet.node = 33
  assert.equal(await height(), 33)
  publish(32)
  assert.equal(await height(), undefined)
  assert.equal(roles.at(-1), 'follows')
})

test('an unreadable publication is read once, and is named as the reason until another is readable', async () => {
  const { fleet, roles, count, publish, height } = processOf(false)
  publish(20, Buffer.from('of a later version'))
  for (let second = 0; second < 3; second += 1) await height()
  assert.equal(count.documents, 1)
  assert.notEqual(roles.at(-1), 'no process publishes')
  publish(21)
  assert.equal(await height(), 21)
  fleet.node = 22
  assert.equal(await height(PATIENCE_MS + 1), 22)
  assert.equal(roles.at(-1), 'no process publishes')
})

test('a leader publishes what it serves; while it cannot, it is alone, and reports that once', async () => {
  const { fleet, roles, count, watch, height } = processOf(true)
  fleet.epoch = 1
  const lead = async () => {
    fleet.node += 1
    // The poll after a failure opens the table again, for the next one.
    assert.equal((await height()) ?? (await height()), fleet.node)
  }
  for (let block = 0; block < 3; block += 1) await lead()
  assert.deepEqual([roles, fleet.newest?.height, count.subscribed], [['leads'], fleet.node, 1])
  fleet.refuses = true
  for (let block = 0; block < 3; block += 1) await lead()
  assert.deepEqual(roles, ['leads', 'it could not publish: read-only'])
  fleet.refuses = false
  for (let block = 0; block < 2; block += 1) await lead()
  assert.deepEqual([roles.at(-1), fleet.newest?.height], ['leads', fleet.node])
  watch.close()
  assert.equal(count.subscribed, 0)
})

test('a leader publishes the lower height of a chain that was reset, a minute after the last one', async () => {
  const { fleet, height } = processOf(true)
  fleet.epoch = 1
  assert.equal(await height(), 10)
  fleet.node = 7
  assert.deepEqual(await height(59_999), { behind: 7 })
  assert.equal(await height(2), 7)
  assert.equal(fleet.newest?.height, 7)
})

test('a process that has read a chain that was reset by itself follows the fleet there without going back', async () => {
  const { fleet, publish, height } = processOf(false)
  publish(30)
  assert.equal(await height(), 30)
  fleet.node = 12
  assert.deepEqual(await height(PATIENCE_MS + 1), { behind: 12 })
  assert.equal(await height(60_000), 12)
  publish(11)
  assert.equal(await height(), undefined)
  publish(13)
  assert.equal(await height(), 13)
})
