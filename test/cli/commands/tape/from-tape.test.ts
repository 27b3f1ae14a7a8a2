import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { runIn, runSwap } from '../../../support/cli.js'
import { temporaryFolder } from '../../../support/folder.js'
import { blocksOf, recordTape } from '../../../support/tape.js'

const bin = resolve('bin/swap.js')
const tape = join(temporaryFolder('tape'), 'blocks.tape')
const markets = blocksOf(104)
const first = markets[0]!.height
beforeAll(async () => {
  await recordTape(tape, markets)
})

const QUOTE = ['0.1', 'btc', 'usdc', '--tape', tape]
const json = async (...argv: readonly string[]) => {
  const { stdout, stderr } = await runSwap([...argv, '--json'])
  assert.notEqual(stdout, '', stderr)
  return JSON.parse(stdout)
}

describe('a command with --tape and --at', () => {
  test('suggests one that reads the same block', async () => {
    const block = ['--tape', tape, '--at', 'last']
    const max = ['max', 'btc', 'usdc', '--max-impact', '1%', ...block]
    const { stdout } = await runSwap([...max, '-o', 'human', '--width', '200'])
    const next = /Next +swap (.*)/.exec(stdout)?.[1]?.split(' ') ?? []
    assert.equal((await json(...next)).height, first + 103)
    const severe = await runSwap(['route', '300', 'btc', 'usdc', ...block, '-o', 'human'])
    const text = severe.stdout.replaceAll(/\s+/g, ' ')
    assert.ok(text.includes(`swap max --tape ${tape} --at last btc usdc`), text)
  })
  test('answers as of the recorded block', async () => {
    for (const at of [0, 50])
      assert.equal((await json('route', ...QUOTE, '--at', `${first + at}`)).height, first + at)
    assert.equal((await json('route', ...QUOTE, '--at', 'last')).height, first + 103)
    assert.equal((await json('price', 'btc', '--tape', tape, '--at', 'last')).height, first + 103)
    for (const name of ['curve', 'arbs'])
      assert.equal(
        (
          await json(
            ...(name === 'arbs' ? [name] : [name, 'btc', 'usdc', '--points', '2']),
            '--tape',
            tape,
            '--at',
            `${first}`,
          )
        ).height,
        first,
      )
  })

  test('is refused without the other flag, and for a block that was not recorded', async () => {
    assert.match(
      (await json('route', '1', 'btc', 'usdc', '--at', '5')).detail,
      /--at goes with --tape/,
    )
    assert.match(
      (await json('route', ...QUOTE)).detail,
      /--tape goes with --at or --slippage auto;/,
    )
    assert.match((await json('tokens', '--tape', tape)).detail, /--tape goes with --at;/)
    for (const other of ['--height', '--snapshot'])
      assert.ok(
        (await json('route', ...QUOTE, '--at', '5', other, '5')).detail.startsWith(
          `--at does not go with ${other};`,
        ),
      )
    for (const file of ['none.tape', 'package.json'])
      assert.match(
        (await json('price', 'btc', '--tape', resolve(file), '--at', '5')).detail,
        /is not a tape that can be used; /,
      )
    const missing = await json('route', ...QUOTE, '--at', '5')
    assert.deepEqual([missing.code, missing.earliest], ['NOT_FOUND', first])
  })
})

describe.runIf(process.platform !== 'win32')('a named pipe in place of a tape', () => {
  const pipe = join(temporaryFolder('tape'), 'pipe')
  execFileSync('mkfifo', [pipe])
  const env = { PATH: process.env['PATH'] ?? '', SWAP_HOME: temporaryFolder('tape') }
  const swap = (...words: readonly string[]) =>
    spawnSync(process.execPath, [bin, ...words], { env, encoding: 'utf8', timeout: 20_000 })

  for (const words of [
    ['tape', 'show', pipe],
    ['route', ...QUOTE.slice(0, 3), '--tape', pipe, '--slippage', 'auto'],
  ])
    test(`is refused by swap ${words[0]} without a wait`, () => {
      const { status, stderr } = swap(...words)
      assert.match(stderr, /it is not a regular file/)
      assert.equal(status, 2)
    })

  test('gives the snapshot that is written to it', async () => {
    const { stdout } = await runSwap(['snapshot', 'save', '-'])
    const writer = open(pipe, 'w').then((file) => file.writeFile(stdout).then(() => file.close()))
    const quote = await json('route', ...QUOTE.slice(0, 3), '--snapshot', pipe)
    await writer
    assert.equal(quote.height, JSON.parse(stdout).height)
  })
})

