import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { pairsCsv, renderPairs } from '../../../../src/cli/commands/pairs/run.js'
import { priceCsv, renderPrice } from '../../../../src/cli/commands/price/run.js'
import { type DayOf, pairs, price } from '../../../../src/operations/price/price.js'
import { plainStyle } from '../../../../src/render/style.js'
import { displayWidth } from '../../../../src/render/width.js'
import {
  app,
  btc,
  context,
  market,
  rune,
  terminal,
  usdc,
  usdcBase,
} from '../../../render/documents.js'

const dayOf: DayOf = async () => ({
  from: '2026-04-30T12:00:00Z',
  to: '2026-05-01T12:00:00Z',
  prices: new Map(),
  volumes: new Map(
    [...market.books.keys()].map((address) => [
      address,
      { swaps: 2, traded: new Map(), usd: undefined },
    ]),
  ),
})

describe('the screen of a price', () => {
  test('has the sides in line, depth in dollars, and how to have the last day', async () =>
    assert.equal(
      renderPrice(await price(app, { base: rune!, quote: btc! }), context, terminal(80)),
      `\
RUNE in BTC                                                     demo · block 120
────────────────────────────────────────────────────────────────────────────────
  Mid         0.00000652675 BTC   $0.506816
  Bid         0.00000652429 BTC
  Ask         0.00000652921 BTC   spread 7.54 bps
  Inverse     153,215.61 RUNE per BTC

  Within 2 %  bids 0.949 BTC ($74.6k)   asks 186.6k RUNE ($94.5k)
  24 hours    not indexed in full; read more: swap history --sync
  Pair        demo1qqql3tugjuwnslfgf9a9zfqenywn2h8zy9v025vh3398xtzpaqcsmgxmjc`,
    ))
  test('names the tokens of both sides apart where they have one symbol', async () => {
    const answer = await price(app, { base: usdcBase, quote: usdc! })
    const screen = renderPrice(answer, context, terminal(80))
    assert.match(screen, /Within 2 % {2}bids \S+ USDC \(\S+\) {3}asks \S+ USDC\.base \(/)
  })
  test('has no depth where a side is empty, since there is no mid', async () => {
    const answer = await price(app, { base: rune, quote: btc })
    const screen = (changes: Partial<typeof answer>) =>
      renderPrice({ ...answer, ...changes }, context, terminal(80))
    assert.match(screen({}), /Within 2 %/)
    const empty = { best_ask: null, mid_price: null, bid_depth: null, ask_depth: null }
    assert.doesNotMatch(screen(empty), /Within 2 %/)
  })
  test('wraps the inverse price where the names of the tokens are long', async () => {
    const token = { ...context.tokens.get(rune!)!, symbol: 'ABCDEFGHIJ'.repeat(4) }
    const long = { ...context, tokens: new Map([...context.tokens, [rune!, token]]) }
    const screen = renderPrice(await price(app, { base: rune!, quote: btc! }), long, terminal(48))
    assert.match(screen, /Inverse {5}153,215\.61 ABCDEFGHIJAB…JABCDEFGHIJ/)
    for (const line of screen.split('\n')) assert.ok(displayWidth(line) <= 48, line)
  })
  test('says over which tokens a price is where no pair trades the two', async () => {
    const base = [...context.tokens.values()].find(({ symbol }) => symbol === 'TCY')!.denom
    const quote = [...context.tokens.values()].find(({ symbol }) => symbol === 'LTC')!.denom
    const screen = renderPrice(await price(app, { base, quote }, dayOf), context, terminal(80))
    assert.match(screen, /Path {8}TCY → USDC → LTC\n {14}no pair trades the two directly/)
    assert.match(screen, /24 hours {4}change not known: no price of then in the index/)
    assert.doesNotMatch(screen, /Within/)
  })
  test('in a pipe is a line a member, and one row as CSV', async () => {
    const answer = await price(app, { base: btc! })
    const lines = renderPrice(answer, context, plainStyle).split('\n')
    assert.ok(lines.includes('mid_price\t78606.05') && lines.every((line) => line.includes('\t')))
    const [head, row] = priceCsv(answer, context).split('\r\n')
    assert.equal(head, lines.map((line) => line.split('\t')[0]).join(','))
    assert.equal(row, lines.map((line) => line.split('\t')[1]).join(','))
  })
})

describe('the screen of the pairs', () => {
  test('of a token has mid, spread and both depths', async () => {
    const answer = await pairs(app, { token: btc! })
    const lines = renderPairs(answer, { ...context, token: btc }, terminal(80)).split('\n')
    assert.deepEqual(lines.slice(0, 5), [
      '8 pairs of BTC                                                  demo · block 120',
      '─'.repeat(80),
      '  PAIR                 MID  SPREAD         BIDS         ASKS',
      '  btc/usdc       78,606.05    8.74  141.9k USDC     2.77 BTC',
      '  rune/btc   0.00000652675    7.54    0.949 BTC  186.6k RUNE',
    ])
    assert.equal(
      lines.at(-1),
      '  Volume of 24 hours: not indexed in full; read more: swap history --sync',
    )
    const stacked = renderPairs(answer, context, terminal(40)).split('\n')
    assert.ok(stacked.every((line) => line.length <= 40))
  })
  test('has a column of the volume where the index holds the day', async () => {
    const screen = renderPairs(await pairs(app, {}, dayOf), context, terminal(80))
    assert.match(screen, /ASKS {2}24 H \$\n/)
    assert.doesNotMatch(screen, /--sync/)
  })
  test('says what a dash is where a pair has no mid price', async () => {
    const screenOf = async (token?: string) =>
      renderPairs(await pairs(app, { ...(token && { token }) }), context, terminal(80))
    assert.match(await screenOf(), /lqdy\/eth +- .*\n {2}A dash: no bids or no asks rest/s)
    assert.doesNotMatch(await screenOf(btc), /A dash/)
  })
  test('in a pipe is a row a pair, the same as in CSV', async () => {
    const answer = await pairs(app, { token: usdc! })
    const rows = renderPairs(answer, context, plainStyle).split('\n')
    const [, ...cells] = pairsCsv(answer, context).trimEnd().split('\r\n')
    assert.deepEqual(
      cells,
      rows.map((row) => row.replaceAll('\t', ',')),
    )
  })
})
