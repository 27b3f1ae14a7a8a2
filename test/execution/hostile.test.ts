import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demoSnapshot } from '../../src/demo-chain/market/snapshot.js'
import { graphOf } from '../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../src/engine/snapshot/decode.js'
import { type Plan, planOf } from '../../src/execution/plan/plan.js'
import { requestedSwapOf } from '../../src/execution/plan/read-quote.js'
import type { SwapTerms } from '../../src/execution/task.js'
import { arbroute } from '../../src/operations/arbitrage/arbroute.js'
import { readArbrouteRequest } from '../../src/operations/arbitrage/requests.js'
import { stringify } from '../../src/operations/json.js'
import { openOnce } from '../../src/operations/open-once.js'
import { sroute } from '../../src/operations/split/split.js'
import { accountNamed, btc, rune, slippageFlag, usdc, usualTerms } from './stage.js'

// biome-ignore lint/suspicious/noExplicitAny: a hostile document has any shape
type Doc = any

const market = decodeSnapshot(demoSnapshot(1), 'the demo market')
const venue = { market, graph: graphOf(market) }
const app = openOnce(async () => market)
const account = await accountNamed('demo')

const quoteOf = async (input: string, output: string, amount: bigint): Promise<Doc> =>
  JSON.parse(
    stringify(
      await sroute(app, {
        input: { denom: input, amount: `${amount}` },
        output: { denom: output },
        limit: 1,
      }),
    ),
  )

const [quote, toBtc, fromBtc, small] = await Promise.all([
  quoteOf(rune, usdc, 2n * 10n ** 13n),
  quoteOf(rune, btc, 10n ** 10n),
  quoteOf(btc, usdc, 10n ** 6n),
  quoteOf(rune, usdc, 10n ** 10n),
])
assert.ok(quote.routes[0].legs.length > 1)

/** What a document makes the program sign, without a person. */
const planned = async (document: Doc, terms: Partial<SwapTerms> = {}): Promise<Plan> =>
  planOf(venue, {
    requested: requestedSwapOf(document, market, 'q_00000000'),
    account,
    terms: { ...usualTerms, ...terms },
  })

const legsIn = (doc: Doc): Doc[] => doc.routes[0].legs
const swapIn = (doc: Doc, leg = 0): Doc => legsIn(doc)[leg].tx.swap
const sum = (legs: readonly Doc[], of: (leg: Doc) => string): string =>
  `${legs.reduce((total, leg) => total + BigInt(of(leg)), 0n)}`
/** The members that repeat sums of the legs, made consistent with them again. */
function resum(doc: Doc): void {
  const legs = legsIn(doc)
  doc.input.amount = sum(legs, (leg) => leg.funds.amount)
  doc.routes[0].expected_output = sum(legs, (leg) => leg.expected_output)
  doc.routes[0].min_return = sum(legs, (leg) => leg.min_return)
}
/** Gives a leg another minimum, everywhere that the document says it. */
function demand(doc: Doc, leg: number, amount: string): void {
  swapIn(doc, leg).min_return.amount = amount
  legsIn(doc)[leg].min_return = amount
}