describe('--slippage auto', () => {
  test('takes the slippage of recorded blocks, and says why', async () => {
    for (const name of ['route', 'sroute']) {
      const answer = await json(name, ...QUOTE, '--at', 'last', '--slippage', 'auto')
      const { slippage } = answer
      assert.equal(slippage.bps, answer.slippage_bps)
      assert.equal(slippage.evidence.blocks, 103)
      assert.ok(slippage.bps >= 1 && slippage.bps <= 50)
      const [best] = answer.routes
      const leg = best.legs?.[0] ?? best
      const least = (BigInt(leg.expected_output) * BigInt(10_000 - slippage.bps)) / 10_000n
      assert.equal(leg.min_return, `${least}`)
    }
  })

  test('falls back to the configured slippage, and says so', async () => {
    const early = await json('route', ...QUOTE, '--at', `${first + 60}`, '--slippage', 'auto')
    assert.deepEqual([early.slippage.source, early.slippage_bps], ['configured', 50])
    const none = await runSwap(['route', '0.1', 'btc', 'usdc', '--slippage', 'auto'])
    assert.match(
      none.stdout,
      /slippage\.reason\t0\.5 % \(50 bps\) as configured: 0 of at least 100/,
    )
  })

  test('is refused by commands that do not choose one', async () => {
    const { code } = await json('arbroute', '100', 'usdc', '--slippage', 'auto')
    assert.equal(code, 'INVALID_SLIPPAGE')
  })
})

