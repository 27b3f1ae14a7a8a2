import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { freshHome, runIn, runSwap } from '../support/cli.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'

const DEMO = 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'

describe('a state folder that cannot be made', () => {
  const home = join(temporaryFolder(), 'file')
  writeFileSync(home, '')
  const run = (...args: readonly string[]) => runIn({ home, cwd: '/' }, args)
  for (const [args, path] of [
    [['demo', 'fail', 'slippage'], 'state/demo/demo-1'],
    [['demo', 'start'], 'state/demo/demo-1'],
    [
      ['execute', '1', 'rune', 'btc', '--from', 'demo', '--yes', '--slippage', '1%'],
      'state/demo/demo-1',
    ],
    [['keys', 'add-external', 'x', '--signer', 'exec:/bin/true', '--address', DEMO], 'keys'],
  ] as const)
    test(`is named by swap ${args.slice(0, 2).join(' ')}, and is not reported as a bug`, async () => {
      const { status, stdout } = await run(...args, '--json')
      assert.equal(status, 4, stdout)
      const { code, detail } = JSON.parse(stdout)
      assert.equal(code, 'NOT_READY')
      assert.ok(detail.includes(`${join(home, path)} cannot be used; the system says`), detail)
    })

  test('is named by swap config set', async () => {
    const { status, stderr } = await run('config', 'set', 'limit', '3')
    assert.equal(status, 4)
    assert.match(stderr, /\.swaprc cannot be changed\n +why +the system says E/)
    assert.match(stderr, /see that it is yours and can be written/)
  })
})

describe('the command line', () => {
  const digits = '1234567890123456789012345678901234567890'
  const rows: readonly (readonly [readonly string[], string, number])[] = [
    [['route', '0', 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', '-1', 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', '1e6', 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', '1,5', 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', '0x10', 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', digits, 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', '0.123456789', 'btc', 'rune'], 'INVALID_AMOUNT', 2],
    [['route', '1', 'btc', 'btc'], 'SAME_TOKEN', 2],
    [['route', '1', 'btc', 'runr'], 'UNKNOWN_TOKEN', 2],
    [['route', '1', '__proto__', 'rune'], 'UNKNOWN_TOKEN', 2],
    [['route', '1', 'btc', 'constructor'], 'UNKNOWN_TOKEN', 2],
    [['route', '1', 'btc/btc', 'rune'], 'UNKNOWN_TOKEN', 2],
    [['route', '1', 'btc', 'rune', '--slippage', '3'], 'INVALID_SLIPPAGE', 2],
    [['route', '1', 'btc', 'rune', '--slippage', '200%'], 'INVALID_SLIPPAGE', 2],
    [['route', '1', 'btc', 'rune', '--affiliate', 'nobody'], 'INVALID_AFFILIATE', 2],
    [['route', '1', 'btc', 'rune', '--to', 'thor1xyz'], 'INVALID_ADDRESS', 2],
    [['route', '1', 'btc', 'rune', '--max-hops', '9'], 'INVALID_REQUEST', 2],
    [['route', '1', 'btc', 'rune', 'more'], 'INVALID_REQUEST', 2],
    [['route', '1', 'btc'], 'INVALID_REQUEST', 2],
    [['route', '1', 'btc', 'rune', '--max-hop', '3'], 'INVALID_REQUEST', 2],
    [['srote'], 'INVALID_REQUEST', 2],
    [['route', '1', 'btc', 'rune', '--path', 'nowhere'], 'NOT_FOUND', 2],
    [['route', '1', 'xusk', 'lqdy', '--max-hops', '1'], 'NO_ROUTE', 3],
    [['route', 'gusd', '500000000', 'rune'], 'INSUFFICIENT_LIQUIDITY', 3],
    [['route', '--atomic', '1', 'rune', 'btc'], 'AMOUNT_TOO_SMALL', 3],
    [['route', '1.5', 'btc', 'rune', '--min-out', '300000rune'], 'ASSERTION_FAILED', 5],
    [['route', '1.5', 'btc', 'rune', '--max-impact', '1%'], 'PRICE_IMPACT_TOO_HIGH', 5],
    [['route', '1.5', 'btc', 'rune', '--snapshot', '/nowhere.json'], 'INVALID_SNAPSHOT', 2],
    [['route', '1.5', 'btc', 'rune', '--snapshot', '/'], 'INVALID_SNAPSHOT', 2],
  ]
  for (const [args, code, status] of rows)
    test(`swap ${args.join(' ')} is ${code}, exit ${status}`, async () => {
      const human = await runSwap(args)
      assert.equal(human.status, status)
      assert.equal(human.stdout, '')
      assert.match(human.stderr, new RegExp(`code {2}${code} \\(exit ${status}\\)`))
      assert.doesNotMatch(human.stderr, /\n\s+at /)
      // One document has the form of all of its code.
      const first = rows.find(([, other]) => other === code)
      if (first?.[0] !== args && !LONG) return
      const json = await runSwap([...args, '--json'])
      assert.equal(json.status, status)
      const problem = JSON.parse(json.stdout) as { code: string; detail: string }
      assert.equal(problem.code, code)
      assert.ok(problem.detail.length > 0)
    })
})

