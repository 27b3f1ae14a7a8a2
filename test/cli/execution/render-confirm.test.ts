import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { needsTyping, notConfirmed, questionOf } from '../../../src/cli/execution/confirm.js'
import { renderSwapConfirm } from '../../../src/cli/execution/render-confirm.js'
import type { SwapView } from '../../../src/execution/plan/signing-view.js'
import { displayWidth } from '../../../src/render/width.js'
import { address, context, style, usdc } from './swap-context.js'

const router = 'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08'

const view: SwapView = {
  kind: 'swap',
  network: 'demo',
  keyName: 'demo',
  decoded: {
    chainId: 'demo-1',
    accountNumber: 107n,
    sequence: 3n,
    sender: address,
    publicKey: new Uint8Array(33),
    calls: [],
    memo: '',
    timeoutHeight: 1_164n,
    fee: [{ denom: 'rune', amount: 0n }],
    gasLimit: 3_274_418n,
  },
  fingerprint: '5d'.repeat(32),
  calls: [
    {
      contract: router,
      funds: { denom: 'rune', amount: 2_500_000_000_000n },
      least: { denom: usdc, amount: 3_971_280_147_506n },
      stages: [{ address: 'demo1pair', denom: usdc }],
      recipient: undefined,
      affiliate: undefined,
    },
  ],
  tokens: context.tokens,
  expected: 3_991_236_000_000n,
  quoted: 3_991_236_000_000n,
  impactBps: 80,
  tolerance: { bps: 50, source: 'configuration' },
  market: { height: 1_144 },
  later: [],
  worthMicroUsd: 25_000_000_000n,
  deep: [],
}

describe('the screen before a signature', () => {
  test('shows everything that is signed, in full, with the atomics beside it', () => {
    const text = renderSwapConfirm(view, context, style(120)).join('\n')
    for (const part of [
      'You are about to sign',
      'demo-1',
      `demo  ${address}`,
      'account 107   sequence 3',
      '25,000.00000000 RUNE   2500000000000 rune',
      'at least 39,712.80147506 USDC   3971280147506 eth-usdc',
      'impact 0.80 %',
      'unchanged',
      'Slippage    0.50 % (configuration)',
      'you (demo)',
      router,
      '0 RUNE   gas limit 3,274,418',
      'block 1,164 (about 40 s); after that it can never land',
      '5d'.repeat(32),
      'L1 25,000.00000000 RUNE → at least 39,712.80147506 USDC, over rune/usdc',
    ])
      assert.ok(text.includes(part), `${part}\n${text}`)
  })

  test('has the source of the router address', () => {
    for (const routerOrigin of ['of the built-in list', 'of your configuration (~/.swaprc:3)']) {
      const text = renderSwapConfirm(view, { ...context, routerOrigin }, style(120)).join('\n')
      assert.ok(text.includes(`router ${routerOrigin} ${router}`), text)
    }
  })

  test('of one leg fits a screen of 24 lines with its question, and has a memo where there is one', () => {
    const lines = renderSwapConfirm(view, context, style(80))
    assert.ok(lines.length <= 21, lines.join('\n'))
    assert.ok(!lines.some((line) => line.includes('Memo')))
    const noted = { ...view, decoded: { ...view.decoded, memo: 'rent' } }
    assert.match(renderSwapConfirm(noted, context, style(80)).join('\n'), /Memo +"rent"/)
  })

  test('has its validity in seconds and minutes, or that it never expires', () => {
    const until = (timeoutHeight: bigint, blockMs: number) =>
      renderSwapConfirm(
        { ...view, decoded: { ...view.decoded, timeoutHeight } },
        { ...context, blockMs },
        style(120),
      ).join('\n')
    assert.match(until(1_164n, 6_000), /block 1,164 \(about 2 min\)/)
    assert.match(until(1_149n, 6_000), /block 1,149 \(about 30 s\)/)
    assert.match(until(0n, 6_000), /it can land at any time/)
  })

  test('lists the other transactions and their total', () => {
    const [call] = view.calls
    const next = { funds: call!.funds, least: { denom: usdc, amount: 1_000_000_000n } }
    const text = renderSwapConfirm({ ...view, later: [next, next] }, context, style(120)).join('\n')
    for (const part of [
      'Sends       25,000.00000000 RUNE',
      'In all      75,000.00000000 RUNE for at least 39,732.80147506 USDC   3 transactions',
      '39,912.36 USDC in all',
      'L3 25,000.00000000 RUNE → at least 10.00000000 USDC, in a transaction of its own',
    ])
      assert.ok(text.includes(part), `${part}\n${text}`)
    assert.ok(!renderSwapConfirm(view, context, style(120)).join('\n').includes('in all'))
  })

  test('has the rest of the limits for --yes', () => {
    const limited = (allowance: Parameters<typeof renderSwapConfirm>[1]['allowance']) =>
      renderSwapConfirm(view, { ...context, allowance }, style(120)).join('\n')
    assert.ok(!limited(undefined).includes('--yes'))
    const dollars = 1_000_000n
    const limits = { perTx: 250n * dollars, perDay: 500n * dollars }
    assert.match(
      limited({ ...limits, leftToday: 487_654_321n }),
      /With --yes +at most \$250\.00 a transaction +\$487\.65 left of \$500\.00 in 24 hours/,
    )
    assert.match(
      limited({ ...limits, leftToday: undefined }),
      /\$500\.00 in 24 hours, and what is left of it is not known/,
    )
  })

  test('has the full address of another recipient', () => {
    const call = { ...view.calls[0]!, recipient: 'demo1somebodyelse' }
    const text = renderSwapConfirm({ ...view, calls: [call] }, context, style(100)).join('\n')
    assert.match(text, /Paid to +demo1somebodyelse +NOT the account that signs/)
  })

  test('indents what is wrapped of a leg', () => {
    const lines = renderSwapConfirm(view, context, style(70))
    const at = lines.findIndex((line) => line.includes('L1 '))
    assert.match(lines[at + 1]!, /^ {6}\S/)
  })

  test('has the affiliate that is paid, the sign mode, and the legs that nearly use up a book', () => {
    const calls = [{ ...view.calls[0]!, affiliate: 'acme' }]
    const decoded = { ...view.decoded, isAmino: true }
    const lines = renderSwapConfirm({ ...view, calls, decoded, deep: [1] }, context, style(120))
    const text = lines.join('\n')
    assert.match(text, /Affiliate +acme +is paid as well/)
    assert.match(text, /amino, sha256/)
    assert.match(text, /L1 takes most of what a book holds/)
    assert.doesNotMatch(
      renderSwapConfirm(view, context, style(120)).join('\n'),
      /Affiliate|L1 takes/,
    )
  })

  test('has the change since the quote', () => {
    const text = renderSwapConfirm(
      { ...view, quoted: view.expected + 100_000_000n },
      context,
      style(120),
    ).join('\n')
    assert.match(text, /at block 1,144, -1 USDC/)
  })

  for (const width of [40, 60, 80, 120])
    test(`fits into ${width} columns, also in ASCII`, () => {
      for (const ascii of [false, true])
        for (const line of renderSwapConfirm(view, context, style(width, ascii))) {
          assert.ok(displayWidth(line) <= width, line)
          if (ascii) assert.match(line, /^[\x20-\x7e]*$/)
        }
    })
})

