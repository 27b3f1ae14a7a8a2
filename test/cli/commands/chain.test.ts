import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { renderBook } from '../../../src/cli/commands/book/run.js'
import { renderDoctor } from '../../../src/cli/commands/doctor/run.js'
import { renderSimulation } from '../../../src/cli/commands/simulate/run.js'
import { book } from '../../../src/operations/book/book.js'
import type { BookAnswer } from '../../../src/operations/book/book-documents.js'
import type { SimulateAnswer } from '../../../src/operations/simulate/simulate-documents.js'
import { titleLines } from '../../../src/render/layout.js'
import { type Style, type StyleFacts, styleOf } from '../../../src/render/style.js'
import { displayWidth } from '../../../src/render/width.js'
import { app, btc, context, rune, usdc } from '../../render/documents.js'

const terminal = (facts: Partial<StyleFacts> = {}): Style =>
  styleOf({ width: 80, color: false, ascii: false, tty: true, ...facts })

const { market } = await app.openMarket()
const pairs = [...market.books.keys()]

const leg = (ours: bigint, theirs: bigint, pair: number): SimulateAnswer['legs'][number] => ({
  coin: { denom: usdc, amount: '1400000000000' },
  stages: [{ address: pairs[pair]!, denom: rune }],
  simulated_output: `${ours}`,
  returned: `${theirs}`,
  fee: '0',
  difference: `${theirs - ours}`,
  difference_bps: Number(((theirs - ours) * 1_000_000n) / ours) / 100,
  refused: null,
  tolerance_bps: 5,
  within: theirs - ours < 5_000_000n,
})

const answer: SimulateAnswer = {
  network: market.network,
  chain_id: market.chainId,
  height: 21_904_131,
  time: market.time,
  excluded: [],
  at_quote: true,
  output: { denom: rune },
  legs: [
    leg(2_237_316_000_000n, 2_236_864_000_000n, 0),
    leg(637_503_000_000n, 637_503_000_000n, 1),
    leg(10_000_000_000n, 9_999_999_999n, 2),
  ],
  within: true,
  transaction: {
    from: 'demo1somebody',
    succeeds: true,
    gas_used: '1884210',
    gas_limit: '2637894',
    fee: { denom: rune, amount: '0' },
    balances: [{ denom: usdc, amount: '3120000000000' }],
    short: [],
    min_return: { denom: rune, amount: '2800000000000' },
    received: { denom: rune, amount: '2874367000000' },
    min_return_met: true,
    error: null,
  },
}

