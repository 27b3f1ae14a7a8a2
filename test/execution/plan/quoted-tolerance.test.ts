import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Plan } from '../../../src/execution/plan/plan.js'
import type { SwapTerms } from '../../../src/execution/task.js'
import { arbroute } from '../../../src/operations/arbitrage/arbroute.js'
import {
  app,
  type Doc,
  demand,
  legsIn,
  planned,
  quote,
  quoteOf,
  resum,
  small,
  toBtc,
} from '../quote-documents.js'
import { btc, rune, slippageFlag, usdc, usualTerms } from '../stage.js'

/** Documents that say nothing wrong, and would have the user paid less. */
const loose: readonly (readonly [what: string, change: (doc: Doc) => void])[] = [
  [
    'a tolerance of 99.99 % and minimums of 1',
    (doc) => {
      doc.slippage_bps = 9999
      for (const [i] of legsIn(doc).entries()) demand(doc, i, '1')
      resum(doc)
    },
  ],
  [
    'minimums of 1 and no promise',
    (doc) => {
      for (const [i, leg] of legsIn(doc).entries()) {
        demand(doc, i, '1')
        delete leg.expected_output
      }
      delete doc.routes[0].expected_output
      doc.routes[0].min_return = `${legsIn(doc).length}`
    },
  ],
  [
    'no tolerance and a promise as low as its minimums',
    (doc) => {
      delete doc.slippage_bps
      for (const [i, leg] of legsIn(doc).entries()) {
        demand(doc, i, '1')
        leg.expected_output = '1'
      }
      resum(doc)
    },
  ],
  [
    'an output of one leg only',
    (doc) => {
      delete legsIn(doc)[0].expected_output
    },
  ],
  [
    'members that the program does not know',
    (doc) => {
      doc.min_out = '1'
      doc.routes[0].tolerance = 1
    },
  ],
]

/** What a quote of our own demands of all legs together, in atomics. */
const due = (bps: bigint): bigint =>
  (BigInt(quote.routes[0].expected_output) * (10_000n - bps)) / 10_000n
const leastOf = ({ legs }: Plan): bigint => legs.reduce((total, { least }) => total + least, 0n)
const configured = 20
const flag = 500

describe('a quote document without a person at the terminal', () => {
  for (const [what, change] of loose)
    test(`with ${what} does not lower the minimum`, async () => {
      const doc = structuredClone(quote)
      change(doc)
      for (const slippage of [
        { ...usualTerms.slippage, configured },
        { ...usualTerms.slippage, configured, flag },
        { ...usualTerms.slippage, configured: flag, flag: configured },
      ]) {
        const plan = await planned(doc, { slippage })
        assert.ok(leastOf(plan) >= due(BigInt(configured)), `${leastOf(plan)}`)
        for (const { least, expected } of plan.legs)
          assert.ok(least >= (expected * 9_980n) / 10_000n)
      }
    })

  test('may have a higher minimum than the computed one', async () => {
    const doc = structuredClone(quote)
    for (const [i, { expected_output }] of legsIn(doc).entries()) demand(doc, i, expected_output)
    resum(doc)
    for (const bps of [500, 10])
      assert.equal(
        leastOf(await planned(doc, slippageFlag(bps))),
        BigInt(quote.routes[0].expected_output),
      )
    const own = await planned(doc, { unattended: false })
    assert.equal(leastOf(own), BigInt(quote.routes[0].expected_output))
    // Only a promised output replaces the minimum of a person's quote.
    const person = { ...slippageFlag(500), unattended: false }
    assert.ok(leastOf(await planned(doc, person)) < BigInt(quote.routes[0].expected_output))
    for (const leg of [...legsIn(doc), doc.routes[0]]) delete leg.expected_output
    assert.equal(leastOf(await planned(doc, person)), BigInt(quote.routes[0].expected_output))
  })

  test('is refused if its output is above what the market pays now', async () => {
    const doc = structuredClone(quote)
    for (const leg of legsIn(doc)) leg.expected_output = `${BigInt(leg.expected_output) * 2n}`
    resum(doc)
    await assert.rejects(planned(doc), { code: 'SLIPPAGE_EXCEEDED' })
  })

  test('is refused if its paths are worse than those of a new quote', async () => {
    // All of a large amount over the path that is best for a small one.
    const doc = structuredClone(small)
    const [leg] = legsIn(doc)
    leg.funds.amount = quote.input.amount
    delete leg.expected_output
    demand(doc, 0, '1')
    delete doc.routes[0].expected_output
    doc.routes[0].min_return = '1'
    doc.input.amount = quote.input.amount
    const careless = { maxImpactBps: 10_000 }
    await assert.rejects(planned(doc, careless), {
      code: 'SLIPPAGE_EXCEEDED',
      message: 'the quote pays less than a quote of our own',
      hint: /as a split: swap sroute/,
      httpHint: /as a split: POST \/swap\/sroute/,
    })
    await assert.doesNotReject(planned(doc, { ...careless, unattended: false }))
  })

  test('of a loop has to return its input', async () => {
    const there = legsIn(toBtc)[0]
    const [{ address }] = there.tx.swap.stages
    const stages = [
      { address, denom: btc },
      { address, denom: rune },
    ]
    const least = { denom: rune, amount: '1' }
    const circle = { funds: there.funds, tx: { swap: { stages, min_return: least } } }
    const doc = { ...small, routes: [{ legs: [circle] }] }
    delete doc.output
    const terms = { ...slippageFlag(9_999), maxImpactBps: 10_000 }
    await assert.rejects(planned(doc, terms), { code: 'SLIPPAGE_EXCEEDED' })
  })
})

