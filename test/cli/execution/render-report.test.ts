import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { journalCsv } from '../../../src/cli/commands/journal/journal-csv.js'
import { renderSwapReport, swapReportCsv } from '../../../src/cli/execution/render-report.js'
import type { SwapReport } from '../../../src/execution/lifecycle/report-schema.js'
import { styleOf } from '../../../src/render/style.js'
import { address, context, style, usdc } from './swap-context.js'

const report: SwapReport = {
  id: 'x_00000001',
  once: null,
  replayed: false,
  status: 'confirmed',
  evidence: 'agreed',
  network: 'demo',
  chain_id: 'demo-1',
  quote_id: 'q_7f3a91c2',
  mode: 'batch',
  key: 'demo',
  from: address,
  to: address,
  amount_in: { denom: 'rune', amount: '10000000001' },
  spent: [{ denom: 'rune', amount: '9000000001' }],
  returned: [{ denom: 'rune', amount: '1000000000' }],
  min_return: { denom: usdc, amount: '5000000000' },
  quoted: { denom: usdc, amount: '5100000000' },
  expected: { denom: usdc, amount: '5100000000' },
  amount_out: { denom: usdc, amount: '5101000000' },
  vs_quote: '1000000',
  vs_quote_bps: 1.96,
  price: '0.0015',
  left_behind: [{ denom: 'tcy', amount: '12345678' }],
  router_grew: [{ denom: 'tcy', amount: '12345678' }],
  txs: [
    {
      hash: 'AB'.repeat(32),
      state: 'included',
      height: 1_150,
      code: 0,
      codespace: '',
      log: '',
      sequence: '3',
      timeout_height: 1_164,
      gas_used: '2339060',
      gas_limit: '3274418',
      fee: [],
    },
  ],
  legs: [],
  verified: { events: true, balances: false, router: true },
}

describe('the report of an execution', () => {
  test('compares the fill with the quote, as an amount and in percent, and names what was left behind', () => {
    const text = renderSwapReport(report, context, style(120))
    for (const part of [
      '100.00001 RUNE → 51.01 USDC · confirmed',
      '1.01 USDC above the minimum',
      '+0.01 USDC, +0.02 %',
      'Price       0.56677777 USDC per RUNE',
      'Spent       90.000001 RUNE',
      'Returned    10 RUNE',
      'confirmed by two nodes; events add up',
      'something else too',
      'Left behind 0.12345678 TCY   in the router, where any later swap can take it',
      'AB'.repeat(32),
    ])
      assert.ok(text.includes(part), `${part}\n${text}`)
  })

  test('links a transaction to the explorer where the terminal opens links, else prints its hash', () => {
    const explorer = 'https://scan.example/tx/'
    const hash = 'AB'.repeat(32)
    const link = `\x1b]8;;${explorer}${hash}\x1b\\${hash}\x1b]8;;\x1b\\`
    const text = (links: boolean, page?: string) =>
      renderSwapReport(
        report,
        { ...context, explorer: page },
        styleOf({ width: 120, color: false, ascii: false, tty: true, links }),
      )
    const plain = text(false, explorer)
    assert.doesNotMatch(plain, /scan\.example/)
    assert.equal(text(true, explorer), plain.replace(hash, link))
    assert.equal(text(true), plain)
  })

  test('says how far below the minimum an amount is that a node reports', () => {
    const low = { ...report, amount_out: { denom: usdc, amount: '4999000000' } }
    assert.match(
      renderSwapReport(low, context, style(120)),
      /Received .* {3}0\.01 USDC below the minimum/,
    )
  })

  test('compares a partial execution with the minimum of that part', () => {
    const leg = {
      input: { denom: 'rune', amount: '5000000000' },
      output: usdc,
      quoted: '2550000000',
      expected: '2550000000',
      min_return: '2500000000',
      tx_hash: null,
    }
    const legs = [
      { ...leg, received: '2551000000' },
      { ...leg, received: null },
    ]
    const part = { denom: usdc, amount: '2551000000' }
    // Its next transaction may be open.
    for (const status of ['partial', 'signed', 'accepted'] as const) {
      const now = { ...report, status, amount_out: part, legs }
      const text = renderSwapReport(now, context, style(120))
      assert.match(text, /Received +25\.51 USDC +0\.51 USDC above the minimum/)
    }
  })

  test('has no price of legs of several tokens', () => {
    const leg = { input: report.amount_in, output: usdc, received: '1', tx_hash: null }
    const unquoted = { ...leg, quoted: null, expected: '1', min_return: '1' }
    const text = (...changes: readonly Partial<typeof leg>[]) => {
      const legs = [{}, ...changes].map((change) => ({ ...unquoted, ...change }))
      return renderSwapReport({ ...report, legs }, context, style(120))
    }
    assert.match(text({}), /Price/)
    assert.doesNotMatch(text({ output: 'tcy' }), /Price/)
    assert.doesNotMatch(text({ input: { denom: 'tcy', amount: '1' } }), /Price/)
  })

  test('names the block of a transaction that is in one, otherwise none', () => {
    const title = (height: number | null) => {
      const txs = report.txs.map((tx) => ({ ...tx, height }))
      return renderSwapReport({ ...report, txs }, context, style(120)).split('\n')[0]!
    }
    assert.match(title(1_150), / demo · block 1,150$/)
    assert.match(title(null), / demo$/)
  })

  test('is one field a line in a pipe', () => {
    const lines = renderSwapReport(
      report,
      { tokens: context.tokens },
      styleOf({ width: 80, color: false, ascii: false, tty: false }),
    ).split('\n')
    assert.ok(lines.every((line) => line.split('\t').length === 2))
    assert.ok(lines.includes('left_behind\t12345678 tcy'))
    assert.ok(lines.includes('vs_quote\t1000000'))
  })

  test('has no denom in CSV that a spreadsheet would run', () => {
    const leg = {
      input: { denom: '=1+1', amount: '1' },
      output: '@x',
      tx_hash: 'AB',
      quoted: '1',
      expected: '1',
      min_return: '1',
      received: null,
    }
    const text = swapReportCsv({ ...report, legs: [leg] }, context.tokens)
    assert.match(text, /\r\nAB,'=1\+1,'=1\+1,1,[^\n]*,'@x,'@x,1,1,1,1,,\r\n$/)
  })

  test('has the headings of a quote in CSV, and the journal the same', () => {
    const head = (text: string) => text.split('\r\n')[0]!
    const own = head(swapReportCsv(report, context.tokens)).replace('tx_hash,', '')
    assert.match(own, /^in_symbol,in_denom,in_atomic,in_human,out_symbol,out_denom,quoted_atomic,/)
    assert.match(own, /,min_return_atomic,min_return_human,received_atomic,received_human$/)
    assert.ok(head(journalCsv([], context.tokens)).includes(`,leg,${own},tx_hash,`))
  })
})
