import assert from 'node:assert/strict'
import { QueryAllContractStateRequest } from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { describe, test } from 'vitest'
import { marketReader } from '../../../src/chain/market/read-market.js'
import { touchedIn } from '../../../src/chain/market/touched.js'
import { demo } from '../../../src/chain/networks/demo.js'
import { InvalidChain, NodeFault } from '../../../src/chain/rpc/faults.js'
import { marketSnapshotOf } from '../../../src/demo-chain/genesis/market-snapshot.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { chainOf, grow, majorPairs } from '../../support/chain.js'
import { asData, ownMarket } from './as-data.js'
import { directSource, jsonAnswer, jsonOf, messageOf } from './direct.js'

describe('reading a market', () => {
  test('gives the state of the chain to the last atomic, height after height', async () => {
    const chain = chainOf({ seed: 4 })
    const reader = marketReader(demo, directSource(chain))
    for (const blocks of [0, 10]) {
      grow(chain, blocks)
      const own = decodeSnapshot(marketSnapshotOf(chain), 'chain')
      const read = await reader.read()
      assert.deepEqual(asData(read), asData(own))
      assert.ok([...read.books.values()].every(({ state }) => state.exact))
      assert.deepEqual(reader.lastRead()?.fallbacks, [])
    }
  })

  test('does not include blocks that are made meanwhile', async () => {
    const chain = chainOf({ seed: 5 }, majorPairs)
    const reader = marketReader(demo, directSource(chain, { after: () => grow(chain, 1) }))
    for (let round = 0; round < 3; round++) {
      const own = ownMarket(chain)
      const read = await reader.read()
      assert.equal(read.height, own.height)
      assert.ok(chain.height > read.height)
      assert.deepEqual(asData(read), asData(own))
    }
  })

  test('gives an earlier height as it was then', async () => {
    const chain = chainOf({ seed: 6 }, majorPairs)
    grow(chain, 3)
    const own = ownMarket(chain)
    grow(chain, 12)
    const reader = marketReader(demo, directSource(chain))
    await reader.read()
    assert.deepEqual(asData(await reader.read(own.height)), asData(own))
  })

  test('queries constant facts once and only books and makers that a block touched, and simulates each pair within two heights', async () => {
    const chain = chainOf({ seed: 7 }, majorPairs)
    const counts = new Map<string, number>()
    const simulated = new Set<string>()
    const renewed: string[] = []
    const source = directSource(chain, {
      answer: (question) => {
        const message = messageOf(question)
        const name = message?.name ?? question.path.split('/').at(-1) ?? ''
        counts.set(name, (counts.get(name) ?? 0) + 1)
        if (message?.name === 'simulate') simulated.add(message.address)
        if (message?.name === 'config') renewed.push(message.address)
        return undefined
      },
    })
    const reader = marketReader(demo, source)
    const market = await reader.read()
    const pairs = market.books.size + market.excluded.length
    const makers = [...market.books.values()].flatMap(({ state }) => state.makers).length
    assert.equal(counts.get('config'), pairs + 1)
    assert.equal(counts.get('strategy'), makers)
    assert.ok((counts.get('simulate') ?? 0) >= 3 * market.books.size)
    for (const height of [1, 2, 3]) {
      const before = new Set(height === 1 ? market.books.keys() : simulated)
      counts.clear()
      simulated.clear()
      renewed.length = 0
      grow(chain, 1)
      const touched = await touchedIn(source, chain.height - 1, chain.height)
      const now = await reader.read()
      assert.deepEqual(asData(now), asData(ownMarket(chain)))
      const { books, excluded } = now
      const changed = [...books.values()].filter(
        ({ state: { pair, makers } }) =>
          [pair.address, ...makers.map(({ address }) => address)].some((each) =>
            touched?.has(each),
          ) ||
          (makers.length > 0 && renewed.includes(pair.address)),
      )
      assert.ok(changed.length < books.size)
      // Pairs that could not be read are retried.
      assert.ok(excluded.every(({ address }) => renewed.includes(address)))
      assert.ok(renewed.length < books.size / 2, `read ${height}`)
      assert.equal(counts.get('affiliates') ?? 0, 0)
      assert.equal(counts.get('ContractInfo') ?? 0, 0)
      assert.equal(counts.get('DenomMetadata') ?? 0, 0)
      assert.equal(counts.get('strategy') ?? 0, changed.flatMap(({ state }) => state.makers).length)
      assert.equal(counts.get('AllContractState') ?? 0, 2 * changed.length)
      assert.ok(changed.every(({ state }) => simulated.has(state.pair.address)))
      assert.deepEqual(
        [...books.keys()].filter((each) => !before.has(each) && !simulated.has(each)),
        [],
      )
      assert.ok((counts.get('simulate') ?? 0) <= 2 * books.size)
      assert.ok(simulated.size < books.size)
    }
    counts.clear()
    grow(chain, 10)
    await reader.read()
    assert.equal(counts.get('config'), pairs + 1)
  })

  test('reads configurations within ten blocks, not all at one, and with them the books with makers or a changed configuration', async () => {
    const chain = chainOf({ seed: 7, life: false }, majorPairs)
    const [read, compared] = [new Set<string>(), new Set<string>()]
    let changed: string | undefined
    const source = directSource(chain, {
      answer: (question, _height, node) => {
        if (question.path.endsWith('/AllContractState'))
          read.add(QueryAllContractStateRequest.decode(question.data).address)
        const message = messageOf(question)
        if (message?.name === 'book') compared.add(message.address)
        return message?.name === 'config' && message.address === changed
          ? jsonAnswer({ ...(jsonOf(node()) as object), fee_maker: '0.001' })
          : undefined
      },
    })
    const reader = marketReader(demo, source)
    const { books } = await reader.read()
    const all = [...books.keys()]
    const withMakers = all.filter((each) => books.get(each)!.state.makers.length > 0)
    /** The pairs that are read at each of so many heights. */
    const readAfter = async (blocks: number): Promise<readonly string[][]> => {
      const each: string[][] = []
      for (let made = 0; made < blocks; made++) {
        read.clear()
        grow(chain, 1)
        await reader.read()
        each.push([...read])
      }
      return each
    }
    compared.clear()
    const within10 = await readAfter(10)
    assert.deepEqual(within10.flat().sort(), withMakers.toSorted())
    assert.ok(within10.every((some) => some.length < withMakers.length))
    // A book that is not read is compared, as after the first reading, at every second height.
    await readAfter(1)
    assert.deepEqual([...compared].sort(), all.toSorted())
    changed = all.find((each) => !withMakers.includes(each))!
    assert.deepEqual(new Set((await readAfter(10)).flat()), new Set([...withMakers, changed]))
    assert.equal((await reader.read()).books.get(changed)?.state.pair.makerFee, 10n ** 15n)
    const within100 = await readAfter(100)
    assert.deepEqual(new Set(within100.flat()), new Set(all))
    assert.ok(within100.every((some) => some.length < all.length))
  })

  test('gives the router with its affiliates, its balances and its dialect', async () => {
    for (const dialect of ['forward', 'stack'] as const) {
      const chain = chainOf({ seed: 8, dialect }, majorPairs)
      grow(chain, 2)
      const { router } = await marketReader(demo, directSource(chain)).read()
      assert.equal(router.dialect, dialect)
      assert.equal(router.feeBps, 10n)
      assert.deepEqual(router.affiliates.get('acme'), {
        affiliateFeeBps: 50n,
        referralFeeShareBps: 1000n,
      })
    }
  })

  test('does not query for a configured dialect', async () => {
    const chain = chainOf({ seed: 8, dialect: 'forward' }, majorPairs)
    const network = { ...demo, router: { ...demo.router, dialect: 'stack' as const } }
    const { router } = await marketReader(network, directSource(chain)).read()
    assert.equal(router.dialect, 'stack')
  })
})