const lies: readonly (readonly [what: string, change: (doc: Doc) => void])[] = [
  ['a second leg that buys another token', (doc) => legsIn(doc).splice(1, 1, legsIn(toBtc)[0])],
  [
    'a second leg that buys another token, with the sums made to fit',
    (doc) => {
      legsIn(doc).splice(1, 9, legsIn(toBtc)[0])
      resum(doc)
    },
  ],
  [
    'a second leg that sells another token, with the sums made to fit',
    (doc) => {
      legsIn(doc).splice(1, 9, legsIn(fromBtc)[0])
      resum(doc)
    },
  ],
  [
    'legs of two trades and nothing else said about them',
    (doc) => {
      legsIn(doc).splice(1, 9, legsIn(toBtc)[0])
      doc.routes[0] = { legs: legsIn(doc).map(({ tx, funds }) => ({ tx, funds })) }
      delete doc.input
      delete doc.output
    },
  ],
  [
    'another output than its legs buy',
    (doc) => {
      doc.output.denom = btc
    },
  ],
  [
    'another input than its legs sell',
    (doc) => {
      doc.input.denom = btc
    },
  ],
  [
    'a smaller input than its legs sell',
    (doc) => {
      doc.input.amount = '1'
    },
  ],
  [
    'a higher minimum than its legs demand',
    (doc) => {
      doc.routes[0].min_return = `${BigInt(doc.routes[0].min_return) * 2n}`
    },
  ],
  [
    'another expected output than its legs have',
    (doc) => {
      doc.routes[0].expected_output = `${BigInt(doc.routes[0].expected_output) * 2n}`
    },
  ],
  [
    'a leg whose minimum is not that of its message',
    (doc) => {
      swapIn(doc).min_return.amount = '1'
    },
  ],
  [
    'a leg that promises less than its minimum',
    (doc) => {
      legsIn(doc)[0].expected_output = '1'
      resum(doc)
    },
  ],
  [
    'a leg whose path begins elsewhere',
    (doc) => {
      legsIn(doc)[0].path[0] = btc
    },
  ],
  [
    'a leg whose path ends elsewhere',
    (doc) => {
      legsIn(doc)[0].path.push(btc)
    },
  ],
  [
    'a stage that names another denom than its pair trades',
    (doc) => {
      swapIn(doc).stages[0].denom = 'tcy'
    },
  ],
  [
    'a last stage that names another denom than the leg buys',
    (doc) => {
      swapIn(doc).stages.at(-1).denom = btc
    },
  ],
  [
    'a minimum in another denom',
    (doc) => {
      swapIn(doc).min_return.denom = btc
    },
  ],
  ['a leg with its last stage left out', (doc) => swapIn(doc).stages.pop()],
  ['a leg with a stage twice', (doc) => swapIn(doc).stages.push(swapIn(doc).stages[0])],
  [
    'another contract as a pair',
    (doc) => {
      swapIn(doc).stages[0].address = account.address
    },
  ],
  [
    'the chain id of another network',
    (doc) => {
      doc.chain_id = 'other-1'
    },
  ],
  [
    'a recipient of its own',
    (doc) => {
      for (const [i] of legsIn(doc).entries()) swapIn(doc, i).recipient = `${account.address}x`
    },
  ],
]

describe('a hostile quote document', () => {
  for (const [what, change] of lies)
    test(`with ${what} is refused`, async () => {
      const doc = structuredClone(quote)
      change(doc)
      await assert.rejects(planned(doc), { code: 'QUOTE_MISMATCH' })
    })

  test('names the leg that does not belong to the trade', async () => {
    const doc = structuredClone(quote)
    legsIn(doc).splice(1, 9, legsIn(toBtc)[0])
    resum(doc)
    await assert.rejects(planned(doc), { why: /^leg 2 sells rune for btc-btc; leg 1 sells rune/ })
  })
})

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
const [configured, flag] = [20, 500]

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

  test('may have a higher minimum than ours', async () => {
    const doc = structuredClone(quote)
    for (const [i, { expected_output }] of legsIn(doc).entries()) demand(doc, i, expected_output)
    resum(doc)
    const plan = await planned(doc, slippageFlag(500))
    assert.equal(leastOf(plan), BigInt(quote.routes[0].expected_output))
  })

  test('is refused if it promises more than the market pays now', async () => {
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

describe('a quote document before a person', () => {
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

describe('an honest quote document', () => {
  test('is planned as it was quoted', async () => {
    const plan = await planned(quote)
    assert.deepEqual(
      plan.legs.map(({ expected }) => `${expected}`),
      legsIn(quote).map(({ expected_output }) => expected_output),
    )
  })

  test('of an arbitrage loop is planned as quoted', async () => {
    const capital = { input: { denom: usdc, amount: '10000000000000' } }
    const circles = JSON.parse(stringify(await arbroute(app, readArbrouteRequest(capital))))
    const { executions } = circles.steps[0]
    const plan = await planned({ ...circles, steps: [{ executions }] })
    assert.deepEqual(
      plan.legs.map(({ expected }) => `${expected}`),
      executions.map(({ output }: Doc) => output.amount),
    )
  })
})
