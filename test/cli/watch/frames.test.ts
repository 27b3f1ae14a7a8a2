import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { arbsFrame } from '../../../src/cli/commands/arbs/arbs-screen.js'
import { bookFrame, midValue } from '../../../src/cli/commands/book/book-screen.js'
import { historyFrame } from '../../../src/cli/commands/history/history-screen.js'
import { pairsOf } from '../../../src/cli/market-pairs.js'
import { quoteFrame } from '../../../src/cli/quotes/quote-screen.js'
import { type FrameContext, frameOf, MOST_LINES } from '../../../src/cli/watch/frame.js'
import { addHeight, type SessionStats } from '../../../src/cli/watch/session-stats.js'
import { builtInAliases } from '../../../src/config/aliases.js'
import { arbs } from '../../../src/operations/arbitrage/arbs.js'
import { arbsChanges } from '../../../src/operations/arbitrage/changes.js'
import { book } from '../../../src/operations/book/book.js'
import { route } from '../../../src/operations/route/route.js'
import { sroute } from '../../../src/operations/split/split.js'
import { styleOf } from '../../../src/render/style.js'
import { displayWidth } from '../../../src/render/width.js'
import { demoMarket, venueAt } from '../../service/stage.js'

const app = { openMarket: async () => venueAt(120) }
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

const [single, split, scan, pair] = [
  await route(app, request),
  await sroute(app, request),
  await arbs(app, {}),
  await book(app, { pair: [...demoMarket.books.keys()][0]!, levels: 10 }),
]

/** Every frame there is. */
const frames = (width: number, more: Partial<FrameContext> = {}, ascii = false) => {
  const [given, style] = [watching(more), at(width, ascii)]
  return {
    route: quoteFrame(single, undefined, naming, given, style),
    sroute: quoteFrame(split, split, naming, given, style),
    compared: quoteFrame(split, split, naming, { ...given, compares: true }, style),
    arbs: arbsFrame(scan, scan, naming, { ...given, traffic: { opened: 1, closed: 2 } }, style),
    book: bookFrame(pair, naming, given, style),
    history: historyFrame(
      { height: 120, latest: [], fresh: [], seen: 0 },
      { ...naming, network: 'demo', request: {} },
      given,
      style,
    ),
  }
}

describe('every frame', () => {
  test('has at most fourteen lines, and no more than it is given', () => {
    for (const width of [40, 60, 80, 120])
      for (const lines of [1, 3, 5, 7, 9, 11, 13, MOST_LINES])
        for (const [name, frame] of Object.entries(frames(width, { lines })))
          assert.ok(frame.length <= Math.min(lines, 14), `${name} ${width}x${lines}`)
  })
  test('is no wider than the terminal', () => {
    for (const width of [60, 80, 120])
      for (const [name, frame] of Object.entries(frames(width)))
        for (const line of frame) assert.ok(displayWidth(line) <= width, `${name}: ${line}`)
  })
  test('is ASCII where that is asked for', () => {
    for (const frame of Object.values(frames(80, {}, true)))
      assert.match(frame.join('\n'), /^[\n\x20-\x7e]*$/)
  })
  test('tells the last problem until the next answer, and keys only where they are read', () => {
    for (const frame of Object.values(frames(120, { problem: 'error: no route (NO_ROUTE)' })))
      assert.ok(frame.some((line) => line.includes('NO_ROUTE')))
    for (const frame of Object.values(frames(80, { keys: false })))
      assert.equal(frame.at(-1), '  ctrl-c stops')
  })
})

test('a divided quote is drawn like this', () => {
  assert.equal(
    quoteFrame(split, split, naming, watching(), at(80)).join('\n'),
    `\
1.5 BTC → RUNE · every block                                    demo · block 120
────────────────────────────────────────────────────────────────────────────────
  Now         227,769.37 RUNE   ▲ 9.6025664 since the last block
  Impact      1.26 % ▅ notable
  Session     high 226,879.60   low 226,870   2 blocks, 0 missed
  ▁█

  55 %  ███████▊  BTC ─ fin btc/usdc → USDC ─ fin rune/usdc → RUNE
  35 %  ████▉     BTC ─ fin rune/btc → RUNE
   5 %  ▊         BTC ─ fin eth/btc → ETH ─ fin eth/rune → RUNE
   5 %  ▊         BTC ─ fin tcy/btc → TCY ─ fin tcy/rune → RUNE

  enter takes this quote · c compares · q quits`,
  )
})

test('shares that have changed since the last block say by how much', () => {
  const before = structuredClone(split)
  const [first, second] = before.routes[0]!.legs
  Object.assign(first!.split, { fraction: '0.50' })
  Object.assign(second!.split, { fraction: '0.40' })
  const lines = quoteFrame(split, before, naming, watching(), at(100))
  assert.ok(lines.some((line) => / 55 % .*\+5$/.test(line)))
  assert.ok(lines.some((line) => / 35 % .*-5$/.test(line)))
})

describe('what is cut where space is short', () => {
  const parts = { title: ['t1', 't2'], figures: ['f1'], body: ['b1', 'b2'], foot: ['k'] }
  const rows: readonly (readonly [number, string])[] = [
    [9, 't1 t2 f1  b1 b2  k'],
    [6, 't1 t2 f1 b1 b2 k'],
    [5, 't1 t2 f1 b1 b2'],
    [4, 't1 t2 f1 b1'],
    [1, 't1'],
  ]
  test('of a large screen the body, and never the keys', () => {
    const body = Array.from({ length: 20 }, (_, i) => `b${i}`)
    const frame = frameOf({ ...parts, body }, 14)
    assert.equal(frame.length, 14)
    assert.deepEqual([frame[3], frame[12], frame[13]], ['b0', 'b9', 'k'])
  })
  for (const [lines, expected] of rows)
    test(`to ${lines} lines`, () => assert.equal(frameOf(parts, lines).join(' '), expected))
})

describe('a session', () => {
  test('keeps the highest and the lowest of all, and the step from the last one', () => {
    const { range, step, blocks, series } = sessionOf(5n, 9n, 2n, 4n)
    assert.deepEqual({ range, step, blocks }, { range: [2n, 9n], step: 2n, blocks: 4 })
    assert.deepEqual(series, [5n, 9n, 2n, 4n])
  })
  test('counts the heights that it has not seen', () => {
    const session = addHeight(addHeight(undefined, 10, 1n), 14, 1n)
    assert.deepEqual([session.blocks, session.missed], [2, 3])
  })
  test('goes on over a height without a number', () => {
    const session = addHeight(addHeight(sessionOf(5n), 121, undefined), 122, 7n)
    assert.deepEqual([session.range, session.step], [[5n, 7n], 2n])
    assert.equal(addHeight(undefined, 1, undefined).range, undefined)
  })
  test('keeps a mid price as an integer, to the digit', () => {
    assert.equal(midValue('0.5'), 5n * 10n ** 17n)
    assert.equal(midValue('12'), 12n * 10n ** 18n)
    assert.equal(midValue(null), undefined)
  })
})

describe('circles from one block to the next', () => {
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
