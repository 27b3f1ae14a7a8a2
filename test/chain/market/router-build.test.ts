import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { marketReader } from '../../../src/chain/market/read-market.js'
import { demo } from '../../../src/chain/networks/demo.js'
import { ownNetwork } from '../../../src/chain/networks/own.js'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import { codes } from '../../../src/demo-chain/modules/dispatch.js'
import type { Market } from '../../../src/engine/market/market.js'
import { openOnce } from '../../../src/operations/context.js'
import { route } from '../../../src/operations/route/route.js'
import { chainOf, growQuietly, threePairs } from '../../support/chain.js'
import { type BlockInjection, directSource } from './direct.js'

const sourceOf = (routerBuild: 'source' | 'published', options: BlockInjection = {}) =>
  directSource(chainOf({ routerBuild }, threePairs), options)

const read = async (routerBuild: 'source' | 'published', network = demo) =>
  marketReader(network, sourceOf(routerBuild)).read()

/** The demo network without its table of builds. */
const withoutTable = { ...demo, router: { ...demo.router, builds: new Map() } }

type Reply = ReturnType<NonNullable<BlockInjection['answer']>>

/** A node that answers simulated transactions in its own way. */
const simulating = (answer: () => Reply): ReturnType<typeof sourceOf> =>
  sourceOf('source', {
    answer: ({ path }) => (path.endsWith('/Simulate') ? answer() : undefined),
  })

const refused = (): Reply => ({ ok: false, code: 6, codespace: 'sdk', text: 'unknown request' })

describe("the build of a network's router", () => {
  test('is recognised by the checksum of its code', async () => {
    assert.equal((await read('source')).router.affiliateRounding, 'down')
    assert.equal((await read('published')).router.affiliateRounding, 'up')
  })

  test('that is in no table is determined by a simulated swap with an affiliate', async () => {
    assert.equal((await read('source', withoutTable)).router.affiliateRounding, 'down')
    assert.equal((await read('published', withoutTable)).router.affiliateRounding, 'up')
  })

  test('that cannot be simulated is tried again a hundred heights later', async () => {
    const chain = chainOf({ routerBuild: 'source' }, threePairs)
    const source = directSource(chain, {
      answer: ({ path }) => (path.endsWith('/Simulate') ? refused() : undefined),
    })
    const reader = marketReader(withoutTable, source)
    const simulationsOf = async () => {
      source.count.delete('Simulate')
      await reader.read()
      return source.count.get('Simulate') ?? 0
    }
    assert.deepEqual([await simulationsOf(), await simulationsOf()], [4, 0])
    growQuietly(chain, 99)
    assert.equal(await simulationsOf(), 0)
    growQuietly(chain, 1)
    assert.equal(await simulationsOf(), 4)
  })

  test('leaves the market readable where the node fails at a simulation', async () => {
    const replies: readonly (() => Reply)[] = [
      () => {
        throw new NodeFault('timeout', 'https://node', 'gave no answer in 10 s')
      },
      () => ({ ok: true, value: Uint8Array.from([10, 255, 255, 255]) }),
    ]
    for (const reply of replies) {
      const { books, router } = await marketReader(withoutTable, simulating(reply)).read()
      assert.deepEqual([books.size, router.affiliateRounding], [3, undefined])
    }
  })

  test('that is unknown gives the lower output with an affiliate, which is not exact', async () => {
    const market = await marketReader(withoutTable, simulating(refused)).read()
    assert.equal(market.router.affiliateRounding, undefined)
    const known = await read('source')
    const request = {
      input: { denom: 'btc-btc', amount: '100003' },
      output: { denom: 'rune' },
      limit: 1,
    }
    const best = async (of: Market, affiliate?: string) => {
      const named = { ...request, ...(affiliate && { affiliate }) }
      return (
        await route(
          openOnce(async () => of),
          named,
        )
      ).routes[0]!
    }
    const [lower, exact] = [await best(market, 'acme'), await best(known, 'acme')]
    assert.deepEqual([lower.exact, exact.exact], [false, true])
    assert.equal(BigInt(lower.expected_output), BigInt(exact.expected_output) - 1n)
    assert.deepEqual(await best(market), await best(known))
  })

  test('of the demo chain is known, and a configured network can add others', () => {
    for (const { name, checksum } of codes.filter((code) => code.name.startsWith('router-')))
      assert.equal(demo.router.builds.get(checksum), name.endsWith('published') ? 'up' : 'down')
    const hash = 'ab'.repeat(32)
    const { address } = demo.router
    const entry = { chain_id: 'x-1', prefix: 'demo', rpc: 'http://127.0.0.1:1' }
    const router = { address, builds: { [hash]: 'down' } }
    const { builds } = ownNetwork('mine', { ...entry, router }).router
    assert.equal(builds.get(hash.toUpperCase()), 'down')
    assert.ok([...builds.keys()].some((key) => key.startsWith('DB717B56')))
    assert.throws(
      () => ownNetwork('mine', { ...entry, router: { address, builds: { ab: 'down' } } }),
      { code: 'INVALID_REQUEST' },
    )
  })
})