/** Standard error in one line, whatever the width. */
const flat = (text: string): string => text.replace(/\s+/g, ' ')

describe('an error of the command line names what to write', () => {
  const address = 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'
  const rows: readonly (readonly [line: readonly string[], ...texts: string[]])[] = [
    [['route', '1k', 'usdc', 'rune'], '"1k" is not an amount', 'do write 1000 '],
    [['route', '1k', 'rune'], '"1k" is not an amount', 'do write 1000 '],
    [['route', '2.5M', 'usdc', 'rune'], 'do write 2500000 '],
    [['route', '1.0005k', 'usdc', 'rune'], 'do write 1000.5 '],
    [['route', '$1k', 'btc', 'rune'], "do write '$1000' "],
    [['route', '$1,000', 'btc', 'rune'], "do write e.g. '$500' or '$1_000.50', in quotes"],
    [['route', '00', 'btc', 'rune'], "do write an amount above zero; dollars in quotes: '$500' "],
    [['route', '1', 'btc', 'rune', '--min-out', '1k'], 'do write 1000 '],
    [
      ['route', 'btc', 'rune', '1.5'],
      'the amount is in the wrong place',
      'the call is swap route <amount> <in> <out>',
      'write swap route 1.5 btc rune; or, to receive 1.5: swap route btc 1.5 rune',
    ],
    [['sroute', 'btc', 'rune', '1.5'], 'write swap sroute 1.5 btc rune;'],
    [['route', '100usd', 'btc', 'rune'], "write swap route '$100' btc rune for what is worth $100"],
    [['simulate', 'btc', 'rune', '1.5'], 'write swap simulate 1.5 btc rune;'],
    [['execute', 'btc', 'rune', '1.5'], 'write swap execute 1.5 btc rune;'],
    [['execute', 'btc', 'rune'], 'the amount is missing', 'swap execute 1 btc rune'],
    [['route', 'usd coin', 'rune', '1.5'], "write swap route 1.5 'usd coin' rune;"],
    [['route', 'btc', 'rune'], 'the amount is missing', 'write e.g. swap route 1 btc rune'],
    [['route', '1.5', 'btc'], 'a token is missing', 'write swap route 1.5 btc <out>'],
    [['route', '1.5'], 'a token is missing', 'write swap route 1.5 <in> <out>'],
    [['route', '1.5', 'btc/rune'], 'a token is missing', 'write swap route 1.5 btc rune'],
    [['sroute', 'btc/rune'], 'the amount is missing', 'write e.g. swap sroute 1 btc rune'],
    [['route', '1.5', 'btc', '-'], 'the shell has written to a file', 'route 1.5 btc to <out>'],
    [['arbroute', 'usdc', '5000'], 'the capital comes first', 'write swap arbroute 5000 usdc'],
    [['arbroute', 'usdc'], 'the capital is missing', 'write swap arbroute 5000 usdc'],
    [['arbroute', '5000'], 'the token is missing', 'write swap arbroute 5000 <token>'],
    [['arbroute', '1.5', 'btc/rune'], '"btc/rune" is a pair', 'write swap arbroute 1.5 btc'],
    [
      ['snapshot', 'save', '/nonexistent/x.json'],
      'error: /nonexistent/x.json cannot be written why its folder does not exist (ENOENT) do name a file',
    ],
    [['route', '1', 'btc', 'rune', '--tape', 'x', '--at', 'foo'], 'do write e.g. --at 120, or'],
    [['route', '1', 'btc', 'rune', '--height', 'foo'], 'do write e.g. --height 120 '],
    [['demo', 'faucet', address, '1,000usdc'], '"1,000": 1 or 1000?', 'write 1 or 1000,'],
    [['demo', 'faucet', address, '1,000', 'usdc'], '"1,000": 1 or 1000?'],
    [
      ['route', '1', 'btc', 'rune', '--min-out', 'lots'],
      '--min-out: "lots" is not an amount',
      'write the amount in digits',
    ],
    [['route', '1', 'btc', 'rune', '--min-out', '0'], '--min-out: the amount is zero why zero'],
    [
      ['route', '1', 'btc', 'rune', '--min-out', '5usdc'],
      '--min-out "5usdc" is not in the token received why the swap pays RUNE do write --min-out 5rune ',
    ],
    [
      ['route', '0.01', 'btc', 'usdc.base', '--min-out', '5usdc'],
      'why the swap pays USDC.base do write --min-out 5usdc.base ',
    ],
    [['curve', 'btc', 'rune', '--from', '1e3'], '--from: "1e3" is not an amount'],
    [['book', 'btc/usdc', '--amount', '0usdc'], '--amount: the amount is zero'],
    [['balances', 'demo', '--from', 'main'], '--from does not go with the argument'],
    [
      ['tokens', '--router-address', '1e3'],
      '"1e3" cannot be used for --router-address',
      'thor1...',
    ],
    [
      ['simulate', 'q_00000000', '--path', 'btc/usdc'],
      '--path does not go with a quote that is named',
      'do leave --path out, or write amount and tokens',
    ],
    [['serve', '--port', '80'], 'no flag "--port"', 'write --listen 127.0.0.1:80 '],
    [['serve', '--port=80'], 'write --listen 127.0.0.1:80 '],
    [['serve', '--port', 'a secret'], 'write --listen 127.0.0.1:8555 '],
    [['serve', '--port', 'x'], 'write --listen 127.0.0.1:8555 '],
    [['serve', '--port', '70000'], 'write --listen 127.0.0.1:8555 '],
    [['serve', '--host', '0.0.0.0'], 'write --listen 0.0.0.0:8555 '],
    [['serve', '--host', '0.0.0.0:80'], 'write --listen 127.0.0.1:8555 '],
    [['completion', 'bash', '--csv'], '--csv does not go with completion bash', 'leave --csv out'],
    [['serve', '--min-books', '10001bps'], 'the largest is 10000 bps do'],
    [['plan', 'twap', '1', 'btc', 'rune', '--over', '1h'], 'do write e.g. --slices 12 --every 5m'],
    [['plan', 'twap', '1', 'btc', 'rune', '--out', 'my plan'], 'do write --file plan.json '],
    [['plan', 'twap', '1', 'btc', 'rune', '--out', 'a/b.json'], 'do write --file a/b.json '],
    [['order', 'list', '--owner', 'bot'], 'do write --from bot '],
    [['order', 'list', '--owner', '$x'], 'do write --from main '],
    [['curve', 'btc', 'rune', '--usd', '1000'], "write --from '$100' --to '$1000' "],
    [['curve', 'btc', 'rune', '--usd', '$1000'], "write --from '$100' --to '$1000' "],
    [['route', '--amount', '$1', 'btc', 'rune'], 'swap route 1.5 <in> <out>'],
    [['route', '--amount', '1', 'btc', 'rune'], 'the amount first', 'swap route 1 <in> <out>'],
    [
      ['route', '1', 'btc', 'rune', '--slippage-bps', '0.5'],
      '"0.5" cannot be used for --slippage',
      'the unit is missing: % or bps?',
      'write --slippage 0.5% ',
    ],
    [['route', '1', 'btc', 'rune', '--slippage-bps', '10000'], 'the largest is 9999 bps'],
    [
      ['route', '1', 'btc', 'rune', '--slippage-bps', '50', '--slippage', '1%'],
      '--slippage-bps and --slippage are the same flag',
      'give --slippage alone',
    ],
    [
      ['route', '3000', 'btc', 'rune', '--max-impact', '5%'],
      'the price impact of 99.9872 % (9998.72 bps) is above the limit of 5 % (500 bps)',
    ],
    [['tokens', '--output', 'xml'], 'it is one of human, json, ndjson, csv'],
    [['tokens', '--csv', '--json'], '--json does not go with --csv (INVALID_REQUEST)'],
    [['tokens', '--csv', '-o', 'human'], '--csv does not go with --output human'],
    [['nosuch'], 'no command "nosuch" do the commands are tokens, price,'],
    [['srote'], 'no command "srote" do did you mean sroute, route? list them: swap help code'],
    [['demo', 'stat'], 'do did you mean status, start? list them: swap help demo code'],
    [['1.5', 'btc', 'rune'], 'no command "1.5" do did you mean swap route 1.5 btc rune? code'],
    [['.5btc', 'rune', '--max-hops', '2'], 'do did you mean swap route .5btc rune? code'],
    [['1.5', 'x'.repeat(150)], 'no command "1.5" do the commands are tokens,'],
    [['1.5', 'btc;ls', 'rune'], 'no command "1.5" do the commands are tokens,'],
  ]
  for (const [line, ...texts] of rows)
    test(`swap ${line.join(' ')}: ${texts[0]}`, async () => {
      const { status, stderr } = await runSwap(line)
      assert.equal(status, line.includes('--max-impact') ? 5 : 2)
      for (const text of texts) assert.ok(flat(stderr).includes(text), stderr)
    })
})

