import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { renderSnapshot } from '../../../../src/cli/commands/snapshot/run.js'
import type { SnapshotAnswer } from '../../../../src/operations/book/book-documents.js'
import { snapshot } from '../../../../src/operations/book/snapshot-summary.js'
import { plainStyle } from '../../../../src/render/style.js'
import { displayWidth } from '../../../../src/render/width.js'
import { app, btc, context, terminal, tokens, usdcBase } from '../../../render/documents.js'
import { runSwap } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'
import { LONG } from '../../../support/long.js'

const all = await snapshot(app)
const few: SnapshotAnswer = {
  ...all,
  pairs: all.pairs.filter(
    ({ base, quote }) =>
      base === usdcBase || quote === 'eth-eth' || (base === 'rune' && quote === btc),
  ),
}

describe('a market', () => {
  test('of 40 columns is stacked', () =>
    assert.equal(
      renderSnapshot(few, context, terminal(40)),
      `\
4 pairs, 32 tokens, 2 left out
demo · block 120
Chain       demo-1
            2026-05-01 12:00:00 UTC
Router      demo16sl82ss…jsmwsfv6q08
            forward
            protocol fee 0.10 %
rune/btc
  bid 0.00000652429  ask 0.00000652921
  spread 7.54
  depth 0.949 BTC, 186.6k RUNE
eth.base/eth
  bid 0.999579  ask 1.00027  spread 6.91
  depth 7.36 ETH, 5.3 ETH
usdc.base/usdc
  bid 1.00087  ask 1.00264  spread 17.67
  depth 7.4k USDC, 6.7k USDC
lqdy/eth
  bid 0.0000433072  ask -  spread -
  depth -, -
Prices in the quote token, spreads in
bps. Depth is what rests within 2 % of
the mid.
Every pair is known in full: quotes are
exact.
Left out
  demo1ar3grsx…2htxs5fq9ad  halted:
    retired, no longer trades
  demo1cwahyj3…4zknqmfzrhv
    quarantined: /pairs/37/fee_taker
    must be a decimal (digits in a
    string, at most 18 after the point),
    not "unreadable"`,
    ))

  test('of 60 columns drops depth, never a price', () =>
    assert.match(
      renderSnapshot(few, context, terminal(60)),
      /\n {2}PAIR {22}BID {12}ASK {2}SPREAD\n {2}rune\/btc {8}0\.00000652429 {2}0\.00000652921 {4}7\.54\n/,
    ))

  test('of 80 columns in ASCII has both depths', () =>
    assert.equal(
      renderSnapshot(few, context, terminal(80, { ascii: true })),
      `\
4 pairs, 32 tokens, 2 left out                                  demo - block 120
--------------------------------------------------------------------------------
  Chain       demo-1   2026-05-01 12:00:00 UTC
  Router      demo16sl82s...smwsfv6q08   forward   protocol fee 0.10 %

  PAIR                      BID            ASK  SPREAD  BID DEPTH    ASK DEPTH
  rune/btc        0.00000652429  0.00000652921    7.54  0.949 BTC  186.6k RUNE
  eth.base/eth         0.999579        1.00027    6.91   7.36 ETH      5.3 ETH
  usdc.base/usdc        1.00087        1.00264   17.67  7.4k USDC    6.7k USDC
  lqdy/eth         0.0000433072              -       -          -            -

  Prices in the quote token, spreads in bps. Depth is what rests within 2 % of
  the mid.
  Every pair is known in full: quotes are exact.

  Left out
    demo1ar3grs...htxs5fq9ad  halted: retired, no longer trades
    demo1cwahyj...zknqmfzrhv  quarantined: /pairs/37/fee_taker must be a
      decimal (digits in a string, at most 18 after the point), not "unreadable"`,
    ))

  test('of 120 columns counts makers too', () =>
    assert.match(renderSnapshot(few, context, terminal(120)), /ASK DEPTH {2}MAKERS\n/))

  test('with a pair that is not known in full marks it', () => {
    const pairs = few.pairs.map((pair, i) => ({ ...pair, exact: i !== 0 }))
    const text = renderSnapshot({ ...few, pairs, excluded: [] }, context, terminal(80))
    assert.match(text, /\n {2}rune\/btc \* /)
    assert.match(text, /\n {2}\* not everything of this pair is known: [^\n]+ estimates\.$/)
  })

  test('without pairs is its title and its router', () => {
    const text = renderSnapshot({ ...few, pairs: [], excluded: [] }, context, terminal(80))
    assert.match(text, /^0 pairs, 32 tokens, 0 left out /)
    assert.match(text, /protocol fee 0\.10 %$/)
  })

  test('fits every terminal from 40 columns', () => {
    for (let width = 40; width <= 130; width += LONG ? 1 : 9)
      for (const line of renderSnapshot(all, context, terminal(width)).split('\n'))
        assert.ok(displayWidth(line) <= width, line)
  })

  test('prices are in units where the decimals differ', () => {
    const six = new Map([...tokens].map(([denom, token]) => [denom, { ...token }]))
    six.set(btc, { ...tokens.get(btc)!, decimals: 6 })
    const text = renderSnapshot(few, { tokens: six }, terminal(80))
    assert.match(text, /rune\/btc +0\.000652429 /)
  })
})

describe('a market in a pipe', () => {
  const rows = renderSnapshot(all, context, plainStyle)
    .split('\n')
    .map((line) => line.split('\t'))

  test('is a row of 13 cells for each pair and each that was left out', () => {
    assert.equal(rows.length, all.pairs.length + all.excluded.length)
    for (const row of rows) assert.equal(row.length, 13)
  })

  test('has whole addresses, raw prices and both depths', () =>
    assert.deepEqual(rows[0], [
      'demo1dwsnlqw3lfhamc5dz3r57hlsppx3a2n2d7kppccxfdhfazjh06rsfn9rx9',
      'btc/usdc',
      'btc-btc',
      'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      '78571.7',
      '78640.4',
      '78606.05',
      '8.74',
      '141996.95528092',
      '2.7733027',
      '1',
      'true',
      '',
    ]))

  test('gives the reason for what was left out', () =>
    assert.match(rows.at(-1)!.at(-1)!, /^quarantined: /))
})

test('a saved market and the next command of a plan cannot move the cursor by the name of a file', async () => {
  const file = join(temporaryFolder(), 'a\u001b[2J')
  for (const call of [
    ['snapshot', 'save', file],
    ['plan', 'twap', '10', 'rune', 'btc', '--slices', '3', '--every', '5m', '--file', `${file}b`],
  ]) {
    const { status, stdout } = await runSwap([...call, '-o', 'human', '--width', '200'])
    assert.equal(status, 0)
    assert.match(stdout, /\\u\{1b\}\[2J/)
    assert.ok(!stdout.includes('\u001b'))
  }
})
