import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { ChainEvent } from '../../../../src/demo-chain/modules/contract.js'
import { execute, holdings, smartQuery, valuesOf } from '../../../support/contract-world.js'
import { must } from '../../../support/matching.js'
import { at, coin, DENOMS, entry, FEES, PAIR, pairWorld, pool } from './pair-world.js'

const [BTC, USDC] = DENOMS

const tradesOf = (events: readonly ChainEvent[]) =>
  events
    .filter(({ type }) => type === 'wasm-rujira-fin/trade')
    .map((event) => ['rate', 'offer', 'bid'].map((key) => valuesOf(event, key).join()).join(' '))

/** The payouts of several takers in a row on one state, and the trades of each. */
function swaps(
  world: ReturnType<typeof pairWorld>,
  offers: readonly (readonly [bigint, string])[],
) {
  let state = world.start
  return offers.map(([amount, denom], index) => {
    const taker = `taker-${index}`
    const done = execute(world, state, PAIR, { swap: {} }, [coin(amount, denom)], taker)
    state = done.state
    return { got: holdings(state, taker), trades: tradesOf(done.events) }
  })
}

describe("a case of the contract's public tests", () => {
  test(': a market of fixed and oracle orders serves three takers in a row', () => {
    const world = pairWorld({
      oracle: ['100100', '1.001'],
      pools: [
        pool('base', 0, 10_000n),
        pool('base', '100000', 10_000n),
        pool('base', '93317', 10_000n),
        pool('base', '93219', 21_000n),
        pool('base', '91219', 51_000n),
        pool('quote', -1000, 1_000_000_000n),
        pool('quote', '90000', 1_250_000_000n),
        pool('quote', '87900', 5_100_000_000n),
      ],
    })
    assert.deepEqual(
      swaps(world, [
        [100_000n, USDC],
        [30_000n, BTC],
        [100_000n, BTC],
      ]),
      [
        { got: { [BTC]: '1' }, trades: ['91219 100000 1'] },
        {
          got: { [USDC]: '2689587900' },
          trades: ['90000 24999 2250000000', '87900 5001 439587900'],
        },
        { got: { [BTC]: '46981', [USDC]: '4660412100' }, trades: ['87900 53019 4660412100'] },
      ],
    )
  })

  test(': an order pool, an oracle pool and a maker share a walk, and an order is claimed', () => {
    const orders = [
      { owner: 'a', side: 'quote' as const, price: at('99700.598'), offer: 50_000_000n },
      { owner: 'b', side: 'quote' as const, price: at('99600'), offer: 50_000_000n },
      { owner: 'c', side: 'quote' as const, price: { oracle: 0 }, offer: 50_000_000n },
    ]
    const world = pairWorld({
      tick: 8,
      feeTaker: must('0.015'),
      feeMaker: must('0.03'),
      oracle: ['100000', '1'],
      orders,
      makers: [{ address: 'mm', x: 20_000_000n, y: 2_000_000_000_000n, minQuote: 10_000n }],
    })
    const swapped = execute(world, world.start, PAIR, { swap: {} }, [coin(45_500n, BTC)])
    assert.deepEqual(tradesOf(swapped.events), [
      '100000 500 50000000',
      '99900.099 20000 1998001997',
      '99700.598 20521 2046005991',
      '99600 502 50000000',
      '99501.496 3977 395717451',
    ])
    assert.deepEqual(holdings(swapped.state, 'sender'), { [USDC]: '4471629557' })
    assert.deepEqual(holdings(swapped.state, FEES), { [USDC]: '68095882' })
    const third = swapped.events.filter(({ type }) => type === 'wasm-rujira-fin/trade')[2]
    assert.deepEqual(third && valuesOf(third, 'price'), [
      'fixed:99700.598',
      'mm:99700.598951048951048951',
    ])
    const claim = { order: [[entry('quote', '99600', null)], null] }
    const claimed = execute(world, swapped.state, PAIR, claim, [], 'b')
    assert.deepEqual(holdings(claimed.state, 'b'), { [BTC]: '486' })
    assert.equal(holdings(claimed.state, FEES)[BTC], '16')
  })

  test(': two takers see a maker move by what the first one took', () => {
    const world = pairWorld({
      tick: 8,
      feeTaker: must('0.015'),
      makers: [{ address: 'mm', x: 200_000_000n, y: 200_000_000_000n, minQuote: 10_000n }],
    })
    const book = smartQuery(world, PAIR, { book: { limit: 3 } })
    assert.deepEqual(book, {
      base: [
        { price: '1001.0061', total: '199799' },
        { price: '1003.0111', total: '199599' },
        { price: '1005.0161', total: '199400' },
      ],
      quote: [
        { price: '999.00099', total: '199800198' },
        { price: '997.00598', total: '199600598' },
        { price: '995.01496', total: '199400998' },
      ],
    })
    assert.deepEqual(
      swaps(world, [
        [100_000_000n, USDC],
        [500_000n, BTC],
      ]).map(({ got }) => got),
      [{ [BTC]: '98400' }, { [USDC]: '491713494' }],
    )
  })

  test(': an order that crosses a maker is matched before a swap, and the pair keeps the profit', () => {
    const world = pairWorld({
      pools: [pool('base', '998', 10_000n)],
      makers: [{ address: 'mm', x: 200_000_000n, y: 200_000_000_000n }],
    })
    const done = execute(world, world.start, PAIR, { swap: {} }, [coin(1_000_000n, USDC)])
    assert.equal(holdings(done.state, FEES)[USDC], '10009')
    const plain = pairWorld({
      pools: [pool('base', '1000', 500n), pool('quote', '1010', 202_000n)],
    })
    assert.deepEqual(swaps(plain, [[100n, BTC]])[0]?.got, { [BTC]: '100' })
    assert.deepEqual(swaps(plain, [[500_000n, USDC]])[0]?.got, { [BTC]: '298', [USDC]: '202000' })
    assert.deepEqual(smartQuery(plain, PAIR, { simulate: { denom: BTC, amount: '100' } }), {
      returned: '101000',
      fee: '0',
    })
  })

  test(': rounded prices let small orders match that show no cross', () => {
    const world = pairWorld({
      feeTaker: must('0.0015'),
      pools: [
        pool('base', '6', 61n),
        pool('quote', '5.55363', 32n),
        pool('quote', '5.49188', 1083n),
      ],
    })
    assert.deepEqual(smartQuery(world, PAIR, { simulate: { denom: BTC, amount: '202' } }), {
      returned: '1111',
      fee: '2',
    })
    assert.deepEqual(swaps(world, [[202n, BTC]])[0]?.got, { [BTC]: '5', [USDC]: '1081' })
  })

  test(': an offer just below a drain aborts in 1.1 and not in 1.0', () => {
    const pools = [pool('base', '1000', 600n)]
    const simulate = (version: '1.0' | '1.1', amount: string) =>
      smartQuery(pairWorld({ version, pools }), PAIR, { simulate: { denom: USDC, amount } })
    assert.deepEqual(simulate('1.1', '598999'), { returned: '598', fee: '0' })
    assert.deepEqual(simulate('1.1', '600000'), { returned: '600', fee: '0' })
    assert.deepEqual(simulate('1.0', '599000'), { returned: '599', fee: '0' })
    for (const amount of ['599000', '599999'])
      assert.throws(() => simulate('1.1', amount), {
        message:
          'Error calling the VM: Error executing Wasm: Wasmer runtime error: RuntimeError: Aborted: panicked: attempt to subtract with overflow: wasmvm error',
      })
  })

  test(': an arbitrage step in which nothing moves runs out of gas', () => {
    // One atomic of base against two makers with the same truncated rate: every share is rounded to zero.
    const makers = ['a', 'b'].map((address) => ({
      address,
      x: 200_000_000n,
      y: 200_000_000_000n,
    }))
    const world = pairWorld({ pools: [pool('base', '998', 1n)], makers })
    assert.throws(
      () => execute(world, world.start, PAIR, { arb: {} }, []),
      /^OutOfGas: out of gas in location: wasm contract; gasWanted: 2000000000/,
    )
    assert.ok(smartQuery(world, PAIR, { simulate: { denom: BTC, amount: '1000' } }))
  })
})
