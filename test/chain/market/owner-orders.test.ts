import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { readOrders, readOwnerOrders } from '../../../src/chain/market/owner-orders.js'
import { Unreadable } from '../../../src/chain/queries/query-batch.js'
import { finContract } from '../../../src/demo-chain/contracts/fin/fin-contract.js'
import type { Reader } from '../../../src/demo-chain/store/state.js'
import { WIRE_SIDES, wirePrice } from '../../../src/engine/orders/order-message.js'
import { placeKey } from '../../../src/engine/orders/order-price.js'
import { coin, DENOMS, entry, PAIR, pairWorld } from '../../demo-chain/contracts/fin/pair-world.js'
import { execute, smartQuery, type World } from '../../support/contract-world.js'
import { ownerOrdersOf } from '../../support/order-world.js'
import { type Script, scripted } from './scripted.js'

const [BTC, USDC] = DENOMS

type OrdersMessage = {
  readonly owner: string
  readonly limit?: number
  readonly offset?: number
  readonly start_after?: readonly unknown[]
}

type Wire = { readonly side: string; readonly price: unknown }

/** How a version reads the members of an `orders` query. */
const dialects = {
  'offset, as 1.x': (message: OrdersMessage) => ({ ...message, start_after: undefined }),
  'start_after, as 2.x': (message: OrdersMessage) => ({ ...message, offset: undefined }),
  'offset, refusing unknown members': (message: OrdersMessage) =>
    'start_after' in message ? undefined : message,
  'start_after, refusing unknown members': (message: OrdersMessage) =>
    'offset' in message ? undefined : message,
  'no member but the first page': ({ owner, limit }: OrdersMessage) => ({
    owner,
    ...(limit !== undefined && { limit }),
  }),
} as const

/** A node with one pair in this state, whose `orders` query has the dialect. */
function scriptOf(world: World, state: Reader, dialect: keyof typeof dialects): Script {
  const all = (owner: string): readonly Wire[] =>
    ownerOrdersOf(world, state, PAIR, owner).orders.map(
      ({ side, price }) =>
        smartQuery(
          world,
          PAIR,
          { order: [owner, WIRE_SIDES[side], wirePrice(price)] },
          state,
        ) as Wire,
    )
  const page = (message: OrdersMessage): readonly Wire[] => {
    const { owner, limit = 10, offset = 0, start_after: after } = message
    const orders = all(owner)
    const at = after
      ? orders.findIndex(
          ({ side, price }) => JSON.stringify([owner, side, price]) === JSON.stringify(after),
        ) + 1
      : offset
    return orders.slice(at, at + Math.min(limit, 31))
  }
  return {
    smart: (_address, message) => {
      const { orders } = message as { orders?: OrdersMessage }
      if (orders === undefined) return JSON.stringify(smartQuery(world, PAIR, message, state))
      const read = dialects[dialect](orders)
      return read && JSON.stringify({ orders: page(read as OrdersMessage) })
    },
    storage: () =>
      [...state.keys(`wasm/${PAIR}`)].map((key) => ({
        key: Buffer.from(key, 'latin1'),
        value: finContract('1.1').raw!(key, state.get(`wasm/${PAIR}`, key)),
      })),
  }
}

/** A pair on which `a` has this many orders on either side, with fills, and `b` some others. */
function worldWith(count: number) {
  const world = pairWorld({ oracle: ['10', '1'] })
  const ladder = (side: 'base' | 'quote', first: number) =>
    Array.from({ length: count }, (_, i) =>
      entry(side, `${(first + (side === 'base' ? i : -i)) / 100}`, 1000n + BigInt(i)),
    )
  let state: Reader = world.start
  const send = (owner: string, entries: readonly unknown[]) => {
    const funds = [coin(10n ** 9n, BTC), coin(10n ** 9n, USDC)]
    state = execute(world, state, PAIR, { order: [entries, null] }, funds, owner).state
  }
  send('a', [...ladder('base', 1010), ...ladder('quote', 990), entry('quote', -300, 77n)])
  send('b', ladder('base', 1015))
  send('b', [entry('quote', '9.87', 5n), entry('quote', '9.87', 0n)])
  const swap = (amount: bigint, denom: string) => {
    state = execute(world, state, PAIR, { swap: {} }, [coin(amount, denom)], 'taker').state
  }
  swap(15_000n, USDC)
  swap(130n, BTC)
  return { world, state }
}

