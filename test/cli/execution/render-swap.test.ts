import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { tokens } from '../../../src/chain/networks/tokens.js'
import { questionOf } from '../../../src/cli/execution/question.js'
import { renderSwapConfirm } from '../../../src/cli/execution/render-swap-confirm.js'
import { renderSwapReport } from '../../../src/cli/execution/render-swap-report.js'
import type { SwapReport } from '../../../src/execution/lifecycle/swap-report.js'
import type { SwapView } from '../../../src/execution/plan/signing-view.js'
import { styleOf } from '../../../src/render/style.js'
import { displayWidth } from '../../../src/render/width.js'

const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const address = 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'
const router = 'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08'

const view: SwapView = {
  kind: 'swap',
  network: 'demo',
  real: false,
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
  tokens: new Map([...tokens]),
  expected: 3_991_236_000_000n,
  quoted: 3_991_236_000_000n,
  impactBps: 80,
  tolerance: { bps: 50, source: 'configuration' },
  market: { height: 1_144 },
  mode: 'batch',
  later: [],
  worthMicroUsd: 25_000_000_000n,
  gasUsed: 2_339_060n,
  deep: [],
}

const context = {
  tokens: view.tokens,
  aliases: new Map([['usdc', usdc]]),
  pairs: new Map([['demo1pair', { base: 'rune', quote: usdc }]]),
  accounts: new Map([['demo1ofthebook', 'alice']]),
  routerOrigin: 'of the built-in list',
  blockMs: 2_000,
  allowance: undefined,
}
const style = (width: number, ascii = false) => styleOf({ width, color: false, ascii, tty: true })

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
    const next = { funds: call!.funds, least: 1_000_000_000n, output: usdc }
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
    assert.match(
      limited({ perTx: 250n * dollars, perDay: 500n * dollars, leftToday: 487_654_321n }),
      /With --yes +at most \$250\.00 a swap +\$487\.65 left of \$500\.00 in 24 hours/,
    )
  })

  test('has the full address of another recipient', () => {
    const call = { ...view.calls[0]!, recipient: 'demo1somebodyelse' }
    const text = renderSwapConfirm({ ...view, calls: [call] }, context, style(100)).join('\n')
    assert.match(text, /Paid to +demo1somebodyelse +NOT the account that signs/)
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
      ...['sign', 'sign', 'sign', 'show', 'show', 'decline', 'decline', 'decline'],
    ])
    assert.deepEqual(kinds('USDC', 'usdc', 'y', 's', 'n', 'rune'), [
      ...['sign', 'decline', 'show', 'decline', 'decline'],
    ])
    assert.deepEqual([...kinds(undefined, '', '  '), ...kinds('USDC', '')], Array(3).fill('again'))
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
  amount_in: { denom: 'rune', amount: '10000000000' },
  spent: [{ denom: 'rune', amount: '9000000000' }],
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
      '100 RUNE → 51.01 USDC · confirmed',
      '1.01 USDC above the minimum',
      '+0.01 USDC, +0.02 %',
      'Price       0.56677777 USDC per RUNE',
      'Spent       90 RUNE',
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
    const text = renderSwapReport(
      { ...report, status: 'partial', amount_out: part, legs },
      context,
      style(120),
    )
    assert.match(text, /Received +25\.51 USDC +0\.51 USDC above the minimum/)
  })

  test('is one field a line in a pipe', () => {
    const lines = renderSwapReport(
      report,
      { tokens: view.tokens },
      styleOf({ width: 80, color: false, ascii: false, tty: false }),
    ).split('\n')
    assert.ok(lines.every((line) => line.split('\t').length === 2))
    assert.ok(lines.includes('left_behind\t12345678 tcy'))
    assert.ok(lines.includes('vs_quote\t1000000'))
  })
})
