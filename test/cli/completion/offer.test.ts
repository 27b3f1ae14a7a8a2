import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { commands } from '../../../src/cli/commands/index.js'
import { type LocalCandidates, offer } from '../../../src/cli/completion/candidates.js'
import { temporaryFolder } from '../../support/folder.js'

const home = temporaryFolder('complete')
const write = (path: string, text: string) => {
  mkdirSync(join(home, path, '..'), { recursive: true })
  writeFileSync(join(home, path), text)
}
const tokens = ['rune', 'btc', 'usdc', 'usdc.base', 'x$({touch,/tmp/x})'].map((word) => [
  word,
  'a token',
])
write(
  'cache/names-demo.json',
  JSON.stringify({
    tokens,
    pairs: [
      ['btc/usdc', '', 'demo1pair'],
      ['btc/`id`', ''],
    ],
  }),
)
write('cache/names-mainnet.json', JSON.stringify({ tokens: [['ruji', '']], pairs: [] }))
write('state/quotes/q_0123abcd.json', '{}')
write('state/quotes/draft.json', '{}')
const none = '0'.repeat(16)
write(`state/journal/20260501T120000123.x_0000000a.${none}.done.json`, '{}')
write(`state/journal/20260502T120000123.x_0000000b.${none}.q_0123abcd.open.json`, '{}')
const order = (second: number, code: number, rests: string, ...ids: readonly string[]) =>
  write(
    `state/journal/20260430T1200${second}123.x_000000${second}.${none}.done.json`,
    JSON.stringify({
      network: 'demo',
      txs: [{ code }],
      orders: [{ entries: ids.map((id) => ({ id, target: rests, rests })) }],
    }),
  )
order(11, 0, '5', 'demo1pair/buy/0.4', 'demo1pair/sell/oracle+25bps', 'demo1other/sell/3')
order(12, 0, '0', 'demo1pair/buy/0.4')
order(13, 5, '0', 'demo1pair/sell/oracle+25bps')
write('keys/main.json', '{}')
const known: LocalCandidates = {
  surroundings: {
    env: { SWAP_HOME: home },
    cwd: home,
    home,
    stdin: (async function* () {})(),
  },
  commands,
  network: 'demo',
  aliases: ['usdc', 'eth'],
  book: ['alice'],
  faults: [
    ['slow', 'late'],
    ['slippage', 'refused'],
  ],
  schemas: ['route', 'problem'],
}

/** The words that are offered for a line; what follows its last space is being typed. */
const words = (line: string): readonly string[] | 'files' => {
  const offered = offer(line.split(' '), known)
  return offered === 'files' ? offered : offered.map(([word]) => word)
}

