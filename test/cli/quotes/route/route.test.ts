import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { renderRoutePlain } from '../../../../src/cli/quotes/pipe-fields.js'
import { renderRoute } from '../../../../src/cli/quotes/route/render-route.js'
import {
  context,
  quoted,
  stored,
  terminal,
  usdcBase,
  verbose,
  withBest,
} from '../../../render/documents.js'

const answer = await quoted()
const best = answer.routes[0]!

const exactOut = await quoted({
  input: { denom: 'eth-eth' },
  output: { denom: usdcBase, amount: '200000000000' },
  affiliate: 'acme',
})

describe('a quote on a terminal', () => {
  test('of 40 columns is stacked', () =>
    assert.equal(
      renderRoute(answer, stored, terminal(40)),
      `\
1.5 BTC ($117,909) → RUNE · best single
route
demo · block 120
You get     226,879.60 RUNE ($114,986)
At least    225,745.20 RUNE ($114,411)
Slippage    0.50 %
Cost        2.48 % = impact 2.09
            + venues 0.29
            + protocol 0.10 ($2,922)
Price       151,253.06 RUNE per BTC
Or          0.0000066114361 BTC per RUNE
Path        BTC → USDC → RUNE
Hint        notable impact at fin
            btc/usdc: swap sroute or a
            smaller amount gets a better
            price
Quote       q_7f3a91c2 (30 s)
            more: -v, --explain, --json`,
    ))

  test('of 60 columns has a rule and the chain of venues, and wraps', () =>
    assert.equal(
      renderRoute(answer, stored, terminal(60)),
      `\
1.5 BTC ($117,909) → RUNE · best single route
demo · block 120
────────────────────────────────────────────────────────────
  You get     226,879.60 RUNE ($114,986)
  At least    225,745.20 RUNE ($114,411)   slippage 0.50 %
  Cost        2.48 % = impact 2.09 + venues 0.29
              + protocol 0.10 ($2,922)
  Price       151,253.06 RUNE per BTC
              or 0.0000066114361 BTC per RUNE

  BTC ── fin btc/usdc ──▶ USDC ── fin rune/usdc ──▶ RUNE

  Hint        notable impact at fin btc/usdc: swap sroute or
              a smaller amount gets a better price
  Quote       q_7f3a91c2 (30 s)
              more: -v, --explain, --json`,
    ))

  test('of 80 columns in ASCII keeps its columns', () =>
    assert.equal(
      renderRoute(answer, stored, terminal(80, { ascii: true })),
      `\
1.5 BTC ($117,909) -> RUNE - best single route                  demo - block 120
--------------------------------------------------------------------------------
  You get     226,879.60 RUNE ($114,986)
  At least    225,745.20 RUNE ($114,411)   slippage 0.50 %
  Cost        2.48 % = impact 2.09 + venues 0.29 + protocol 0.10 ($2,922)
  Price       151,253.06 RUNE per BTC      or 0.0000066114361 BTC per RUNE

  BTC -- fin btc/usdc --> USDC -- fin rune/usdc --> RUNE

  Hint        notable impact at fin btc/usdc: swap sroute or a smaller amount
              gets a better price
  Quote       q_7f3a91c2 (30 s)   more: -v, --explain, --json`,
    ))

  test('of 120 columns has heavier lines, verbose also a table of hops', () =>
    assert.equal(
      renderRoute(answer, verbose, terminal(120)),
      `\
1.5 BTC ($117,909) → RUNE · best single route                                                           demo · block 120
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  You get     226,879.60 RUNE ($114,986)   impact 2.09 % ▅ notable
  At least    225,745.20 RUNE ($114,411)   slippage 0.50 %
  Cost        2.48 % = impact 2.09 + venues 0.29 + protocol 0.10 ($2,922)
  Price       151,253.06 RUNE per BTC      or 0.0000066114361 BTC per RUNE
  Mid         155,097.80 RUNE per BTC

  BTC ━━━━ fin btc/usdc ━━━━▶ USDC ━━━━ fin rune/usdc ━━━━▶ RUNE

  HOP  VENUE                       IN              OUT  IMPACT             FEE  LEVELS  DEPTH USED
  1    fin btc/usdc           1.5 BTC  116,334.26 USDC  1.19 %  174.76354 USDC      18     16.57 %
  2    fin rune/usdc  116,334.26 USDC  227,106.70 RUNE  0.91 %  341.17182 RUNE      11     31.36 %

  OTHER ROUTES                         OUT      GAP  IMPACT
  BTC → RUNE               225,954.09 RUNE  -0.41 %  1.44 % ▅ notable
  BTC → ETH → USDC → RUNE  219,854.77 RUNE  -3.10 %  4.64 % ▇ high

  Fees        venues 174.76354 USDC + 341.17182 RUNE; protocol 227.1067 RUNE (0.10 %); affiliate 0
  Hint        notable impact at fin btc/usdc: swap sroute or a smaller amount gets a better price
  Left out    2 pairs at this block; see: swap snapshot show
  Quote       q_7f3a91c2 (30 s)   more: --explain, --json`,
    ))

  test('that is verbose has mid price, other routes, fees and what is left out', () =>
    assert.equal(
      renderRoute(answer, verbose, terminal(80)),
      `\
1.5 BTC ($117,909) → RUNE · best single route                   demo · block 120
────────────────────────────────────────────────────────────────────────────────
  You get     226,879.60 RUNE ($114,986)   impact 2.09 % ▅ notable
  At least    225,745.20 RUNE ($114,411)   slippage 0.50 %
  Cost        2.48 % = impact 2.09 + venues 0.29 + protocol 0.10 ($2,922)
  Price       151,253.06 RUNE per BTC      or 0.0000066114361 BTC per RUNE
  Mid         155,097.80 RUNE per BTC

  BTC ── fin btc/usdc ──▶ USDC ── fin rune/usdc ──▶ RUNE

  Other routes
    BTC → RUNE               225,954.09 RUNE  -0.41 %
    BTC → ETH → USDC → RUNE  219,854.77 RUNE  -3.10 %

  Fees        venues 174.76354 USDC + 341.17182 RUNE;
              protocol 227.1067 RUNE (0.10 %); affiliate 0
  Hint        notable impact at fin btc/usdc: swap sroute or a smaller amount
              gets a better price
  Left out    2 pairs at this block; see: swap snapshot show
  Quote       q_7f3a91c2 (30 s)   more: --explain, --json`,
    ))

  test('for an exact output rounds what is paid up', async () => {
    const rune = await quoted({
      input: { denom: 'rune' },
      output: { denom: usdcBase, amount: '200000000000' },
    })
    const paid = [rune.input, ...rune.routes.slice(1, 3).map(({ funds }) => funds)]
    assert.deepEqual(
      paid.map(({ amount }) => amount),
      ['396181246393', '399652053747', '399780155306'],
    )
    const screen = renderRoute(rune, { ...context, verbose: true }, terminal(80))
    assert.match(screen, /You pay +3,961\.82 RUNE.* 3,996\.53 RUNE.* 3,997\.81 RUNE/s)
  })

  test('rounds the amount of its title up', async () => {
    const input = { denom: 'rune', amount: '10012345678' }
    const quote = await quoted({ input, output: { denom: usdcBase } })
    assert.match(renderRoute(quote, context, terminal(80)), /^100\.12346 RUNE/)
  })

  test('for an exact output says what is paid, and calls namesakes by their chain', () =>
    assert.equal(
      renderRoute(exactOut, { ...context, verbose: true }, terminal(80)),
      `\
at least 2,000 USDC.base for ETH · best single route            demo · block 120
────────────────────────────────────────────────────────────────────────────────
  You pay     0.88904381 ETH ($2,039)
  You get       2,010.05 USDC.base ($2,013)   impact 0.84 % ▂ moderate
  At least      2,000.00 USDC.base ($2,003)   slippage 0.50 %
  Cost        2.03 % = impact 0.84 + venues 0.60 + protocol 0.10
              + affiliate 0.49 ($41.32)
  Price         2,260.91 USDC.base per ETH    or 0.0004422992 ETH per USDC.base
  Mid           2,307.67 USDC.base per ETH

  ETH ── fin eth/rune ──▶ RUNE ── fin rune/btc ──▶ BTC
    ── fin btc/usdc ──▶ USDC ── fin usdc.base/usdc ──▶ USDC.base

  Other routes, and what they cost
    ETH → USDC → USDC.base        0.88934004 ETH  +0.03 %
    ETH → BTC → USDC → USDC.base   0.8894814 ETH  +0.05 %

  Fees        venues 5.9816402 RUNE + 0.00003895 BTC + 3.0526897 USDC +
              3.0378324 USDC.base;
              protocol 2.0221837 USDC.base (0.10 %), of it 0.20221837 USDC.base
              for the referral; affiliate acme 10.110918 USDC.base (0.50 %)
  Left out    2 pairs at this block; see: swap snapshot show
  Quote       more: --explain, --json`,
    ))

  test('that is an estimate, deep, severe or not as simulated is marked', () => {
    const [first, second] = best.hops
    const doubtful = withBest(answer, {
      exact: false,
      simulated_output: '22690000000000',
      price_impact_bps: 620,
      hops: [{ ...first!, exact: false, depth_used_percent: 86.2 }, second!],
      tx: { swap: { ...best.tx.swap, recipient: first!.address, affiliate_code: 'ruji' } },
    })
    const only = { ...doubtful, routes: doubtful.routes.slice(0, 1), excluded: [] }
    assert.equal(
      renderRoute(only, context, terminal(80)),
      `\
1.5 BTC ($117,909) → RUNE · best single route, estimate         demo · block 120
────────────────────────────────────────────────────────────────────────────────
  You get     226,879.60 RUNE ($114,986)
  At least    225,745.20 RUNE ($114,411)   slippage 0.50 %
  Cost        2.48 % = impact 2.09 + venues 0.29 + protocol 0.10 ($2,922)
  Price       151,253.06 RUNE per BTC      or 0.0000066114361 BTC per RUNE
  Estimate    not every book is known in full; it may pay more or less

  BTC ── fin btc/usdc ──▶ USDC ── fin rune/usdc ──▶ RUNE

  Pays to     demo1dwsnlqw3lfhamc5dz3r57hlsppx3a2n2d7kppccxfdhfazjh06rsfn9rx9
  Warning     takes 86.20 % of fin btc/usdc: on a thinner book the rest is lost
  Warning     severe impact at fin btc/usdc, execute refuses it: try swap
              sroute, or the amount of swap max btc rune --max-impact 5%
  Quote       more: -v, --explain, --json`,
    )
  })

  test('has the fee of the network where gas has a price', () => {
    const network_fee = { denom: 'rune', amount: '2500000' }
    const priced = withBest(answer, { network_fee, network_fee_usd: '0.0126' })
    const line = /\n {2}Gas {9}about 0\.025 RUNE \(\$0\.01\), on top\n/
    assert.match(renderRoute(priced, stored, terminal(80)), line)
    assert.match(renderRoutePlain(priced, context), /\nroute\.1\.network_fee\.amount\t2500000\n/)
    assert.doesNotMatch(renderRoute(answer, stored, terminal(80)), /Gas/)
  })

  test('that is explained has the number of examined routes', () => {
    const explain = { examined: 17, levels: [], lost: [], rejected: [] }
    const text = renderRoute({ ...answer, explain }, context, terminal(80))
    assert.match(text, /^1\.5 BTC \(\$117,909\) → RUNE · best single route of 17 examined {2,}demo/)
    assert.match(text, /\n {2}Fees .*\n[\s\S]*\n {2}Quote {7}more: --json$/)
  })

  test('whose simulation fails, or that has no mid price, is marked', () => {
    const unknown = { simulated_output: null, mid_price: null, price_impact_bps: null, cost: null }
    const text = renderRoute(withBest(answer, unknown), verbose, terminal(80))
    assert.match(text, /Simulate {4}fails on this path/)
    assert.match(text, /impact n\/a \? unknown/)
    assert.match(text, /Mid +n\/a/)
    assert.match(text, /Cost {8}not known: a book on the path has no mid price, one side is empty/)
  })
})

