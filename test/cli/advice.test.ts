import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, test } from 'vitest'
import { fileFault } from '../../src/cli/exit.js'
import type { SwapError } from '../../src/engine/errors.js'
import { unwritableFile } from '../../src/platform/atomic-file.js'
import { runSwap } from '../support/cli.js'

const hintOf = async (...call: readonly string[]): Promise<string> =>
  JSON.parse((await runSwap([...call, '--json'])).stdout).hint

describe('advice', () => {
  test('names swap pairs for a word that is no pair', async () => {
    for (const word of ['bt', 'btc-usdc'])
      assert.match(await hintOf('book', word), /all of them: swap pairs$/)
  })
  test('names the pairs of a token that is named without another one, or with one that it has no pair with', async () => {
    assert.match(await hintOf('book', 'btc'), /its pairs: swap pairs btc$/)
    assert.match(await hintOf('book', 'btc/doge'), /trades one of them: swap pairs btc$/)
  })
  test('names the command that other programs call by another name', async () => {
    assert.match(await hintOf('split', '1', 'btc', 'rune'), /^did you mean sroute\? /)
    assert.match(await hintOf('rout'), /^did you mean route/)
    const all = 'list them: swap help order'
    assert.equal(await hintOf('order', 'place'), `did you mean buy, sell? ${all}`)
    assert.match(await hintOf('plan', 'dca'), /^did you mean twap\? /)
  })
  test('names --max-cross where an order crosses further than it allows, tokens of one symbol apart, and what sells a share', async () => {
    const call = ['order', 'buy', '10', 'rune', 'usdc', '--price', '50', '--from', 'demo']
    assert.match(await hintOf(...call, '--dry-run'), /--max-cross <percent>$/)
    const turned = ['order', 'buy', '1', 'eth', 'eth.base', '--price', '1', '--from', 'demo']
    assert.equal(
      await hintOf(...turned, '--dry-run'),
      'swap order buy <amount> eth.base eth --price <ETH per ETH.base>',
    )
    const share = ['order', 'buy', 'max', 'rune', 'usdc', '--price', '0.4', '--from', 'demo']
    assert.match(await hintOf(...share), /swap order sell 50% rune usdc /)
    await runSwap(['demo', 'stop'])
  })
})

test('a limit of open files, and one of their size or the disk, is named as such', () => {
  for (const [code, limit] of [
    ['EMFILE', /ulimit -n/],
    ['EFBIG', /ulimit -f/],
    ['ENOSPC', /free some space/],
  ] as const) {
    const error = Object.assign(new Error(), { code, syscall: 'write', path: '/x' })
    for (const fault of [fileFault(error), unwritableFile('/x', error)] as SwapError[]) {
      assert.match(fault.hint ?? '', limit)
      assert.equal(fault.code, 'NOT_READY')
    }
  }
})

test('a file system without links or modes is no missing permission', () => {
  const error = Object.assign(new Error(), { code: 'EPERM', syscall: 'link' })
  const { why } = unwritableFile('/x', error) as SwapError
  assert.equal(why, 'the file is immutable, or its file system has no links or modes (EPERM)')
})

describe('the next command of swap max', () => {
  for (const flags of ['--max-hops 1', '--exclude usdc', '--split --max-legs 1 --via eth'])
    test(`searches as the call with ${flags} did, so that it quotes the amount within the limit`, async () => {
      const call = ['max', 'btc', 'rune', '--max-impact', '1%', ...flags.split(' ')]
      const { stdout } = await runSwap([...call, '-o', 'human', '--width', '200'])
      const next = /Next +swap (.*)/.exec(stdout)?.[1]?.split(' ') ?? []
      const { status, stderr } = await runSwap(next)
      assert.equal(status, 0, `${next.join(' ')}: ${stderr}`)
    })
})

