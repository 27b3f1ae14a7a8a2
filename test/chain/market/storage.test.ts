import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { readPools } from '../../../src/chain/market/storage.js'
import { Unreadable } from '../../../src/chain/queries/query-batch.js'
import { formatDecimal } from '../../../src/engine/math/decimal.js'
import { runs } from '../../support/books.js'
import { readJson } from '../../support/vectors.js'
import { type Entry, scripted } from './scripted.js'

const PAIR = 'pair'

/** A recorded pair's storage as its node listed it, FIN 1.1 with forty orders. */
const recorded: readonly Entry[] = readJson<{ models: [string, string][] }>(
  'fin_storage.json',
).models.map(([key, value]) => ({ key: Buffer.from(key, 'hex'), value: Buffer.from(value) }))

const read = (entries: readonly Entry[], page?: number) =>
  readPools(scripted({ storage: () => entries, ...(page && { page }) }), PAIR)

const hex = (text: string): Uint8Array => Buffer.from(text, 'hex')
const namespaced = (namespace: string, side: number, price: bigint): Uint8Array =>
  Buffer.concat([
    Buffer.from([0, namespace.length]),
    Buffer.from(namespace),
    Buffer.from([0, 1, side, 0, 1, 0]),
    hex(price.toString(16).padStart(32, '0')),
  ])

const sorted = (entries: readonly Entry[]): readonly Entry[] =>
  entries.toSorted((a, b) => Buffer.compare(a.key, b.key))

/** The storage of pools of a side by price; those without a total are drained. */
const storageOf = (pools: readonly { side: number; price: bigint; total: bigint }[]) =>
  sorted(
    pools.flatMap(({ side, price, total }) => [
      ...(total > 0n
        ? [{ key: namespaced('pools', side, price), value: Buffer.from('null') }]
        : []),
      {
        key: namespaced('bid-pools', side, price),
        value: Buffer.from(
          JSON.stringify({ total: `${total}`, sum: ['0', 0], product: ['1', 0], epoch: 0 }),
        ),
      },
    ]),
  )

const isUnreadable = (pattern: RegExp) => (error: unknown) =>
  error instanceof Unreadable && pattern.test(error.message)