describe('reading a market of a failing node', () => {
  const chain = chainOf({ seed: 9 }, majorPairs)
  grow(chain, 3)

  test('is refused for a node of another chain', async () => {
    const network = { ...demo, chainId: 'other-1' }
    await assert.rejects(
      marketReader(network, directSource(chain)).read(),
      (error) => error instanceof InvalidChain && /chain demo-1/.test(error.why ?? ''),
    )
  })

  test('is refused for a header of another height', async () => {
    const plain = directSource(chain)
    const source = {
      ...plain,
      call: (method: string) => plain.call(method, { height: `${chain.height - 1}` }),
    }
    await assert.rejects(
      marketReader(demo, source).read(),
      (error) => error instanceof InvalidChain && /header of height/.test(error.why ?? ''),
    )
  })

  test('ends at a missing answer', async () => {
    const plain = directSource(chain)
    const source = {
      ...plain,
      queries: async (...args: Parameters<typeof plain.queries>) =>
        (await plain.queries(...args)).slice(1),
    }
    await assert.rejects(marketReader(demo, source).read(), InvalidChain)
  })

  test('ends at a fault of the node in any call', async () => {
    const marketRead = marketReader(demo, directSource(chain))
    await marketRead.read()
    const { batches } = marketRead.lastRead() ?? { batches: 0 }
    assert.ok(batches > 5)
    for (let failing = 0; failing < batches; failing++) {
      const plain = directSource(chain)
      let calls = 0
      const source = {
        ...plain,
        queries: async (...args: Parameters<typeof plain.queries>) => {
          if (calls++ === failing) throw new NodeFault('wrong_height', 'node', 'answered another')
          return plain.queries(...args)
        },
      }
      const reader = marketReader(demo, source)
      await assert.rejects(
        reader.read(),
        (error) => error instanceof NodeFault && error.kind === 'wrong_height',
      )
      assert.equal(reader.lastRead(), undefined)
    }
  })

  test('is repeated once at the newest height if a height was pruned meanwhile', async () => {
    const moving = chainOf({ seed: 10 }, majorPairs)
    const plain = directSource(moving)
    let pruned = 1
    const source = {
      ...plain,
      queries: async (...args: Parameters<typeof plain.queries>) => {
        if (pruned-- > 0) {
          grow(moving, 1)
          throw new NodeFault('height_unavailable', 'node', 'has let go of the height')
        }
        return plain.queries(...args)
      },
    }
    const market = await marketReader(demo, source).read()
    assert.equal(market.height, moving.height)
    pruned = 100
    await assert.rejects(marketReader(demo, source).read(), /let go/)
    pruned = 1
    await assert.rejects(marketReader(demo, source).read(moving.height), /let go/)
  })

  test('is refused if the address of the router is not a router', async () => {
    const [pair] = (await marketReader(demo, directSource(chain)).read()).books.keys()
    const network = { ...demo, router: { ...demo.router, address: pair } }
    await assert.rejects(
      marketReader(network, directSource(chain)).read(),
      (error) =>
        error instanceof InvalidChain &&
        /^the router demo1\w+ is a pair \(.+ and .+\), not a router$/.test(error.why ?? ''),
    )
  })

  test('of a network without a known router fails with the name of the setting to add', async () => {
    const network = { ...demo, router: { ...demo.router, address: undefined } }
    await assert.rejects(
      marketReader(network, directSource(chain)).read(),
      (error) => error instanceof InvalidChain && error.hint === 'set router.address',
    )
  })

  test('is refused if no pair can be read', async () => {
    const source = directSource(chain, {
      answer: (question) =>
        messageOf(question)?.name === 'config' &&
        messageOf(question)?.address !== demo.router.address
          ? { ok: false, code: 6, codespace: 'sdk', text: 'halted' }
          : undefined,
    })
    await assert.rejects(
      marketReader(demo, source).read(),
      (error) => error instanceof InvalidChain && /halted/.test(error.why ?? ''),
    )
  })
})
