import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demoSnapshot } from '../../src/demo-chain/market/snapshot.js'
import { graphOf } from '../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../src/engine/snapshot/decode.js'
import type { Terms } from '../../src/execution/order.js'
import { type Plan, planOf } from '../../src/execution/plan/plan.js'
import { wantedOf } from '../../src/execution/plan/read-quote.js'
import { arbroute } from '../../src/operations/arbitrage/arbroute.js'
import { readArbrouteRequest } from '../../src/operations/arbitrage/requests.js'
import { stringify } from '../../src/operations/json.js'
import { venueOf } from '../../src/operations/open-market.js'
import { sroute } from '../../src/operations/split/split.js'
import { accountNamed, btc, rune, usdc, usualTerms } from './stage.js'

// biome-ignore lint/suspicious/noExplicitAny: a hostile document has any shape
type Doc = any

const market = decodeSnapshot(demoSnapshot(1), 'the demo market')
const venue = { market, graph: graphOf(market) }
const app = venueOf(async () => market)
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

const [quote, toBtc, fromBtc] = await Promise.all([
  quoteOf(rune, usdc, 2n * 10n ** 13n),
  quoteOf(rune, btc, 10n ** 10n),
  quoteOf(btc, usdc, 10n ** 6n),
])
assert.ok(quote.routes[0].legs.length > 1)

/** What a document makes the program sign, without a person. */
const planned = async (document: Doc, terms: Partial<Terms> = {}): Promise<Plan> =>
  planOf(venue, {
    wanted: wantedOf(document, market, 'q_00000000'),
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

describe('an honest quote document', () => {
  test('is planned as it was quoted', async () => {
    const plan = await planned(quote)
    assert.deepEqual(
      plan.legs.map(({ expected }) => `${expected}`),
      legsIn(quote).map(({ expected_output }) => expected_output),
    )
  })

  test('of arbitrage circles is planned as it was quoted', async () => {
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
