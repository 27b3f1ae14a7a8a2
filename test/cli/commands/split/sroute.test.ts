import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { sroute } from '../../../../src/operations/split/split.js'
import { readSplitRequest } from '../../../../src/operations/split/split-documents.js'
import { app, ask, swap as body, legsOf, market } from '../../../operations/split/asking.js'
import { runSwap, withoutQuoteId } from '../../../support/cli.js'
import { LONG } from '../../../support/long.js'
import { folder, shell } from '../../../support/program.js'

const SROUTE = ['sroute', '1.5', 'btc', 'rune']
const GRID = [...SROUTE, '--split-step', '5']
const eth = 'eth-eth'
const addressOf = (a: string, b: string): string =>
  [...market.books.values()].find(
    ({ state: { pair } }) => [pair.base, pair.quote].sort().join() === [a, b].sort().join(),
  )!.state.pair.address

/** A JSON value with the members of every object sorted by name. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, each]) => [name, sorted(each)]),
        )
      : value

describe('a flag of swap sroute', () => {
  const rows: readonly (readonly [flags: readonly string[], members: object])[] = [
    [[], {}],
    [['--split-step', '2'], { input: { ...body.input, split_step: 2 } }],
    [['--max-legs', '3'], { max_legs: 3 }],
    [['--no-grid'], { grid: false }],
    [['--frontier'], { explain: true, frontier: true }],
    [['--explain'], { explain: true, frontier: true }],
    [['--max-hops', '2'], { max_hops: 2 }],
    [['--limit', '1'], { limit: 1 }],
    [['--slippage', '1%'], { slippage_bps: 100 }],
    [['--slippage-bps', '70'], { slippage_bps: 70 }],
    [['--affiliate', 'acme'], { affiliate: 'acme' }],
    [['--via', 'eth'], { via: [eth] }],
    [['--exclude', 'eth,tcy'], { exclude: [eth, 'tcy'] }],
    [['--min-out', '227700rune'], { min_out: '22770000000000' }],
    [['--max-impact', '1.5%'], { max_impact_bps: 150 }],
    [['--path', 'rune/btc'], { path: [addressOf('rune', 'btc-btc')] }],
    [
      ['--legs', '0.9:rune/btc', '--legs', '0.6:eth/btc,eth/rune'],
      {
        legs: [
          { path: [addressOf('rune', 'btc-btc')], amount: '90000000' },
          { path: [addressOf(eth, 'btc-btc'), addressOf(eth, 'rune')], amount: '60000000' },
        ],
      },
    ],
  ]
  for (const [flags, members] of rows)
    test(`is a member of its request: ${flags.join(' ') || 'none'}`, async () => {
      const { stdout, status } = await runSwap([...SROUTE, ...flags, '--json'])
      assert.equal(status, 0)
      // Without a step or a given split, shares have any size.
      const isGiven = ['--split-step', '--legs', '--path'].includes(flags[0] ?? '')
      const request = { ...body, ...members, ...(!isGiven && { grid: false }) }
      const answer = await sroute(app, readSplitRequest(request))
      assert.equal(withoutQuoteId(stdout), `${JSON.stringify(answer)}\n`)
    })

  test('is not needed for an amount to receive', async () => {
    const { stdout } = await runSwap(['sroute', 'btc', '100000', 'rune', '--json'])
    const request = {
      input: { denom: 'btc-btc' },
      output: { denom: 'rune', amount: '10000000000000' },
      grid: false,
    }
    assert.equal(
      withoutQuoteId(stdout),
      `${JSON.stringify(await sroute(app, readSplitRequest(request)))}\n`,
    )
  })
})

describe('bad input of swap sroute', () => {
  const rows: readonly (readonly [readonly string[], string, number, RegExp])[] = [
    [[...SROUTE, '--split-step', '0'], 'INVALID_SPLIT_STEP', 2, /from 1 to 10/],
    [[...SROUTE, '--split-step', '11'], 'INVALID_SPLIT_STEP', 2, /a split step of 11/],
    [[...SROUTE, '--split-step', '2.5'], 'INVALID_SPLIT_STEP', 2, /2\.5/],
    [[...SROUTE, '--split-step', 'x'], 'INVALID_SPLIT_STEP', 2, /write e\.g\. 5: shares of 5 %/],
    [[...SROUTE, '--max-legs', '11'], 'INVALID_REQUEST', 2, /from 1 to 10/],
    [[...SROUTE, '--max-legs', '0'], 'INVALID_REQUEST', 2, /--max-legs/],
    [[...SROUTE, '--legs', 'rune/btc'], 'INVALID_REQUEST', 2, /an amount, a colon/],
    [
      [...SROUTE, '--legs', '1:rune/btc'],
      'INVALID_REQUEST',
      2,
      /add up to 1 BTC, not to [\d.]+ BTC/,
    ],
    [[...SROUTE, '--legs', '1,5:rune/btc'], 'INVALID_AMOUNT', 2, /1\.5 or 15\?/],
    [[...SROUTE, '--legs', '1.5:nowhere'], 'NOT_FOUND', 2, /no pair of demo/],
    [
      [...SROUTE, '--legs', '1.5:rune/btc', '--max-legs', '2'],
      'INVALID_REQUEST',
      2,
      /--legs does not go with --max-legs.*legs are given.*leave --max-legs out/s,
    ],
    [
      [...SROUTE, '--legs', '1.5:rune/btc', '--via', 'usdc'],
      'INVALID_REQUEST',
      2,
      /--legs does not go with --via/,
    ],
    [['sroute', '0', 'btc', 'rune'], 'INVALID_AMOUNT', 2, /zero/],
    [['sroute', '1', 'btc', 'btc'], 'SAME_TOKEN', 2, /different tokens/],
    [['sroute', '1', 'btc', 'runr'], 'UNKNOWN_TOKEN', 2, /rune/],
    [['sroute', '1', 'btc'], 'INVALID_REQUEST', 2, /swap sroute <amount>/],
    [[...SROUTE, 'more'], 'INVALID_REQUEST', 2, /sroute does not take "more"/],
    [[...SROUTE, '--split-steps', '3'], 'INVALID_REQUEST', 2, /--split-step/],
    [['sroute', '500000000', 'gusd', 'rune'], 'INSUFFICIENT_LIQUIDITY', 3, /no split from GUSD/],
    [['sroute', '1', 'xusk', 'lqdy', '--max-hops', '1'], 'NO_ROUTE', 3, /--max-hops/],
    [['sroute', '--atomic', '1', 'rune', 'btc'], 'AMOUNT_TOO_SMALL', 3, /too little/],
    [[...SROUTE, '--min-out', '300000rune'], 'ASSERTION_FAILED', 5, /the best split pays less/],
    [[...SROUTE, '--max-impact', '1%'], 'PRICE_IMPACT_TOO_HIGH', 5, /126\.44 bps/],
  ]
  for (const [args, code, status, text] of rows)
    test(`such as ${args.join(' ')} is ${code}, exit ${status}`, async () => {
      const human = await runSwap(args)
      assert.equal(human.status, status)
      assert.equal(human.stdout, '')
      const words = human.stderr.replace(/\s+/g, ' ')
      assert.ok(words.includes(`code ${code} (exit ${status})`), words)
      assert.match(words, text)
      assert.doesNotMatch(human.stderr, /\n\s+at /)
      // One document has the form of all of its code.
      if (rows.find(([, other]) => other === code)?.[0] !== args && !LONG) return
      const json = await runSwap([...args, '--json'])
      assert.equal(json.status, status)
      assert.equal(JSON.parse(json.stdout).code, code)
    })
})

describe('swap sroute', () => {
  test('prints the output with -q, for exact-out the input, in base units with --atomic', async () => {
    assert.equal(
      (await runSwap([...SROUTE, '--split-step', '5', '-q'])).stdout,
      '227769.37314798\n',
    )
    assert.equal(
      (await runSwap([...GRID, '-q', '--atomic', '--limit', '1'].with(1, '150000000'))).stdout,
      '22776937314798\n',
    )
    assert.match((await runSwap(['sroute', 'btc', '100000', 'rune', '-q'])).stdout, /^0\.6\d+\n$/)
    assert.equal((await runSwap([...SROUTE, '-qq'])).stdout, '')
  })

  test('stores the quote under the first digits of the hash of its sorted members, which stderr names', async () => {
    const { stdout, stderr } = await runSwap([...SROUTE, '--json'])
    const document = stdout.trimEnd()
    const quote = JSON.stringify(sorted(JSON.parse(withoutQuoteId(document))))
    const id = `q_${createHash('sha256').update(quote).digest('hex').slice(0, 8)}`
    assert.equal(JSON.parse(document).quote_id, id)
    assert.match(stderr, new RegExp(`note: quote ${id}`))
    const quiet = await runSwap([...SROUTE, '-q'])
    assert.equal(quiet.stderr, `note: quote ${id}\n`)
    assert.equal((await runSwap([...SROUTE, '--id'])).stdout, `${id}\n`)
    assert.equal(readFileSync(join(folder, 'state', 'quotes', `${id}.json`), 'utf8'), document)
  })

  test('quotes the legs of a stored quote to the same amounts', async () => {
    const found = await ask()
    const flags = legsOf(found).flatMap(({ path, amount }) => [
      '--legs',
      `${amount}:${path.join(',')}`,
    ])
    const { stdout } = await runSwap([
      'sroute',
      '--atomic',
      '150000000',
      'btc',
      'rune',
      ...flags,
      '--json',
    ])
    assert.equal(JSON.parse(stdout).routes[0].expected_output, found.routes[0]!.expected_output)
  })

  test('refuses --explain and --verify with --csv, as a route refuses --allow-direct', async () => {
    for (const [command, flag] of [
      [SROUTE, '--explain'],
      [SROUTE, '--verify'],
      [['route', '1', 'btc', 'rune'], '--allow-direct'],
    ] as const) {
      const { status, stdout, stderr } = await runSwap([...command, '--csv', flag])
      assert.deepEqual([status, stdout], [2, ''])
      assert.ok(stderr.includes(`${flag} cannot be written as CSV`), stderr)
      assert.ok(stderr.includes(`say --json for everything, or leave ${flag} out`), stderr)
    }
  })

  test('prints a row for each leg with --csv', async () => {
    const rows = (await runSwap([...GRID, '--csv'])).stdout.split('\r\n')
    assert.match(rows[0]!, /^quote_id,route,leg,share_bps,in_symbol,/)
    assert.equal(rows.length, 6)
    assert.deepEqual(
      rows.slice(1, 5).map((row) => row.split(',')[3]),
      ['5500', '3500', '500', '500'],
    )
  })

  test('prints keys and values in a pipe, the picture with -o human, neither with escape codes', async () => {
    const plain = (await runSwap(SROUTE)).stdout
    assert.match(plain, /^network\tdemo\n/)
    const human = (await runSwap([...GRID, '-o', 'human'])).stdout
    assert.match(human, /┳━━━ 55 % ━ fin/)
    for (const text of [plain, human]) assert.ok(!text.includes(String.fromCharCode(27)))
    assert.equal(shell(`swap ${SROUTE.join(' ')} -o human | head -1`).stdout.split('\n').length, 2)
  })

  test('prints the explanation below the quote with --explain, also in a pipe', async () => {
    const human = (await runSwap([...GRID, '--explain', '-o', 'human'])).stdout
    assert.match(human, /L1\.1 {2}fin btc\/usdc, \d+ levels/)
    assert.match(human, /ITS LAST 0\.075 BTC ADDS/)
    assert.match(human, /PATHS WITHOUT A SHARE/)
    const plain = (await runSwap([...SROUTE, '--explain'])).stdout
    assert.match(plain, /^explain\.leg\.1\.hop\.1\.level\.1\.rate\t\d/m)
    assert.match(plain, /^explain\.unused\.1\.path\tbtc-btc > /m)
  })

  test('has every flag in its help', async () => {
    const { stdout, status } = await runSwap(['sroute', '--help-all'])
    assert.equal(status, 0)
    for (const flag of [
      '--split-step',
      '--max-legs',
      '--legs',
      '--explain',
      '--verify',
      '--height',
      '--stdin',
    ])
      assert.ok(stdout.includes(flag), flag)
  })
})

describe('swap sroute --stdin', () => {
  test('answers lines in order, with an error in its place, and ends with the largest status', async () => {
    const lines = [
      JSON.stringify(body),
      '{"input":{"denom":"btc-btc","amount":"1","split_step":0},"output":{"denom":"rune"}}',
      'nonsense',
      JSON.stringify({ ...body, max_legs: 1 }),
      JSON.stringify({ ...body, max_impact_bps: 1 }),
    ]
    const { stdout, status } = await runSwap(['sroute', '--stdin'], { input: lines.join('\n') })
    const answers = stdout.trimEnd().split('\n')
    assert.equal(answers[0], JSON.stringify(await ask()))
    assert.equal(answers[3], JSON.stringify(await ask({ max_legs: 1 })))
    const codes = answers.map((line) => JSON.parse(line).code)
    assert.deepEqual(codes, [
      undefined,
      'INVALID_SPLIT_STEP',
      'INVALID_REQUEST',
      undefined,
      'PRICE_IMPACT_TOO_HIGH',
    ])
    assert.match(answers[2]!, /POST \/swap\/sroute/)
    assert.equal(status, 5)
  })

  test.each([['-q'], ['-v'], ['--id'], ['--atomic'], ['--csv'], ['-o', 'human']])(
    'refuses the form of a single answer: %s %s',
    async (...flags) => {
      const { status, stderr } = await runSwap(['sroute', '--stdin', ...flags], { input: '' })
      assert.equal(status, 2)
      assert.match(stderr, /every line is answered with its document/)
      const written = flags.join(' ').replace('-o ', '--output ').replace('-v', '--verbose')
      assert.ok(stderr.includes(`--stdin does not go with ${written}\n`), stderr)
    },
  )

  test('refuses flags that are members of its lines', async () => {
    for (const flags of [['--verify'], ['--max-legs', '2'], ['--no-grid'], ['--slippage', '1%']]) {
      const { status, stderr } = await runSwap(['sroute', '--stdin', ...flags], { input: '' })
      assert.equal(status, 2)
      assert.ok(stderr.includes(`${flags[0]} does not go with --stdin`), stderr)
    }
    assert.equal((await runSwap(['sroute', '--stdin'], { input: '' })).status, 0)
  })

  test('takes no arguments', async () => {
    const { status, stderr } = await runSwap([...SROUTE, '--stdin'], { input: '' })
    assert.equal(status, 2)
    assert.match(stderr, /sroute --stdin does not take "1\.5"/)
    assert.match(stderr, /see what it takes: swap help sroute\n/)
  })
})