describe('a quote in a pipe', () => {
  const lines = renderRoutePlain(answer, stored).split('\n')

  test('is a key, a tab and a raw number a line', () =>
    assert.deepEqual(lines.slice(0, 36), [
      'network\tdemo',
      'chain_id\tdemo-1',
      'height\t120',
      'time\t2026-05-01T12:00:00Z',
      'quote_id\tq_7f3a91c2',
      'input.symbol\tBTC',
      'input.denom\tbtc-btc',
      'input.amount\t150000000',
      'input.amount_human\t1.5',
      'output.symbol\tRUNE',
      'output.denom\trune',
      `input_usd\t${answer.input_usd}`,
      'slippage_bps\t50',
      'routes\t3',
      'excluded\t2',
      'route.1.id\tf2c9d8b71d4c5f21',
      'route.1.expected_output\t22687960256641',
      'route.1.expected_output_human\t226879.60256641',
      `route.1.expected_output_usd\t${best.expected_output_usd}`,
      'route.1.min_return\t22574520455357',
      'route.1.min_return_human\t225745.20455357',
      `route.1.min_return_usd\t${best.min_return_usd}`,
      'route.1.simulated_output\t22687960256641',
      'route.1.simulated_output_human\t226879.60256641',
      'route.1.gross_output\t22710670927569',
      'route.1.gross_output_human\t227106.70927569',
      'route.1.exact\ttrue',
      'route.1.price_impact_bps\t208.78',
      'route.1.cost.cost_bps\t247.89',
      'route.1.cost.impact_bps\t208.78',
      'route.1.cost.venue_fees_bps\t29.35',
      'route.1.cost.protocol_fee_bps\t9.76',
      'route.1.cost.affiliate_fee_bps\t0',
      'route.1.cost.cost_usd\t2922.86234570234944',
      'route.1.gas_estimate\t3732000',
      'route.1.price\t151253.068377606666',
    ]))

  test('names each field once, with one tab, hops and fees included', () => {
    const keys = lines.map((line) => line.split('\t')[0]!)
    assert.equal(new Set(keys).size, lines.length)
    for (const line of lines) assert.match(line, /^[a-z0-9._]+\t[^\t]*$/)
    for (const key of ['route.3.hop.1.venue_fee.amount', 'route.1.affiliate_fee'])
      assert.ok(keys.includes(key), key)
  })
})