describe('swap tape replay', () => {
  test('writes one document a block, problems included', async () => {
    const words = ['tape', 'replay', tape, '--from-block', `${first + 100}`, '--']
    const { stdout, status } = await runSwap([...words, 'route', '0.1', 'btc', 'usdc'])
    assert.equal(status, 0)
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map(({ height }) => height),
      [100, 101, 102, 103].map((i) => first + i),
    )
    const terminal = { home: temporaryFolder(), isTerminal: true }
    const drawn = await runIn(terminal, [...words.slice(0, -1), '--json', '--', 'tokens'])
    assert.equal(drawn.stdout.trim().split('\n').length, 4)
    const one = await json('route', ...QUOTE, '--at', `${first + 102}`)
    assert.deepEqual(lines[2]?.routes, one.routes)
    const prices = await runSwap([...words, 'price', 'btc'])
    const price = await json('price', 'btc', '--tape', tape, '--at', 'last')
    assert.deepEqual(JSON.parse(prices.stdout.split('\n')[3]!), price)
    const problems = await runSwap([...words, 'route', '0.1', 'btc', 'nothing'])
    assert.equal(JSON.parse(problems.stdout.split('\n')[3]!).code, 'UNKNOWN_TOKEN')
    assert.equal(problems.status, 2)
  })

  test('writes a value a line with -q on either side, and an empty line for a problem', async () => {
    const from = ['--from-block', `${first + 102}`]
    const call = ['route', '0.1', 'btc', 'usdc']
    const last = await runSwap([...call, '--tape', tape, '--at', 'last', '-q'])
    for (const words of [
      ['-q', '--', ...call],
      ['--', ...call, '-q'],
    ]) {
      const { stdout } = await runSwap(['tape', 'replay', tape, ...from, ...words])
      assert.match(stdout, /^[\d.]+\n[\d.]+\n$/)
      assert.ok(stdout.endsWith(`\n${last.stdout}`))
    }
    const problems = ['tape', 'replay', tape, '-q', ...from, '--', 'route', '1', 'btc', 'nothing']
    const { stdout, stderr } = await runSwap(problems)
    assert.equal(stdout, '\n\n')
    assert.match(stderr, new RegExp(`^block ${first + 102}: error: no token .*UNKNOWN_TOKEN`, 'm'))
    assert.equal((await runSwap([...problems, '-qq'])).stdout, '')
  })

  test('stores no quote, whatever variable names a folder', async () => {
    const folder = temporaryFolder()
    const variables = ['SWAP_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME']
    const env = Object.fromEntries(variables.map((name) => [name, folder]))
    const words = ['tape', 'replay', tape, '--from-block', `${first + 103}`, '--', 'route']
    const { stdout } = await runSwap([...words, '0.1', 'btc', 'usdc'], { env, cwd: folder })
    assert.equal(JSON.parse(stdout).quote_id, undefined)
    assert.deepEqual(readdirSync(folder), [])
  })

  test('takes flags of the command that are settings, and base units', async () => {
    const words = ['tape', 'replay', tape, '--from-block', `${first + 103}`, '--', 'route']
    const flags = ['--slippage', '2%', '--max-hops', '1', '--limit', '1', '--atomic']
    const call = ['10000000', 'btc', 'usdc', ...flags]
    const { stdout } = await runSwap([...words, ...call])
    const one = await json('route', ...call, '--tape', tape, '--at', 'last')
    assert.deepEqual(JSON.parse(stdout).routes, one.routes)
  })

  test('refuses commands that do more than answer from a market, and other forms', async () => {
    for (const words of [
      ['execute', '1', 'btc', 'usdc'],
      ['route', '1', 'btc', 'usdc', '--watch'],
      ['route', '1', 'btc', 'usdc', '--csv'],
      ['route', '1', 'btc', 'usdc', '-o', 'human'],
      ['route', '1', 'btc', 'usdc', '--id'],
      ['route', '1', 'btc', 'usdc', '--snapshot', 'x.json'],
      [],
    ])
      assert.equal((await runSwap(['tape', 'replay', tape, '--', ...words])).status, 2)
    const before = ['--snapshot', 'x.json', '--', 'route', '1', 'btc', 'usdc']
    assert.match((await runSwap(['tape', 'replay', tape, ...before])).stderr, /--snapshot goes/)
  })

  test('ends with the largest status of any block, and refuses a range without blocks', async () => {
    const from = (height: number) => ['tape', 'replay', tape, '--from-block', `${height}`, '--']
    const arbs = [...from(first + 102), 'arbs', '--exit-code', '--min-percent', '90']
    assert.equal((await runSwap(arbs)).status, 3)
    const { status, stderr } = await runSwap([...from(first + 104), 'price', 'btc'])
    assert.equal(status, 2)
    assert.match(stderr, /why +its blocks are \d+ to \d+\n/)
  })
})

describe('swap tape drift', () => {
  test('draws figures for each route and a histogram, within 80 columns', async () => {
    const call = ['tape', 'drift', tape, '--pairs', 'btc/usdc', '--blocks', '0,1']
    const { stdout } = await runSwap([...call, '-o', 'human', '--width', '80'])
    assert.match(stdout, /BTC → USDC +\$1,000 +\+0 +104 +0 +0\.00 +0\.00 +0\.00 +0\.00\n/)
    assert.match(stdout, /more than 100 .* %\n/)
    assert.ok(stdout.split('\n').every((line) => [...line].length <= 80))
    const sizes = await runSwap([...call, '--size', '100usd,1000usd', '-o', 'human'])
    assert.match(
      sizes.stdout,
      /99 % of the executions need at block \+1:\n +\$100 .*\n +\$1,000 .* \d+\.\d\d bps\n/,
    )
    const rows = (await runSwap([...call, '--csv'])).stdout.trim().split('\r\n')
    assert.equal(rows.length, 5)
    assert.equal((await runSwap([...call, '--size', 'x'])).status, 2)
  })
  test('leaves figures out where no block so many later was recorded', async () => {
    const call = ['tape', 'drift', tape, '--pairs', 'btc/usdc', '--blocks', '200']
    const { stdout } = await runSwap([...call, '--size', '100usd,1000usd', '-o', 'human'])
    assert.match(stdout, /BTC → USDC +\$100 +\+200 +0 +0 *\n/)
    assert.doesNotMatch(stdout, /fails|need at block/)
  })
})
