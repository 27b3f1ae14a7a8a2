import assert from 'node:assert/strict'
import { Box, Text } from 'ink'
import { createElement, type ReactElement } from 'react'
import { describe, test } from 'vitest'
import { arbsFrame } from '../../../src/cli/commands/arbs/arbs-screen.js'
import { bookFrame } from '../../../src/cli/commands/book/book-screen.js'
import { decimalOf } from '../../../src/cli/commands/book/level-rows.js'
import { historyFrame } from '../../../src/cli/commands/history/history-screen.js'
import { ordersFrame } from '../../../src/cli/commands/order/orders-screen.js'
import { pairsOf } from '../../../src/cli/print-answer.js'
import { quoteFrame } from '../../../src/cli/quotes/quote-screen.js'
import { type FrameContext, frameOf, stepText, textOf } from '../../../src/cli/watch/frame.js'
import { MOST_LINES } from '../../../src/cli/watch/live-screen.js'
import { addHeight, type SessionStats } from '../../../src/cli/watch/session-stats.js'
import { builtInAliases } from '../../../src/config/naming.js'
import { arbs, arbsChanges } from '../../../src/operations/arbitrage/arbs.js'
import { book } from '../../../src/operations/book/book.js'
import { route } from '../../../src/operations/route/route.js'
import { sroute } from '../../../src/operations/split/split.js'
import { styleOf } from '../../../src/render/style.js'
import { displayWidth } from '../../../src/render/width.js'
import { demoMarket, marketAt } from '../../service/stage.js'
import { firstRows } from '../../support/long.js'

const app = { openMarket: async () => marketAt(120) }
const naming = { tokens: demoMarket.tokens, pairs: pairsOf(demoMarket), aliases: builtInAliases }
const request = { input: { denom: 'btc-btc', amount: '150000000' }, output: { denom: 'rune' } }
const at = (width: number, ascii = false) => styleOf({ width, color: false, ascii, tty: true })

const sessionOf = (...values: readonly bigint[]): SessionStats =>
  values.reduce<SessionStats | undefined>(
    (before, value, i) => addHeight(before, 120 + i, value),
    undefined,
  )!

const watching = (more: Partial<FrameContext> = {}): FrameContext => ({
  session: sessionOf(22_687_000_000_000n, 22_687_960_256_641n),
  pace: 'every block',
  keys: true,
  problem: undefined,
  compares: false,
  lines: MOST_LINES,
  ...more,
})

const single = await route(app, request)
const split = await sroute(app, request)
const scan = await arbs(app, {})
const pair = await book(app, { pair: [...demoMarket.books.keys()][0]!, levels: 10 })

const divided = { quote: split, naming }
const loops = { scan, naming, traffic: { opened: 1, closed: 2 } }

/** The split with other symbols, by denom. */
function withSymbols(symbols: Readonly<Record<string, string>>) {
  const tokens = [...demoMarket.tokens].map(
    ([denom, token]) => [denom, { ...token, symbol: symbols[denom] ?? token.symbol }] as const,
  )
  return { quote: split, naming: { ...naming, tokens: new Map(tokens) } }
}

/** The lines of a frame. */
const linesOf = (frame: ReactElement, width: number): readonly string[] =>
  textOf(frame, width).split('\n')

/** The lines of every frame there is. */
const frames = (width: number, more: Partial<FrameContext> = {}, ascii = false) => {
  const [given, style] = [watching(more), at(width, ascii)]
  const frames = {
    route: quoteFrame({ quote: single, naming }, undefined, given, style),
    sroute: quoteFrame(divided, divided, given, style),
    compared: quoteFrame(divided, divided, { ...given, compares: true }, style),
    arbs: arbsFrame(loops, loops, given, style),
    book: bookFrame({ answer: pair, naming }, undefined, given, style),
    history: historyFrame(
      { height: 120, indexed: 120, latest: [], fresh: [], seen: 0 },
      { ...naming, network: 'demo', request: {} },
      given,
      style,
    ),
  }
  return Object.entries(frames).map(([name, frame]) => [name, linesOf(frame, width)] as const)
}

describe('every frame', () => {
  test('has at most fourteen lines, and no more than are available', () => {
    for (const width of [40, 80])
      for (const lines of firstRows([MOST_LINES, 5, 1, 9, 11], 2))
        for (const [name, frame] of frames(width, { lines }))
          assert.ok(frame.length <= lines, `${name} ${width}x${lines}`)
  })
  test('is no wider than the terminal, and cuts longer numbers visibly', () => {
    assert.ok(frames(18)[0]![1].includes('Now         226,8…'))
    for (const width of firstRows([60, 120, 80], 2))
      for (const [name, frame] of frames(width))
        for (const line of frame) assert.ok(displayWidth(line) <= width, `${name}: ${line}`)
  })
  test('is ASCII with --ascii', () => {
    for (const width of [40, 45, 80])
      for (const [, frame] of frames(width, {}, true))
        assert.match(frame.join('\n'), /^[\n\x20-\x7e]*q quits$/)
  })
  test('shows the last problem until the next answer, and keys only if they are read', () => {
    for (const [, frame] of frames(120, { problem: 'error: no route (NO_ROUTE)', keys: false })) {
      assert.ok(frame.some((line) => line.includes('error: no route (NO_ROUTE)')))
      assert.equal(frame.at(-1), '  ctrl-c stops')
    }
  })
})