describe('an amount in base units by mistake', () => {
  const rows: readonly (readonly [line: readonly string[], text: string | undefined])[] = [
    [['route', '1500000000', 'btc', 'rune'], '--atomic 1500000000, which is 15 BTC?'],
    [['route', 'btc', '150000000000', 'rune'], '--atomic 150000000000, which is 1500 RUNE?'],
    [['route', '1500000000.5', 'btc', 'rune'], undefined],
  ]
  const more: typeof rows = [
    [['sroute', '1500000000', 'btc', 'rune'], '--atomic 1500000000, which is 15 BTC?'],
    [['route', 'gusd', '50000', 'rune'], undefined],
  ]
  for (const [line, text] of [...rows, ...(LONG ? more : [])])
    test(`swap ${line.join(' ')}: ${text ?? 'without a hint'}`, async () => {
      const { status, stderr } = await runSwap(line)
      assert.equal(status, 3)
      assert.match(flat(stderr), text === undefined ? /do (sell|ask for) / : /otherwise (sell|ask)/)
      assert.equal(flat(stderr).includes('--atomic'), text !== undefined)
      if (text !== undefined) assert.ok(flat(stderr).includes(`do did you mean ${text}`), stderr)
    })
  test('is quoted if the books can fill it', async () => {
    const { status } = await runSwap(['route', '1000000', 'btc', 'rune', '-q'])
    assert.equal(status, 0)
  })
})