describe('a simulation', () => {
  test('of 80 columns', () => {
    const text = renderSimulation(answer, { ...context, quoteId: 'q_7f3a91c2' }, terminal())
    assert.equal(
      text,
      [
        'q_7f3a91c2 · 42,000 USDC → RUNE                          demo · block 21,904,131',
        '─'.repeat(80),
        '  LEG       OUR MODEL   CONTRACT SAYS              DIFF  VERDICT',
        '  L1   22,373.16 RUNE  22,368.64 RUNE         -2.02 bps  within 5 bps',
        '  L2    6,375.03 RUNE   6,375.03 RUNE                 0  same',
        '  L3         100 RUNE  99.999999 RUNE  -0.00000001 RUNE  within 5 bps',
        '  all  28,848.19 RUNE  28,843.66 RUNE         -1.56 bps',
        '',
        '  Transaction would succeed · gas 1,884,210 · limit 2,637,894 (x1.4)',
        '              · fee 0 RUNE',
        '  Balance     31,200 USDC   enough',
        '  Min return  28,000 RUNE   met with 743.67 RUNE to spare',
      ].join('\n'),
    )
  })

  test('names the gas limit of the network, or why that is too little', () => {
    const { transaction } = answer
    assert.ok(transaction)
    const textOf = (change: object) => {
      const own = { ...answer, transaction: { ...transaction, ...change } }
      return renderSimulation(own, context, terminal({ width: 120 }))
    }
    assert.match(textOf({ gas_limit: '2637893' }), /limit 2,637,893 · fee/)
    const error = 'it takes 1884210 gas in a simulation'
    assert.match(
      textOf({ gas_limit: null, fee: null, succeeds: false, error }),
      /Transaction would fail: it takes 1884210 gas in a simulation/,
    )
  })

  test('fits any width, names the pairs where it is wide, and never hides what differs', () => {
    const off = { ...answer, legs: [{ ...answer.legs[0]!, within: false }], within: false }
    for (const width of [40, 60, 80, 120, 160])
      for (const ascii of [true, false]) {
        const text = renderSimulation(off, context, terminal({ width, ascii }))
        for (const line of text.split('\n')) assert.ok(displayWidth(line) <= width, line)
        assert.match(text.replace(/\s+/g, ' '), /differs, over 5 bps/)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what ASCII is
        if (ascii) assert.match(text, /^[\x00-\x7f]*$/)
      }
    const wide = renderSimulation(
      answer,
      { ...context, node: 'https://rpc.example' },
      terminal({ width: 120 }),
    )
    assert.match(wide, /OVER/)
    assert.match(wide, /Node {8}https:\/\/rpc\.example/)
  })

  test('what the node would not say and what it refuses has a verdict of its own', () => {
    const unknown = {
      ...answer.legs[0]!,
      returned: null,
      difference: null,
      refused: 'gas',
      within: null,
    }
    const refused = { ...unknown, within: false }
    const text = renderSimulation({ ...answer, legs: [unknown, refused] }, context, terminal())
    assert.match(text, /not known: the node's query limit is too small/)
    assert.match(text, / refused$/m)
  })
})

describe('the title', () => {
  const place = { network: 'thorchain-1', height: 5 }
  const real = { network: 'thorchain-1', title: 'MAINNET' }
  test('names a network with money at stake in red and in capitals, and others as they are', () => {
    assert.match(titleLines('x', place, terminal({ real }))[0]!, / MAINNET · block 5$/)
    const red = titleLines('x', place, terminal({ real, color: true }))[0]!
    assert.ok(red.includes('\u001b[91mMAINNET\u001b[39m'))
    assert.match(titleLines('x', place, terminal())[0]!, / thorchain-1 · block 5$/)
    const saved = titleLines('x', { ...place, network: 'demo' }, terminal({ real }))[0]!
    assert.match(saved, / demo · block 5$/)
  })
})

describe('a book', () => {
  const answerOf = (levels: number): Promise<BookAnswer> =>
    book(app, {
      pair: pairs.find((address) => {
        const { pair } = market.books.get(address)!.state
        return pair.base === btc && pair.quote === usdc
      })!,
      levels,
    })
  test('falls in price from line to line and fits its terminal', async () => {
    const given = await answerOf(12)
    for (const width of [40, 60, 80, 120]) {
      const text = renderBook(given, context, terminal({ width }))
      for (const line of text.split('\n')) assert.ok(displayWidth(line) <= width, line)
      assert.match(text, /mid .*USDC/)
    }
    const prices = [
      ...renderBook(given, context, terminal({ width: 120 })).matchAll(
        /^ {2}(?:ask|bid) +([\d,.]+)/gm,
      ),
    ].map(([, price = '']) => Number(price.replaceAll(',', '')))
    assert.equal(prices.length, 24)
    assert.deepEqual(
      prices,
      [...prices].sort((a, b) => b - a),
    )
  })
})

test('a doctor puts why and what to do below what failed', () => {
  const text = renderDoctor(
    {
      network: 'demo',
      chain_id: 'x',
      checks: [
        {
          name: 'clock',
          status: 'fail',
          message: 'this machine is 41 s behind',
          why: 'deadlines',
          do: 'set it',
          data: {},
        },
        { name: 'node', status: 'ok', message: 'height 1234567', why: null, do: null, data: {} },
      ],
      failed: 1,
      notes: 0,
    },
    terminal(),
  )
  assert.equal(
    text,
    [
      '✗ clock       this machine is 41 s behind',
      '              why   deadlines',
      '              do    set it',
      '✓ node        height 1,234,567',
      '',
      'demo: 1 problem, 0 notes. Exit code 1.',
    ].join('\n'),
  )
})