describe('a wrong call', () => {
  const rows: readonly (readonly [line: readonly string[], text: string, more?: string])[] = [
    [['rout', '1', 'btc', 'rune', '--max-hops', '2'], 'no command "rout" do did you mean route?'],
    [['order', 'byu', '1', 'rune', 'usdc', '--price', '1'], 'order has no command "byu" do did'],
    [['orders'], 'no command "orders" do did you mean order list?'],
    [['keys', 'rm', 'main'], 'keys has no command of this name do did you mean delete?'],
    [['demo', 'up'], 'demo has no command "up" do did you mean start?'],
    [['help', 'nope'], 'no command "nope" do the commands are tokens, price,'],
    [
      ['help', 'route', 'nope'],
      'route has no command "nope" do see its arguments: swap help route',
    ],
    [['demo', 'reset', '--yes'], 'no flag "--yes"', 'do see: swap help demo reset'],
    [['--max-hops', '3', 'route', '1', 'btc', 'rune'], 'do see: swap help flags '],
    [['tokens', '--wdith', '80'], 'do did you mean --width?'],
    [['sroute', '1', 'btc', 'rune', '--step', '5'], 'do did you mean --split-step?'],
    [['route', '1', 'btc', 'rune', '--hops', '2'], 'do did you mean --max-hops?'],
    [['route', '1', 'btc', 'rune', '--node', 'http://a:b@c'], 'do write --rpc <url> code'],
    [['balances', '--wallet', 'main'], 'do write --from <key> code'],
    [['route', '1', 'btc', 'rune', '--wallet', 'main'], 'do see: swap help route code'],
    [['history', '--wallet', 'main'], 'do write --sender main code'],
    [['history', '--since', '2026-05-01'], 'do write --from 2026-05-01 code'],
    [['history', '--since', 'monday'], 'do write --from 2026-01-31 code'],
    [['route', '1', 'btc', 'rune', '--max-hops', '9'], 'from 1 to 6 do write e.g. --max-hops 6 '],
    [['sroute', '500', 'usd', 'btc', 'rune'], "do write swap sroute '$500' btc rune for what is"],
    [['route', '--watch', '10s', '1', 'btc', 'rune'], 'do write --watch=10s '],
    [['route', '1', 'btc', 'rune', '--watch=0'], 'for --watch why', 'do write e.g. --watch=20s '],
    [['price', 'eth/usdc#9d4q'], 'do write swap price eth --in usdc '],
    [['route', '1', 'btc', 'rune', '--watch='], 'the value of --watch is empty'],
    [['tape', 'record', 'x', '--blocks', '99999999999'], 'from 1 to 9999999999 do'],
    [['demo', 'fail', 'off', '--once'], '--once goes with a fault'],
    [['demo', 'fail', 'slippage', '--method', 'block'], 'slippage takes no --method why'],
    [['keys', 'show', 'demo', '--pubkey', '--qr'], '--pubkey does not go with --qr'],
    [['route', '1', 'btc', 'rune', '--path', 'btc/rune', '--max-hops', '2'], 'do leave --max-hops'],
    [
      ['sroute', '1', 'btc', 'rune', '--legs', '1:btc/rune', '--limit', '2'],
      'do leave --limit out',
    ],
    [['sroute', '1', 'btc', 'rune', '--legs', '60%:btc/rune'], '60%:btc/rune is not a leg why'],
    [['route', '1', 'btc', 'rune', '--allow-direct', '--to', 'demo1x'], 'do leave --to out'],
    [['demo', 'logs', '--csv'], 'CSV does not go with demo logs', 'do take --json:'],
    [['demo', 'logs', '--lines', 'x'], 'do write e.g. --lines 1 '],
    [['order', 'buy', '1', 'rune', 'usdc', '--limit', '0.4'], 'do write --price 0.4 '],
    [
      ['order', 'buy', '1', 'rune', 'usdc', '--price'],
      '--price has no value why it is written --price <price> do write the value after it;',
    ],
    [['order', 'buy', '10', 'rune'], 'a token is missing', 'do write swap order buy 10 rune'],
    [['order', 'buy', '10', 'rune/usdc'], 'do write swap order buy 10 rune usdc code'],
    [['order', 'sell', 'rune', 'usdc'], 'the amount is missing', 'sell <amount> rune usdc code'],
    [['order', 'ladder', 'buy', '5', 'usdc/rune'], 'do write swap order ladder buy 5 usdc rune '],
    [['buy', '10', 'rune', 'usdc'], 'do did you mean order buy?'],
    [['faucet', 'main', '10rune'], 'do did you mean demo faucet?'],
    [['route', '1.5 btc rune'], 'a token is missing', 'do write swap route 1.5 btc rune code'],
    [['route', 'x/ruji', '1'], 'do write swap route 1 x/ruji <out> code'],
    [['route', 'x/ruji/rune', '1'], 'do write swap route 1 x/ruji rune code'],
    [['arbroute', 'btc/rune', '1.5'], 'do write swap arbroute 1.5 btc code'],
    [
      ['max', 'btc/rune'],
      'a token is missing',
      'do write swap max btc rune --max-impact <percent>',
    ],
    [['curve', 'btc/rune'], 'a token is missing', 'do write swap curve btc rune code'],
    [['curve', 'x/ruji'], 'do see examples: swap help curve'],
    [['plan', 'twap', 'btc/rune'], 'do write swap plan twap <amount> btc rune --slices <n> '],
    [['arbroute', 'btc/rune'], 'do write swap arbroute 5000 btc code'],
    [['curve', 'btc/rune', '1'], 'do write swap curve btc rune code'],
    [['max', 'btc/rune', '1', '--max-impact', '1%'], 'max btc rune --max-impact 1% code'],
    [['history', '--orders', '--sender', 'demo'], 'which --owner, --pair and --tx-hash select do'],
    [['history', '--orders', '--pair', 'rune'], '"rune" is not a pair', 'do write e.g. btc/usdc;'],
    [['execute', '/dev/null'], 'why it is empty do give what swap route <amount>'],
    [['execute', 'q_00000000'], 'do if it may have been executed, look first: swap journal;'],
    [['order', 'ladder', '10', 'rune', 'usdc'], 'a ladder buys or sells, and "10" is neither'],
    [['order', 'sell', 'rune', '10', 'usdc'], 'do write swap order sell 10 rune usdc '],
    [['order', 'buy', 'rune', 'usdc', '10'], 'do write swap order buy 10 rune usdc '],
    [['order', 'buy', '1', 'rune', 'usdc', '0.4'], 'do write --price 0.4; see what it takes: '],
    [['journal', 'x_4f9fe389'], 'do see it: swap tx show x_4f9fe389 code'],
    [['order', 'cancel'], 'the id of an order is missing'],
    [['order', 'show'], 'the id of the order is missing'],
    [['route', '1e', 'rune', 'btc'], '"1e" is not an amount'],
    [['plan', 'twap'], 'the amount that all slices sell together is missing'],
    [['plan', 'twap', '1', 'btc', 'rune'], '--every is missing'],
    [['plan', 'twap', 'btc', 'rune', '1'], 'do write swap plan twap 1 btc rune code'],
    [['plan', 'twap', '1', 'btc', '5', 'rune'], 'do write swap plan twap 1 btc rune code'],
    [['plan', 'twap', '1', 'btc', 'rune', '--every', '5m'], '--slices is missing'],
    [['plan', 'twap', '1', 'btc', 'rune', '12', '5m'], 'plan twap does not take "12"'],
    [['plan', 'twap', '1', 'btc', 'rune', '--every', '5'], 'ms, s, m or h, from 1s to 24h do'],
    [['plan', 'show', '/'], 'cannot be used as a plan why it is a folder (EISDIR)'],
    [['plan', 'run', '/nowhere.json'], 'why there is no such file (ENOENT)'],
    [['tx', 'sign', '/'], 'the file / cannot be read why it is a folder (EISDIR)'],
    [['tx', 'sign', resolve('LICENSE')], 'this is not a transaction why it is not JSON'],
    [['tx', 'sign', ''], 'the transaction is missing why the call is swap tx sign <file|->'],
    [['tape', 'record', ''], 'the tape is missing'],
    [['tape', 'replay', '--', 'route', '1', 'btc', 'rune'], 'the tape is missing'],
    [['keys', 'add-external'], 'see examples: swap help keys add-external'],
    [['keys', 'add-external', 'x'], 'do see examples: swap help keys add-external code'],
    [['order', 'list', '-n', 'mainnet'], 'do see examples: swap help order list code'],
    [['mcp', '--from', 'demo'], '--from goes with --allow'],
    [['mcp', '--max-impact', '1%'], '--max-impact goes with --allow'],
    [['mcp', '--password-file', 'pw'], '--password-file goes with --allow'],
    [
      ['config', 'set', 'alias.比特币', 'btc'],
      '"alias.比特币" cannot be a name of alias why after alias. come a letter from a to z,',
    ],
    [['config', 'get', 'book.'], 'after book. come letters from a to z, digits, hyphens'],
    [['arbs', '--max-hops', '1'], 'one hop does not make a loop'],
    [['snapshot', 'show', 'x.json', '--height', '5'], '--height does not go with the file'],
    [['doctor', 'node', '--offline'], 'node does not go with --offline'],
    [['history', '--watch', '--on-change', '5'], 'history does not take it'],
    [['history', '--watch', '--limit', '5'], '--watch does not go with --limit'],
    [['curve', 'btc', 'rune', '--max-legs', '2'], '--max-legs goes with --split'],
    [['max', 'btc', 'rune', '--max-impact', '1%', '--split-step', '10'], 'do add --split '],
    [['tokens', '--timeout', '20'], 'it is a number with ms, s, m or h, from 1ms to 10m do'],
  ]
  for (const [line, ...texts] of rows)
    test(`swap ${line.join(' ')}: ${texts[0]}`, async () => {
      const { status, stderr } = await runSwap(line)
      assert.equal(status, 2)
      for (const text of texts) assert.ok(stderr.replace(/\s+/g, ' ').includes(text ?? ''), stderr)
    })
})

