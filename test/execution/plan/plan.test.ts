import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Market } from '../../../src/engine/market/market.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { expectedSwaps } from '../../../src/execution/plan/compare.js'
import { planOf } from '../../../src/execution/plan/plan.js'
import type { RequestedSwap, SwapTerms } from '../../../src/execution/task.js'
import { smallMarket } from '../../support/small-market.js'
import { account, legsIn, planned, quote, swapIn } from '../quote-documents.js'
import { slippageFlag, usualTerms } from '../stage.js'

/** Eight decimals. */
const units = (amount: number): bigint => BigInt(Math.round(amount * 1e8))
const level = (price: string, total: number) => ({ price, total: `${units(total)}` })

type Leg = readonly [amount: number, from: string, pairs: readonly string[], to: string]

/** The plan of legs that a person confirms, who takes almost any price. */
const planIn = (
  market: Market,
  legs: readonly Leg[],
  terms: Partial<SwapTerms> = {},
  quoted?: bigint,
) =>
  planOf(
    { market, graph: graphOf(market) },
    {
      requested: {
        quoteId: null,
        isExternal: false,
        legs: legs.map(([amount, from, pairs, to]) => ({
          funds: { denom: from, amount: units(amount) },
          pairs,
          output: to,
          quoted,
          least: 1n,
        })),
      } as unknown as RequestedSwap,
      account,
      terms: {
        ...usualTerms,
        ...slippageFlag(9_000),
        unattended: false,
        maxImpactBps: 10_000,
        ...terms,
      },
    },
  )

/** One dollar for `a` and two for `b`, whose common book has no asks. */
const pairs = {
  'a/usd': { base: [level('1.1', 100)], quote: [level('0.9', 90)] },
  'b/usd': { base: [level('2.1', 100)], quote: [level('1.9', 190)] },
  'a/b': { quote: [level('0.4', 4), level('0.3', 30)] },
  'a/c': { quote: [level('1', 100)] },
  'c/a': { quote: [level('0.9', 100)] },
}
const market = { ...smallMarket(pairs, { dialect: 'stack' }), usd: 'usd' }
const unpriced = { ...market, usd: undefined }

describe('the price impact of a plan', () => {
  const overBook: Leg = [10, 'a', ['a/b'], 'b']
  const loop: Leg = [10, 'a', ['a/c', 'c/a'], 'a']
  const pricedLoop: Leg = [10, 'a', ['a/usd', 'a/usd'], 'a']
  const rows: readonly (readonly [string, Market, readonly Leg[], number | null | undefined])[] = [
    ['over a book without a mid price is the loss in dollars', market, [overBook], 2_000],
    ['of two legs is the loss of both', market, [overBook, overBook], 3_000],
    ['without any price is refused', unpriced, [overBook], undefined],
    ['of a loop without a price is not limited', unpriced, [loop], null],
    ['of a loop over books with mid prices is theirs', unpriced, [pricedLoop], 1_818.18],
  ]
  for (const [what, of, legs, bps] of rows)
    test(`${what}: ${bps}`, async () => {
      const limited = (maxImpactBps: number) => planIn(of, legs, { maxImpactBps })
      const refused = { code: 'PRICE_IMPACT_TOO_HIGH' }
      if (bps === undefined) return assert.rejects(limited(10_000), refused)
      assert.equal((await limited(bps ?? 0)).impactBps, bps)
      if (bps !== null) await assert.rejects(limited(bps - 0.01), refused)
    })
})

