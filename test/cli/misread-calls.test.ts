import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { runSwap } from '../support/cli.js'

/** A text on one line, without the folds and indents of the terminal. */
const flat = (text: string) => text.replace(/\s+/g, ' ')

const USDC = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

describe('a call that was meant in another way is refused with what to write', () => {
  const rows: readonly (readonly [line: readonly string[], ...texts: readonly string[]])[] = [
    [
      ['route', '1', 'btc', '5000', 'rune'],
      'there are two amounts',
      'write swap route 1 btc rune to sell 1, or swap route btc 5000 rune to receive 5000 ',
    ],
    [
      ['sroute', '1btc', '5000rune'],
      'there are two amounts',
      'write swap sroute 1 btc rune to sell 1, or swap sroute btc 5000 rune to receive 5000 ',
    ],
    [
      ['route', '1', 'btc', 'rune', '--slippage', '0.5', '%'],
      'route does not take "%"',
      'write a number and its unit without a space: 0.5% ',
    ],
    [
      ['max', 'btc', 'rune', '--max-impact', '50', 'bps'],
      'max does not take "bps"',
      'write a number and its unit without a space: 0.5% ',
    ],
    [
      ['route', "1'000", 'usdc', 'rune'],
      'it has other characters than digits, a dot and underscores',
      'write e.g. 1.5 or 25_000 ',
    ],
    [
      ['route', '1', 'btc', 'rune', '--watch', '--until', 'impact<=5'],
      "write --until 'impact<=5%' or --until 'impact<=5bps' ",
    ],
    [
      ['serve', '--tape', '/x/h.db', '--database', '/x/h.db'],
      'history is kept in that file do write e.g. --tape blocks.tape ',
    ],
    ...(['--via', '--exclude', '--path'] as const).map(
      (flag) =>
        [['route', '1', 'btc', 'rune', flag, ','], `the value of ${flag} is empty `] as const,
    ),
    [['route', '1', 'btc', 'rune', '-q', '--explain'], '--explain does not go with -q '],
    [['sroute', '1', 'btc', 'rune', '--id', '--verify'], '--verify does not go with --id '],
    [['price', 'btc', 'usdc', '--in', 'rune'], 'price does not take "usdc"'],
    [['mcp', '--csv'], '--csv does not go with mcp why it prints messages of the protocol '],
    [['serve', '--keep-alive', '5'], 'it is a number with ms, s, m or h, from 0s to 1h '],
    [['serve', '--min-books', '200%'], 'the largest is 100% do write e.g. --min-books 80% '],
    [['route', '1', 'btc', 'rune', '--path', 'btc/usdc'], `why it ends in ${USDC}, not in rune `],
    [
      ['route', '1', 'btc', 'rune', '--path', 'btc/usdc,rune/btc'],
      `why pair 2 of it trades rune and btc-btc, but gets ${USDC} `,
    ],
  ]
  for (const [line, ...texts] of rows)
    test(`swap ${line.join(' ')}`, async () => {
      const { status, stderr } = await runSwap(line)
      assert.equal(status, 2, stderr)
      for (const text of texts) assert.ok(flat(stderr).includes(text), stderr)
    })
})
