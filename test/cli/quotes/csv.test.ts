import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { snapshotCsv } from '../../../src/cli/commands/snapshot/run.js'
import { tokensCsv } from '../../../src/cli/commands/tokens/run.js'
import { routeCsv } from '../../../src/cli/quotes/quote-csv.js'
import { snapshot } from '../../../src/operations/book/snapshot-summary.js'
import { tokens as tokensOf } from '../../../src/operations/tokens/tokens.js'
import { app, context, quoted, rune, usdcBase } from '../../render/documents.js'

const listed = await tokensOf(app)
const market = await snapshot(app)
const answer = await quoted({ limit: 2 })

/** Reads RFC 4180 strictly: what a spreadsheet would see. */
function read(text: string): string[][] {
  assert.ok(text.endsWith('\r\n'))
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y
  const rows: string[][] = [[]]
  while (cell.lastIndex < text.length) {
    const [, raw = '', end] = cell.exec(text) ?? assert.fail(`not CSV at ${cell.lastIndex}`)
    rows.at(-1)!.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw)
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

/** The rows as records by heading. */
function records(text: string): Record<string, string>[] {
  const [head = [], ...rows] = read(text)
  for (const row of rows) assert.equal(row.length, head.length)
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]!])))
}

describe('CSV of routes', () => {
  test('is one row for each, atomic and human amounts side by side', () =>
    assert.deepEqual(records(routeCsv(answer, { ...context, quoteId: 'q_7f3a91c2' }))[0], {
      quote_id: 'q_7f3a91c2',
      route: 'f2c9d8b71d4c5f21',
      gap_bps: '0',
      in_symbol: 'BTC',
      in_denom: 'btc-btc',
      in_atomic: '150000000',
      in_human: '1.5',
      out_symbol: 'RUNE',
      out_denom: 'rune',
      out_atomic: '22687960256641',
      out_human: '226879.60256641',
      min_return_atomic: '22574520455357',
      min_return_human: '225745.20455357',
      impact_bps: '208.78',
      exact: 'true',
      path: 'btc-btc > eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48 > rune',
      venue_fees: '174.76354547 USDC; 341.17182165 RUNE',
      protocol_fee_human: '227.10670928',
      affiliate_fee_human: '0',
    }))

  test('leaves unknown values empty', () => {
    const [, second] = records(routeCsv(answer, context))
    assert.equal(second!['quote_id'], '')
    assert.equal(second!['gap_bps'], '40.79')
  })
})

describe('CSV of tokens', () => {
  test('has the names of the document', () => {
    const rows = records(tokensCsv(listed))
    assert.equal(rows.length, listed.tokens.length)
    assert.deepEqual(
      rows.find(({ denom }) => denom === usdcBase),
      {
        denom: usdcBase,
        symbol: 'USDC',
        name: 'USD Coin (Base)',
        chain: 'BASE',
        kind: 'secured',
        contract: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
        decimals: '8',
        price_usd: '1.001755',
        pairs: '1',
        logo_uri: '',
      },
    )
  })

  const named = (name: string) => {
    const token = { ...listed.tokens.find(({ denom }) => denom === rune)!, name }
    return records(tokensCsv({ ...listed, tokens: [token] }))[0]!['name']
  }
  const rows: readonly (readonly [sentence: string, name: string, cell: string])[] = [
    ['quotes and commas come back as they were', 'a "b", c', 'a "b", c'],
    ['a formula becomes a text', '=HYPERLINK("x")', '\'=HYPERLINK("x")'],
    ['so does one behind a space', ' +1', "' +1"],
    ['so does a command', '@cmd', "'@cmd"],
    ['so does a negative', '-1', "'-1"],
    ['a line break becomes visible', 'a\r\nb', 'a\\u{d}\\u{a}b'],
    ['so does one that a semicolon makes a cell', 'a; =1+1', "a;' =1+1"],
    ['a sign inside a name stays', 'a=b', 'a=b'],
  ]
  for (const [sentence, name, cell] of rows)
    test(`${sentence}: ${JSON.stringify(name)}`, () => assert.equal(named(name), cell))
})

describe('CSV of a market', () => {
  const rows = records(snapshotCsv(market, context))

  test('has a row for each pair and each that was left out', () =>
    assert.equal(rows.length, market.pairs.length + market.excluded.length))

  test('gives both depths twice', () => {
    assert.equal(rows[0]!['bid_depth_atomic'], '14199695528092')
    assert.equal(rows[0]!['bid_depth_human'], '141996.95528092')
    assert.equal(rows[0]!['ask_depth_human'], '2.7733027')
  })

  test('gives a reason where a pair was left out, and nothing else', () => {
    const { address, left_out, ...others } = rows.at(-1)!
    assert.equal(address, market.excluded.at(-1)!.address)
    assert.equal(left_out, market.excluded.at(-1)!.reason)
    assert.deepEqual(new Set(Object.values(others)), new Set(['']))
  })
})