describe('the question before a signature', () => {
  const asked = (symbol?: string) => questionOf(view, symbol, style(120))
  const kinds = (symbol: string | undefined, ...lines: readonly string[]) =>
    lines.map((line) => asked(symbol).kindOf(line))

  test('offers yes, show all and no', () => {
    assert.deepEqual(asked().lines, [
      '  Worth about $25,000.00. Sign and send? [y]es / [s]how all / [N]o',
    ])
    assert.deepEqual(asked('USDC').lines, [
      '  Worth about $25,000.00. Type USDC to sign and send / [s]how all / [N]o',
    ])
  })

  test('takes a letter or its word, asks again after an empty line and declines anything else', () => {
    assert.deepEqual(kinds(undefined, 'y', 'YES', ' yes ', 's', 'show all', 'n', 'No', 'yep'), [
      'sign',
      'sign',
      'sign',
      'show',
      'show',
      'decline',
      'decline',
      'decline',
    ])
    assert.deepEqual(kinds('USDC', 'usdc', 'y', 's', 'n', 'rune'), [
      'sign',
      'decline',
      'show',
      'decline',
      'decline',
    ])
    assert.deepEqual([...kinds(undefined, '', '  '), ...kinds('USDC', '')], Array(3).fill('again'))
  })

  test.each([
    [{ worthMicroUsd: 99_999_999n }, false],
    [{ worthMicroUsd: 100_000_000n }, true],
    [{ worthMicroUsd: undefined }, true],
    [{ worthMicroUsd: 1n, impactBps: 299 }, false],
    [{ worthMicroUsd: 1n, impactBps: 300 }, true],
    [{ worthMicroUsd: 1n, impactBps: null }, true],
  ])('of %o, from $100 on, needs the symbol: %s', (part, expected) =>
    assert.equal(needsTyping({ ...view, ...part }, 100_000_000n), expected),
  )

  test('is not answered by a password, which the error does not repeat', () => {
    assert.match(
      notConfirmed('rune', 'USDC').why ?? '',
      /^you typed "rune", and USDC was expected$/,
    )
    const { message, why } = notConfirmed('correct horse battery', undefined)
    // Another transaction may have been signed before it, and replaced.
    assert.deepEqual([message, why], ['not confirmed, so it was not signed', 'y was expected'])
  })

  test('takes a letter or its word without Enter, a symbol only with it', () => {
    const whole = (symbol?: string) =>
      ['y', 'ye', 'yes', 's', 'n', 'usdc', ''].filter((line) => asked(symbol).isWhole(line))
    assert.deepEqual(whole(), ['y', 'yes', 's', 'n'])
    assert.deepEqual(whole('USDC'), ['s', 'n'])
  })

  test('has other keys where the symbol begins with s or n', () => {
    assert.match(asked('sUSD').lines.join(' '), /Type sUSD .*\/ \[\?\] show all \/ \[N\]o/)
    assert.deepEqual([asked('S').kindOf('s'), asked('S').isWhole('s')], ['sign', false])
    assert.deepEqual([asked('S').kindOf('?'), asked('S').isWhole('?')], ['show', true])
    assert.match(asked('NAMI').lines.join(' '), /\[s\]how all \/ anything else cancels/)
    assert.deepEqual([asked('NAMI').kindOf('n'), asked('NAMI').isWhole('n')], ['decline', false])
  })
})