test('a divided quote is drawn like this', () => {
  assert.equal(
    textOf(quoteFrame(divided, divided, watching(), at(80)), 80),
    `\
1.5 BTC → RUNE · every block                                    demo · block 120
────────────────────────────────────────────────────────────────────────────────
  Now         227,769.37 RUNE ($115,437)   ▲ 9.6 RUNE since the last block
  Cost        1.60 % = impact 1.26 + venues 0.24 + protocol 0.10 ($1,885)
  Session     high 226,879.60 RUNE   low 226,870 RUNE   2 blocks, 0 skipped
  ▁█

  55 %  ███████▊  BTC ─ fin btc/usdc → USDC ─ fin rune/usdc → RUNE
  35 %  ████▉     BTC ─ fin rune/btc → RUNE
   5 %  ▊         BTC ─ fin eth/btc → ETH ─ fin eth/rune → RUNE
   5 %  ▊         BTC ─ fin tcy/btc → TCY ─ fin tcy/rune → RUNE

  enter takes this quote · c compares · q quits`,
  )
})

test('a leg takes one line where the venues of a path do not fit', () => {
  const seen = withSymbols({ rune: 'LONGRUNE' })
  const frame = quoteFrame(seen, divided, watching({ lines: 20 }), at(60))
  const lines = linesOf(frame, 60)
  assert.equal(lines.filter((line) => /^ +\d+ % .*BTC → .*LONGRUNE$/.test(line)).length, 4)
  assert.ok(!lines.some((line) => line.includes('fin ')))
})

test('the change of a book has the unit of its price', () => {
  const step = { change: 11_440_000_000_000_000_000n, since: 120 }
  const session = { ...watching().session, step }
  const frame = bookFrame({ answer: pair, naming }, undefined, watching({ session }), at(80))
  const [, , mid] = linesOf(frame, 80)
  assert.match(mid!, /^ {2}Mid .* ▲ [\d,.]+ BTC since the last block/)
})

test('a frame with names of wide scripts and emoji keeps its columns', () => {
  const style = at(80)
  const seen = withSymbols({ 'btc-btc': '比特币', rune: '🪙' })
  const lines = linesOf(quoteFrame(seen, divided, watching(), style), 80)
  assert.equal(
    lines[0],
    '1.5 比特币 → 🪙 · every block                                   demo · block 120',
  )
  assert.deepEqual(
    lines.filter((line) => line.includes('%  ')),
    [
      '  55 %  ███████▊  比特币 ─ fin 比特币/usdc → USDC ─ fin 🪙/usdc → 🪙',
      '  35 %  ████▉     比特币 ─ fin 🪙/比特币 → 🪙',
      '   5 %  ▊         比特币 ─ fin eth/比特币 → ETH ─ fin eth/🪙 → 🪙',
      '   5 %  ▊         比特币 ─ fin tcy/比特币 → TCY ─ fin tcy/🪙 → 🪙',
    ],
  )
  for (const line of lines) assert.ok(displayWidth(line) <= 80, line)
})

test('shares that have changed since the last block say by how much', () => {
  const before = structuredClone(split)
  const [first, second] = before.routes[0]!.legs
  Object.assign(first!.split, { fraction: '0.50' })
  Object.assign(second!.split, { fraction: '0.40' })
  const last = { quote: before, naming }
  const lines = linesOf(quoteFrame(divided, last, watching(), at(100)), 100)
  assert.ok(lines.some((line) => / 55 % .*\+5$/.test(line)))
  assert.ok(lines.some((line) => / 35 % .*-5$/.test(line)))
})

test('a frame that cannot show all legs counts the others', () => {
  const lines = linesOf(quoteFrame(divided, divided, watching({ lines: 8 }), at(80)), 80)
  assert.deepEqual(lines.slice(6), [
    '  55 %  ███████▊  BTC ─ fin btc/usdc → USDC ─ fin rune/usdc → RUNE',
    '  and 3 more legs',
  ])
})

test('the orders of an account whose pairs are not all read are not called none', () => {
  const head = { network: 'demo', chain_id: 'demo-1', height: 120, time: '', excluded: [] }
  const none = { ...head, owner: 'demo1abc', orders: [], resting: [], claimable: [] }
  const [read, unread] = [[], [{ address: 'demo1pair', reason: 'down' }]].map((list) => {
    const answer = { ...none, unread: list }
    const frame = ordersFrame({ answer, naming }, undefined, watching(), at(80))
    return linesOf(frame, 80).join('\n')
  })
  assert.match(read!, /No order of this account rests/)
  assert.match(unread!, /Unread +the orders on 1 pair could not be read/)
  assert.doesNotMatch(unread!, /No order of this account rests/)
})