test('a quote is offered with the time at which it was made, as screens show it', () => {
  const [[, meaning] = []] = offer(['execute', 'q'], known)
  assert.match(`${meaning}`, /^made \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
})

test('a transaction is offered with the time of its signature', () =>
  assert.deepEqual(offer(['tx', 'wait', 'x_0000000a'], known), [
    ['x_0000000a', 'signed 2026-05-01 12:00:00 UTC'],
  ]))

describe('what is offered', () => {
  const rows: readonly (readonly [string, readonly string[] | 'files'])[] = [
    ['sr', ['sroute']],
    ['h', ['history', 'help']],
    ['route 1 u', ['usdc', 'usdc.base']],
    ['route 1 btc u', ['usdc', 'usdc.base']],
    ['route 1 usdc u', ['usdc.base']],
    ['route 1 btc rune ', []],
    ['route --json 1 b', ['btc']],
    ['--json route 1 b', ['btc']],
    ['route --max-hops 3 1 b', ['btc']],
    ['route --max-h', ['--max-hops']],
    ['route --max-hops ', []],
    ['route -- --max-h', []],
    ['tape replay a.tape -- sr', ['sroute']],
    ['tape replay a.tape -- route --max-h', ['--max-hops']],
    ['route --output j', ['json']],
    ['route --output=j', ['--output=json']],
    ['route --output = j', ['json']],
    ['-n dem', ['demo']],
    ['-n mainnet route 1 r', ['ruji']],
    ['route 1 BT', ['BTC']],
    ['route 1 btc to ru', ['rune']],
    ['route 1 btc usdc --via r', ['rune']],
    ['route 1 btc usdc --via tcy,r', ['tcy,rune']],
    ['route 1 btc usdc --via tcy,btc/', ['tcy,btc/usdc']],
    ['route 1 btc rune --exclude=eth,usdc,u', ['--exclude=eth,usdc,usdc.base']],
    ['route 1 btc rune --path tcy/btc,b', ['tcy/btc,btc/usdc']],
    ['mcp --allow execute,o', []],
    ['book btc/', ['btc/usdc']],
    ['book BTC/', ['BTC/USDC']],
    ['simulate q_', ['q_0123abcd']],
    ['execute q_', ['q_0123abcd']],
    ['execute ./quo', 'files'],
    ['tx show x_0000000', ['x_0000000b', 'x_0000000a']],
    ['order cancel ', ['demo1other/sell/3', 'btc/usdc/sell/oracle+25bps']],
    ['order cancel demo1other/sell/3 btc', ['btc/usdc/sell/oracle+25bps']],
    ['order show b', ['btc/usdc/sell/oracle+25bps']],
    ['-n mainnet order claim ', []],
    ['tx resume x_0000000a', ['x_0000000a']],
    ['tx sign ', 'files'],
    ['keys show m', ['main']],
    ['keys new m', []],
    ['execute q_0123abcd --from m', ['main']],
    ['demo fail sl', ['slow', 'slippage']],
    ['demo fail slow ', []],
    ['demo fail bad-book --pair btc/', ['btc/usdc']],
    ['tape drift x --pairs tcy/btc,b', ['tcy/btc,btc/usdc']],
    ['demo fai', ['fail']],
    ['config se', ['set']],
    ['config set slip', ['slippage']],
    ['config set output ', ['human', 'json', 'csv']],
    ['config set output c', ['csv']],
    ['config set alias.x us', ['usdc', 'usdc.base']],
    ['config get alias.e', ['alias.eth']],
    ['config path ', []],
    ['doctor net', ['network']],
    ['doctor node cl', ['clock']],
    ['help rou', ['route']],
    ['help first', ['first-steps']],
    ['schema pro', ['problem']],
    ['completion pow', ['powershell']],
    ['completion install --shell f', ['fish']],
    ['balances m', ['main']],
    ['snapshot sa', ['save']],
    ['snapshot save ', 'files'],
    ['route --snapshot x', 'files'],
    ['--config ', 'files'],
    ['nonsense ', []],
  ]
  for (const [line, expected] of rows)
    test(`swap ${line}| is ${expected === 'files' ? 'files' : expected.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(words(line), expected))

  test('are none that a shell would run: bash puts a candidate on the line without quotes', () => {
    assert.deepEqual(words('route 1 x'), [])
    assert.deepEqual(words('book btc/'), ['btc/usdc'])
  })
  test('at the beginning every command, each with its summary', () => {
    const offered = offer([''], known)
    assert.ok(offered !== 'files')
    assert.deepEqual(
      offered.map(([word]) => word),
      [...commands.map(({ name }) => name), 'help'],
    )
    assert.ok(offered.every(([, meaning]) => meaning !== ''))
  })
  test('every flag of a command and of all commands', () => {
    const offered = words('sroute --')
    for (const flag of ['--split-step', '--watch', '--json', '--help'])
      assert.ok(offered.includes(flag), flag)
    assert.ok(!offered.includes('--levels'))
  })
  test('without a cache the short names that are built in', () => {
    assert.deepEqual(offer(['route', '1', ''], { ...known, network: 'stagenet' }), [
      ['usdc', ''],
      ['eth', ''],
    ])
  })
})