describe('the storage of a pair', () => {
  test('gives every pool of both sides of a recorded pair, with any size of page', async () => {
    const whole = await read(recorded)
    assert.equal(whole.length, 40)
    const sums = { base: 0n, quote: 0n }
    for (const { side, total } of whole) sums[side] += total
    const orders = recorded
      .filter(({ key }) => Buffer.from(key).subarray(2, 8).toString() === 'orders')
      .map(({ key, value }) => {
        const at = 8 + 2 + (key[9] ?? 0) + 2
        return { side: key[at] === 0 ? 'base' : 'quote', offer: JSON.parse(`${value}`)[1] }
      })
    for (const side of ['base', 'quote'] as const) {
      const offers = orders.filter((order) => order.side === side)
      assert.equal(
        sums[side],
        offers.reduce((sum, { offer }) => sum + BigInt(offer), 0n),
      )
    }
    for (const page of [1, 7, 39, 41]) assert.deepEqual(await read(recorded, page), whole)
  })

  test('gives every pool among drained ones, however many there are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.record({
            side: fc.constantFrom(0, 1),
            price: fc.bigInt(1n, 10n ** 36n),
            total: fc.oneof(fc.constant(0n), fc.bigInt(0n, (1n << 128n) - 1n)),
          }),
          { selector: ({ side, price }) => `${side}/${price}`, maxLength: 120 },
        ),
        fc.constantFrom(3, 10, 100),
        async (pools, page) => {
          const found = await read(storageOf(pools), page)
          const nonEmpty = pools.filter(({ total }) => total > 0n)
          assert.deepEqual(
            new Set(
              found.map(
                ({ side, price, total }) =>
                  `${side} ${'fixed' in price ? price.fixed : ''} ${total}`,
              ),
            ),
            new Set(
              nonEmpty.map(
                ({ side, price, total }) => `${side ? 'quote' : 'base'} ${price} ${total}`,
              ),
            ),
          )
        },
      ),
      runs(60),
    )
  })

  test('of a deep pair is read by skipping drained pools', async () => {
    const pools = Array.from({ length: 3000 }, (_, at) => ({
      side: 0,
      price: BigInt(at + 1) * 10n ** 15n,
      total: at % 600 === 0 ? 5n : 0n,
    }))
    const ask = scripted({ storage: () => storageOf(pools) })
    assert.equal((await readPools(ask, PAIR)).length, 5)
    assert.ok(ask.cost.queries <= 8, `${ask.cost.queries} queries`)
  })

  const one = storageOf([{ side: 0, price: 10n ** 18n, total: 7n }])
  const withValue = (json: string): readonly Entry[] =>
    one.map((entry) =>
      entry.value.toString() === 'null' ? entry : { ...entry, value: Buffer.from(json) },
    )

  test('has a fixed price as the eighteen digits of its key', async () => {
    const [pool] = await read(one)
    assert.ok(pool && 'fixed' in pool.price)
    assert.equal(formatDecimal(pool.price.fixed), '1')
    assert.equal(pool.total, 7n)
  })

  test('has an oracle price as a deviation in basis points', async () => {
    const key = (namespace: string, bps: string) =>
      Buffer.concat([
        Buffer.from([0, namespace.length]),
        Buffer.from(namespace),
        hex(`0001010001${'01'}${bps}`),
      ])
    const value = Buffer.from('{"total":"9","sum":["0",0],"product":["1",0],"epoch":1}')
    const entries = sorted(
      ['7ff1', '8015'].flatMap((bps) => [
        { key: key('pools', bps), value: Buffer.from('null') },
        { key: key('bid-pools', bps), value },
      ]),
    )
    const found = await read(entries)
    assert.deepEqual(
      found.map(({ side, price }) => [side, price]),
      [
        ['quote', { bps: -15 }],
        ['quote', { bps: 21 }],
      ],
    )
  })

  test('in an unknown layout is refused', async () => {
    const malformed: readonly (readonly [readonly Entry[], RegExp])[] = [
      [withValue('{"total":"7"}'), /sum/],
      [withValue('{"total":"-7","sum":["0",0],"product":["1",0]}'), /total/],
      [withValue('{"total":7,"sum":["0",0],"product":["1",0]}'), /total/],
      [withValue('{"total":"7","sum":["1e3",0],"product":["1",0]}'), /sum/],
      [withValue('{"total":"7","sum":["0",0],"product":["1",0.5]}'), /product/],
      [withValue('{"total":"0","sum":["0",0],"product":["1",0]}'), /empty pool/],
      [withValue('['), /JSON/],
      [one.filter(({ value }) => value.toString() === 'null'), /not stored/],
      [
        [{ key: hex('0005706f6f6c73000100000100'), value: Buffer.from('null') }, ...one],
        /unknown key|not stored/,
      ],
    ]
    for (const [entries, pattern] of malformed)
      await assert.rejects(read(entries), isUnreadable(pattern))
  })

  test('that is refused is distinguished from an empty one', async () => {
    await assert.rejects(readPools(scripted({}), PAIR), isUnreadable(/refused/))
    assert.deepEqual(await read([]), [])
  })

  test('that is listed backwards or repeatedly is not followed', async () => {
    const many = storageOf(
      [1n, 2n, 3n].map((price) => ({ side: 0, price: price * 10n ** 18n, total: 7n })),
    )
    const isListing = ({ value }: Entry) => value.toString() === 'null'
    const reversed = [
      ...many.filter(isListing).reverse(),
      ...many.filter((entry) => !isListing(entry)),
    ]
    await assert.rejects(read(reversed), isUnreadable(/order/))
    const twice = [...many.filter(isListing), ...many]
    await assert.rejects(read(twice), isUnreadable(/order/))
  })

  test('that gives other values than those asked for is not read without end', async () => {
    const prices = Array.from({ length: 40 }, (_, i) => BigInt(i + 1) * 10n ** 18n)
    const listed = storageOf(prices.map((price) => ({ side: 0, price, total: 7n }))).slice(0, 40)
    let asked = 0n
    const storage = () => {
      asked += 1n
      assert.ok(asked < 100n)
      return sorted([...listed, { key: namespaced('bid-pools', 1, asked), value: Buffer.alloc(0) }])
    }
    await assert.rejects(readPools(scripted({ storage }), PAIR), isUnreadable(/not stored/))
  })
})