describe('an unknown token', () => {
  test('has the pointer of its member, and the documented candidates', async () => {
    const pointers = {
      '/input/denom': ['route', '1', 'runr', 'btc'],
      '/output/denom': ['curve', 'btc', 'runr'],
      '/via/0': ['route', '1', 'btc', 'usdc', '--via', 'runr'],
      '/path/0': ['route', '1', 'btc', 'usdc', '--path', 'runr/btc'],
      '/min_out': ['route', '1', 'btc', 'usdc', '--min-out', '1runr'],
      '/base': ['price', 'runr'],
      '/quote': ['price', 'btc', '--in', 'runr'],
      '/token': ['pairs', 'runr'],
      '/pair': ['book', 'runr/btc'],
      '/legs/0/path/1': ['sroute', '2', 'btc', 'usdc', '--legs', '2:btc/usdc,runr/usdc'],
      '/amount': ['book', 'btc/usdc', '--amount', '1runr'],
      '/alias/coin': ['config', 'set', 'alias.coin', 'runr'],
    }
    for (const [pointer, call] of Object.entries(pointers)) {
      const problem = JSON.parse((await runSwap([...call, '--json'])).stdout)
      assert.deepEqual([problem.code, problem.pointer], ['UNKNOWN_TOKEN', pointer])
      assert.ok(problem.candidates.length > 0)
    }
  })
  test('is refused with the number of tokens that swap tokens and swap snapshot show have', async () => {
    const json = async (...call: readonly string[]) =>
      JSON.parse((await runSwap([...call, '--json'])).stdout)
    const count = (await json('tokens')).tokens.length
    assert.equal((await json('snapshot', 'show')).tokens, count)
    for (const call of [
      ['book', 'btc/foo/bar'],
      ['price', 'foo'],
    ])
      assert.ok((await json(...call)).detail.includes(`${count} tokens are known here`))
  })
})

describe('swap --version', () => {
  test('ends with 4 and a message where its output cannot be written', () => {
    const { status, stderr } = spawnSync(process.execPath, ['bin/swap.js', '--version'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    })
    assert.equal(status, 4)
    assert.match(stderr, /^error: the output could not be written\n +why +stdout: ENOSPC/)
  })
})

test('a command that waits for what never comes is a bug with exit status 70, not a success', () => {
  const program = `
    const stdin = new (require('node:stream').Readable)({ read() {} })
    Object.defineProperty(process, 'stdin', { value: stdin })
    require('./dist/main.cjs').run(['route', '--stdin'])`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  })
  assert.equal(status, 70)
  assert.equal(stdout, '')
  assert.match(stderr, /^error: internal error in swap\n/)
})