test('the change of a share has the two decimals that the share has', () => {
  const before = structuredClone(split)
  const [first, second] = before.routes[0]!.legs
  Object.assign(first!.split, { fraction: '0.5497' })
  Object.assign(second!.split, { fraction: '0.35004' })
  const last = { quote: before, naming }
  const lines = linesOf(quoteFrame(divided, last, watching(), at(100)), 100)
  assert.ok(lines.some((line) => / 55 % .*\+0\.03$/.test(line)))
  assert.ok(lines.some((line) => / 35 % .*RUNE$/.test(line)))
})

describe('a frame that is too high', () => {
  const column = (...lines: readonly string[]) =>
    createElement(
      Box,
      { flexDirection: 'column' },
      ...lines.map((line) => createElement(Text, {}, line)),
    )
  const parts = {
    title: column('t1', 't2'),
    figures: column('f1'),
    body: column('b1', 'b2'),
    foot: column('k'),
  }
  const rows: readonly (readonly [number, string])[] = [
    [9, 't1 t2 f1  b1 b2  k'],
    [8, 't1 t2 f1  b1 b2  k'],
    [7, 't1 t2 f1 b1 b2 k'],
    [6, 't1 t2 f1 b1 b2 k'],
    [5, 't1 t2 f1 b1 b2'],
    [4, 't1 t2 f1 b1'],
    [1, 't1'],
  ]
  test('loses the end of its body on a large screen, and keeps the keys', () => {
    const body = column(...Array.from({ length: 20 }, (_, i) => `b${i}`))
    const frame = linesOf(frameOf({ ...parts, body }, 14, 80), 80)
    assert.equal(frame.length, 14)
    assert.deepEqual([frame[3], frame[12], frame[13]], ['b0', 'b9', 'k'])
  })
  for (const [lines, expected] of rows)
    test(`fits ${lines} lines`, () =>
      assert.equal(linesOf(frameOf(parts, lines, 80), 80).join(' '), expected))
})

describe('a session', () => {
  test('keeps the highest and the lowest of all, and the step from the last one', () => {
    const { range, step, blocks, series } = sessionOf(5n, 9n, 2n, 4n)
    const last = { change: 2n, since: 122 }
    assert.deepEqual({ range, step, blocks }, { range: [2n, 9n], step: last, blocks: 4 })
    assert.deepEqual(series, [5n, 9n, 2n, 4n])
  })
  test('names the block of the last number where it is not the last block', () => {
    const [style, format] = [at(80), String]
    const textAt = (height: number, value: bigint) =>
      stepText(watching({ session: addHeight(sessionOf(5n), height, value) }), format, style)
    const late = addHeight(addHeight(undefined, 1_895, 5n), 1_899, 5n)
    assert.equal(stepText(watching({ session: late }), format, style), 'as at block 1,895')
    assert.equal(textAt(121, 7n), '▲ 2 since the last block')
    assert.equal(textAt(125, 4n), '▼ 1 since block 120')
    assert.equal(textAt(119, 5n), 'as at block 120')
  })
  test('counts the heights that it has not seen', () => {
    const session = addHeight(addHeight(undefined, 10, 1n), 14, 1n)
    assert.deepEqual([session.blocks, session.skipped], [2, 3])
  })
  test('continues over a height without a number', () => {
    const session = addHeight(addHeight(sessionOf(5n), 121, undefined), 122, 7n)
    assert.deepEqual([session.range, session.step], [[5n, 7n], { change: 2n, since: 120 }])
    assert.equal(addHeight(undefined, 1, undefined).range, undefined)
  })
  test('keeps a mid price as an integer, to the digit', () => {
    assert.equal(decimalOf('0.5'), 5n * 10n ** 17n)
    assert.equal(decimalOf('12'), 12n * 10n ** 18n)
  })
})

describe('arbitrage loops from one block to the next', () => {
  const [known] = scan.opportunities
  const other = { ...known!, id: 'other' }
  const better = {
    ...known!,
    output: { ...known!.output, amount: `${BigInt(known!.output.amount) + 1n}` },
  }
  const answer = (...opportunities: (typeof scan.opportunities)[number][]) => ({
    ...scan,
    opportunities,
  })
  test('open at first, stay, change by an atomic, and close', () => {
    const ids = (changes: ReturnType<typeof arbsChanges>) => [
      changes.opened.map(({ id }) => id),
      changes.changed.map(({ now }) => now.id),
      changes.closed.map(({ id }) => id),
    ]
    assert.deepEqual(ids(arbsChanges(undefined, answer(known!))), [[known!.id], [], []])
    assert.deepEqual(ids(arbsChanges(answer(known!), answer(known!))), [[], [], []])
    assert.deepEqual(ids(arbsChanges(answer(known!), answer(better))), [[], [known!.id], []])
    assert.deepEqual(ids(arbsChanges(answer(known!), answer(other))), [['other'], [], [known!.id]])
  })
})