describe('a quote document with a person at the terminal', () => {
  test('is planned with the tolerance of the flag, then its own, then the configured one', async () => {
    const slippage = { flag: 300, configured: 20, builtIn: 50 }
    const person = { unattended: false }
    const bare = structuredClone(quote)
    delete bare.slippage_bps
    const of = async (doc: Doc, terms: Partial<SwapTerms>) =>
      (await planned(doc, { ...person, ...terms })).tolerance
    const unset = { ...slippage, flag: undefined }
    const none = { ...unset, configured: undefined }
    assert.deepEqual(await of(quote, { slippage }), { bps: 300, source: '--slippage' })
    assert.deepEqual(await of(quote, { slippage: unset }), { bps: 50, source: 'quote' })
    assert.deepEqual(await of(bare, { slippage: unset }), { bps: 20, source: 'configuration' })
    assert.deepEqual(await of(bare, { slippage: none }), { bps: 50, source: 'default' })
  })
})

describe('an unchanged quote document', () => {
  test('is planned with its price impact, which is limited, and with exactly the minimum asked for', async () => {
    const { impactBps } = await planned(quote)
    assert.equal(impactBps, quote.routes[0].price_impact_bps)
    await assert.rejects(planned(quote, { maxImpactBps: Math.floor(impactBps!) }), {
      code: 'PRICE_IMPACT_TOO_HIGH',
    })
    const minOut = due(50n) + 2n
    assert.equal(leastOf(await planned(quote, { minOut })), minOut)
    await assert.rejects(planned(quote, { minOut: due(0n) + 1n }), {
      code: 'ASSERTION_FAILED',
      members: { limit: `${due(0n) + 1n}`, actual: `${due(0n)}` },
    })
    assert.equal(leastOf(await planned(quote, slippageFlag(0))), due(0n))
  })

  test('is planned as it was quoted', async () => {
    const plan = await planned(quote)
    assert.deepEqual(
      plan.legs.map(({ expected }) => `${expected}`),
      legsIn(quote).map(({ expected_output }) => expected_output),
    )
  })

  test('with an affiliate is planned as it was quoted, and compared with a quote that has it too', async () => {
    const { market } = await app.openMarket()
    const [affiliate] = market.router.affiliates.keys()
    const doc = await quoteOf(rune, usdc, 10n ** 10n, affiliate)
    assert.ok(BigInt(doc.routes[0].expected_output) < BigInt(small.routes[0].expected_output))
    const plan = await planned(doc, { ...slippageFlag(0), affiliate })
    assert.equal(leastOf(plan), BigInt(doc.routes[0].expected_output))
    assert.equal(plan.affiliate, affiliate)
    // The command may name one where the quote has none.
    const person = { ...slippageFlag(500), unattended: false }
    for (const { legs } of [plan, await planned(small, { ...person, affiliate })])
      assert.deepEqual(
        legs.map(({ message }) => message.swap.affiliate_code),
        [affiliate],
      )
  })

  test('with two legs over the same books is planned with what the first one leaves', async () => {
    const doc = structuredClone(quote)
    doc.routes[0].legs = [legsIn(quote)[0], legsIn(quote)[0]]
    resum(doc)
    const careless = { ...slippageFlag(5_000), maxImpactBps: 10_000, unattended: false }
    const [first, second] = (await planned(doc, careless)).legs
    assert.ok(second!.expected < first!.expected)
  })

  test('of an arbitrage loop is planned as quoted, and refused if its output is above what the market pays', async () => {
    const capital = { input: { denom: usdc, amount: '10000000000000' } }
    const circles = JSON.parse(JSON.stringify(await arbroute(app, capital)))
    const { executions } = circles.steps[0]
    const plan = await planned({ ...circles, steps: [{ executions }] })
    assert.deepEqual(
      plan.legs.map(({ expected }) => `${expected}`),
      executions.map(({ output }: Doc) => output.amount),
    )
    for (const { output } of executions) output.amount = `${BigInt(output.amount) * 2n}`
    await assert.rejects(planned({ ...circles, steps: [{ executions }] }), {
      code: 'SLIPPAGE_EXCEEDED',
    })
  })
})