const keysOf = (orders: readonly Parameters<typeof placeKey>[0][]) => orders.map(placeKey).sort()

describe('the orders of an owner', () => {
  for (const dialect of Object.keys(dialects) as (keyof typeof dialects)[])
    test(`are read to the end where pages are requested by ${dialect}`, async () => {
      const { world, state } = worldWith(45)
      const orders = await readOrders(scripted(scriptOf(world, state, dialect)), PAIR, 'a')
      const known = ownerOrdersOf(world, state, PAIR, 'a').orders
      assert.equal(orders.length, 91)
      const plain = known.map(({ share: _share, ...order }) => order)
      assert.deepEqual(orders, plain)
    })

  test('beyond the largest offset are read from the storage', async () => {
    const { world, state } = worldWith(150)
    const script = scriptOf(world, state, 'offset, as 1.x')
    const limited: Script = {
      ...script,
      smart: (address, message) => {
        const { orders } = message as { orders?: OrdersMessage }
        return (orders?.offset ?? 0) > 255 ? undefined : script.smart?.(address, message)
      },
    }
    const orders = await readOrders(scripted(limited), PAIR, 'a')
    assert.equal(new Set(keysOf(orders)).size, 301)
  })

  test('are an empty list for an account without any', async () => {
    const { world, state } = worldWith(1)
    const ask = scripted(scriptOf(world, state, 'offset, as 1.x'))
    assert.deepEqual(await readOrders(ask, PAIR, 'c'), [])
  })

  test('that are another owner’s make the answer unreadable', async () => {
    const { world, state } = worldWith(1)
    const script = scriptOf(world, state, 'offset, as 1.x')
    const wrong: Script = {
      smart: (address) => script.smart?.(address, { orders: { owner: 'b', limit: 31 } }),
    }
    await assert.rejects(readOrders(scripted(wrong), PAIR, 'a'), Unreadable)
  })

  test('have the stored shares and the empty pools of a preview', async () => {
    const { world, state } = worldWith(5)
    const script = scriptOf(world, state, 'offset, as 1.x')
    const known = ownerOrdersOf(world, state, PAIR, 'a')
    const places = known.idlePools.map(({ side, price }) => ({ side, price }))
    const read = await readOwnerOrders(scripted(script), PAIR, 'a', places)
    const { oracle: _oracle, ...rest } = known
    const inPools = rest.idlePools.filter(({ product }) => product.mantissa !== 1n)
    assert.deepEqual(read, { orders: rest.orders, idlePools: inPools })
    assert.ok(rest.orders.some(({ filled }) => filled > 0n))
  })

  test('have no shares where the node refuses storage queries', async () => {
    const { world, state } = worldWith(5)
    const { smart } = scriptOf(world, state, 'offset, as 1.x')
    const read = await readOwnerOrders(scripted({ smart: smart! }), PAIR, 'a', [])
    assert.equal(read.orders.length, 11)
    assert.ok(read.orders.every(({ share }) => share === undefined))
    assert.deepEqual(read.idlePools, [])
  })

  test('have no share that does not agree with the answer of the pair', async () => {
    const { world, state } = worldWith(5)
    const script = scriptOf(world, state, 'offset, as 1.x')
    const later: Script = {
      ...script,
      storage: () =>
        script.storage!(PAIR).map(({ key, value }) => ({
          key,
          value: Buffer.from(`${Buffer.from(value)}`.replace('"amount":"77"', '"amount":"76"')),
        })),
    }
    const read = await readOwnerOrders(scripted(later), PAIR, 'a', [])
    assert.ok(read.orders.some(({ share }) => share === undefined))
    assert.ok(read.orders.some(({ share }) => share !== undefined))
  })
})