describe('a leg', () => {
  const deep = async (...legs: readonly Leg[]) =>
    (await planIn(market, legs)).legs.map(({ isDeep }) => isDeep)

  test('is deep from 80 % of a side of a book on, for all legs together', async () => {
    const sold = (amount: number): Leg => [amount, 'a', ['a/usd'], 'usd']
    assert.deepEqual(await deep(sold(80)), [true])
    assert.deepEqual(await deep(sold(79.98)), [false])
    assert.deepEqual(await deep(sold(40), sold(40)), [true, true])
    assert.deepEqual(await deep(sold(40), sold(39.98)), [false, false])
    assert.deepEqual(await deep([60, 'a', ['a/usd', 'a/usd'], 'a']), [false])
    assert.deepEqual(await deep([50, 'b', ['b/usd', 'a/usd'], 'a']), [true])
  })

  const rows: readonly (readonly [string, Leg, object | undefined])[] = [
    [
      'one atomic',
      [100.00000001, 'a', ['a/usd'], 'usd'],
      { pair: 'a/usd', unsold: '1', height: 1 },
    ],
    [
      'coins of a later hop',
      [100, 'b', ['b/usd', 'a/usd'], 'a'],
      { pair: 'a/usd', unsold: '8000000000', height: 1 },
    ],
    ['coins that the loop itself pays out', [101, 'a', ['a/usd', 'a/usd'], 'a'], undefined],
  ]
  for (const [what, leg, members] of rows)
    test(`that leaves ${what} unsold is ${members ? 'refused' : 'planned'}`, async () => {
      const plan = planIn(market, [leg])
      if (members === undefined) await plan
      else await assert.rejects(plan, { code: 'INSUFFICIENT_LIQUIDITY', members })
    })

  test('over two pairs has the message that signed bytes are compared with', async () => {
    const plan = await planIn(market, [[1, 'b', ['b/usd', 'a/usd'], 'a']])
    const [call] = expectedSwaps(plan, [0], account.address)
    assert.equal(call?.message, JSON.stringify(plan.legs[0]!.message))
  })

  test('has the output of its quote beside that by the books, which stands for it where there is none', async () => {
    const sold: Leg = [1, 'a', ['a/usd'], 'usd']
    for (const quoted of [7n, undefined]) {
      const [leg] = (await planIn(market, [sold], {}, quoted)).legs
      assert.deepEqual([leg!.quoted, leg!.expected], [quoted ?? units(0.9), units(0.9)])
    }
  })

  test('over a pair that is not open any more is refused as halted', async () => {
    const books = new Map([...market.books].filter(([address]) => address !== 'a/usd'))
    await assert.rejects(planIn({ ...market, books }, [[1, 'a', ['a/usd'], 'usd']]), {
      code: 'MARKET_HALTED',
      members: { pair: 'a/usd' },
    })
  })
})

describe('whom a quote document pays', () => {
  const own = account.address
  const other = 'demo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx'
  const rows = [
    [undefined, undefined, own],
    [undefined, own, own],
    [undefined, other, other],
    [own, undefined, own],
    [own, other, undefined],
    [other, undefined, undefined],
    [other, own, undefined],
    [other, other, other],
  ] as const
  const nameOf = (address?: string) =>
    address === own ? 'the signer' : address === other ? 'another account' : 'nothing'
  for (const [recipient, to, paid] of rows)
    test(`that names ${nameOf(recipient)}, with ${nameOf(to)} as --to: ${nameOf(paid)}`, async () => {
      const doc = structuredClone(quote)
      if (recipient) for (const [i] of legsIn(doc).entries()) swapIn(doc, i).recipient = recipient
      const plan = planned(doc, { to })
      if (paid === undefined)
        return assert.rejects(plan, { code: 'QUOTE_MISMATCH', members: { recipient } })
      const { legs } = await plan
      assert.equal((await plan).recipient, paid)
      for (const { message } of legs)
        assert.equal(message.swap.recipient, paid === own ? undefined : paid)
    })

  test('is an account of the chain', async () => {
    await assert.rejects(planned(quote, { to: 'cosmos1other' }), { code: 'INVALID_ADDRESS' })
  })

  test('is no affiliate that the command does not name', async () => {
    const doc = structuredClone(quote)
    for (const [i] of legsIn(doc).entries()) swapIn(doc, i).affiliate_code = 'x'.repeat(61)
    const message = `the quote pays a fee to "${'x'.repeat(60)}"`
    await assert.rejects(planned(doc), {
      code: 'INVALID_AFFILIATE',
      message,
      members: { pointer: '/affiliate' },
    })
  })
})