test('swap execute refuses flags of a new quote beside a quote that is named', async () => {
  const { swap } = freshHome()
  const quote = ['q_00000000', '--max-legs', '2', '--from', 'demo', '--dry-run']
  const { status, stderr } = await swap('execute', ...quote)
  assert.equal(status, 2)
  assert.match(stderr, /--max-legs does not go with a quote that is named/)
})

describe('the command line understands', () => {
  const rows: readonly (readonly [typed: readonly string[], meant: readonly string[]])[] = [
    [
      ['route', '1.5', 'btc', 'to', 'rune'],
      ['route', '1.5', 'btc', 'rune'],
    ],
    [
      ['route', '1.5btc', 'for', 'rune'],
      ['route', '1.5', 'btc', 'rune'],
    ],
    [
      ['route', '1.5', 'btc', '->', 'rune'],
      ['route', '1.5', 'btc', 'rune'],
    ],
    [
      ['route', 'btc', 'for', '1000', 'rune'],
      ['route', 'btc', '1000', 'rune'],
    ],
    [
      ['sroute', '1.5', 'btc', 'to', 'rune'],
      ['sroute', '1.5', 'btc', 'rune'],
    ],
    [
      ['max', 'btc', 'to', 'rune', '--max-impact', '1%'],
      ['max', 'btc', 'rune', '--max-impact', '1%'],
    ],
    [
      ['route', '1', 'Bitcoin', 'thor'],
      ['route', '1', 'btc', 'rune'],
    ],
    [
      ['route', '1', 'ethereum', 'THORChain'],
      ['route', '1', 'eth', 'rune'],
    ],
    [
      ['route', '1000', 'USD Coin', 'bitcoin-cash'],
      ['route', '1000', 'usdc', 'bch'],
    ],
  ]
  for (const [typed, meant] of rows)
    test(`swap ${typed.join(' ')} as swap ${meant.join(' ')}`, async () => {
      const [one, other] = [
        await runSwap([...typed, '--json']),
        await runSwap([...meant, '--json']),
      ]
      assert.equal(one.status, 0, one.stderr)
      assert.equal(one.stdout, other.stdout)
    })
  test('the name of a token and says on stderr which it is', async () => {
    const { stderr } = await runSwap(['route', '1', 'bitcoin', 'thor', '-q'])
    assert.match(stderr, /note: bitcoin = btc-btc\nnote: thor = rune\n/)
  })
})
