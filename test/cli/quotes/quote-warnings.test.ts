import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { openPairs } from '../../../src/cli/arguments/pair-name.js'
import { arbsFrame } from '../../../src/cli/commands/arbs/arbs-screen.js'
import { bookFrame } from '../../../src/cli/commands/book/book-screen.js'
import { quoteFrame } from '../../../src/cli/quotes/quote-screen.js'
import { textOf } from '../../../src/cli/watch/frame.js'
import { addHeight } from '../../../src/cli/watch/session-stats.js'
import { arbs } from '../../../src/operations/arbitrage/arbs.js'
import { book } from '../../../src/operations/book/book.js'
import { sroute } from '../../../src/operations/split/split.js'
import {
  app,
  btc,
  context,
  market,
  quoted,
  rune,
  terminal,
  withBest,
} from '../../render/documents.js'
import { runSwap } from '../../support/cli.js'

const warningsOf = (stderr: string) => stderr.split('\n').filter((line) => /^warning: /.test(line))

test.each([
  ['-o human', false],
  ['-q', true],
  ['--json', true],
  ['--csv', true],
  ['--id', false],
  ['-qq', false],
])('the id of a quote with %s is a note: %s', async (form, isNote) => {
  const { stderr } = await runSwap(['route', '1', 'btc', 'rune', ...form.split(' ')])
  assert.equal(/^note: quote q_[0-9a-f]{8}$/m.test(stderr), isNote, stderr)
})

describe('a quote of which one value is printed', () => {
  test('has each warning of its screen as a line on standard error', async () => {
    for (const [command, flag] of [
      ['route', '-q'],
      ['route', '--id'],
      ['sroute', '-q'],
    ] as const) {
      const { status, stdout, stderr } = await runSwap([command, '1000', 'btc', 'rune', flag])
      assert.equal(status, 0)
      assert.match(stdout, /^\S+\n$/)
      const warnings = warningsOf(stderr)
      assert.equal(warnings.length, 2, stderr)
      assert.match(warnings[0]!, /^warning: takes \d+\.\d\d % of /)
      assert.match(warnings[1]!, /^warning: severe impact of 9\d\.\d\d %/)
    }
  })
  test('is not an id where a form of the answer is named', async () => {
    for (const form of ['--json', '--csv']) {
      const { status, stderr } = await runSwap(['route', '1', 'btc', 'rune', '--id', form])
      assert.equal(status, 2)
      assert.match(stderr, new RegExp(`--id does not go with ${form}`))
    }
  })
  test('has none where the screen has none, and none with -qq', async () => {
    assert.deepEqual(warningsOf((await runSwap(['route', '1', 'rune', 'usdc', '-q'])).stderr), [])
    assert.equal((await runSwap(['route', '1000', 'btc', 'rune', '-qq'])).stderr, '')
  })
})

describe('an amount that no path takes', () => {
  test('to receive has the most that is paid, and what is left of it after slippage', async () => {
    const asked = async (slippage: string) => {
      const args = ['btc', '1000000000', 'rune', '--slippage', slippage, '--json']
      return JSON.parse((await runSwap(['sroute', ...args])).stdout)
    }
    const { detail, hint } = await asked('0.5%')
    const [, least] = /^ask for ([\d.]+ RUNE) or less$/.exec(hint.replace(/^.* otherwise /, ''))!
    assert.match(detail, new RegExp(`; after slippage it is ${least}$`))
    assert.doesNotMatch((await asked('0%')).detail, /slippage/)
  })

  test('has a hint that names swap max, where the most that passes would lose most of its worth', async () => {
    for (const [command, flags] of [
      ['route', ''],
      ['sroute', ' --split'],
    ] as const) {
      const { stdout } = await runSwap([command, '100000000', 'btc', 'rune', '--json'])
      const { code, hint } = JSON.parse(stdout)
      assert.equal(code, 'INSUFFICIENT_LIQUIDITY')
      assert.match(hint, /or less; most of that would be lost: /)
      assert.ok(hint.includes(`swap max btc rune --max-impact 5%${flags} finds`), hint)
    }
  })
})

test('a watched answer is marked where something that it rests on is unknown', async () => {
  const watching = {
    session: addHeight(undefined, 120, 1n),
    pace: 'every block',
    keys: true,
    problem: undefined,
    compares: false,
    lines: 20,
  }
  const style = terminal(80)
  const isMarked = (frame: Parameters<typeof textOf>[0]) =>
    textOf(frame, 80).includes('\n  Estimate    not every book is known in full')
  const estimated = <T>(each: T) => ({ ...each, exact: false })
  const isMarkedQuote = (quote: Parameters<typeof quoteFrame>[0]['quote']) =>
    isMarked(quoteFrame({ quote, naming: context }, undefined, watching, style))
  const route = await quoted()
  assert.ok(!isMarkedQuote(route))
  assert.ok(isMarkedQuote(withBest(route, { exact: false })))
  const input = { denom: btc, amount: '150000000' }
  const split = await sroute(app, { input, output: { denom: rune } })
  const [best] = split.routes
  const legs = best!.legs.with(-1, estimated(best!.legs.at(-1)!))
  assert.ok(!isMarkedQuote(split))
  assert.ok(isMarkedQuote({ ...split, routes: [{ ...best!, legs }] }))
  const pair = await book(app, { pair: openPairs(market, btc, rune)[0]!, levels: 10 })
  const isMarkedBook = (answer: typeof pair) =>
    isMarked(bookFrame({ answer, naming: context }, undefined, watching, style))
  assert.ok(!isMarkedBook(pair))
  assert.ok(isMarkedBook({ ...pair, pair: estimated(pair.pair) }))
  const scan = await arbs(app, {})
  const isMarkedScan = (opportunities: typeof scan.opportunities) => {
    const loops = { scan: { ...scan, opportunities }, traffic: { opened: 0, closed: 0 } }
    return isMarked(arbsFrame({ ...loops, naming: context }, undefined, watching, style))
  }
  assert.ok(!isMarkedScan(scan.opportunities))
  assert.ok(isMarkedScan(scan.opportunities.map(estimated)))
})
