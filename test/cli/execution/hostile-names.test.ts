import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { displayWidth } from '../../../src/render/width.js'
import { threePairs } from '../../support/chain.js'
import { runIn } from '../../support/cli.js'
import { inTerminal, type Screen } from '../../support/terminal.js'
import { asks, has } from '../commands/execute/screens.js'
import { bin, type Network, network } from '../commands/execute/stage.js'

/** Symbols as the bank of a hostile chain reports them, by denom. */
const SYMBOLS: Readonly<Record<string, string>> = {
  'btc-btc': `\u001b[2J\u001b[31mBTC\u0007\u202e${'B'.repeat(500)}`,
  rune: `RU\u009b31mNE\u2028\u200b\n${'R'.repeat(500)}`,
  [threePairs.usd]: `\u202eUSDC\u001b]0;owned\u0007${'U'.repeat(500)}`,
}

/** What no terminal may get of them: clears, titles, bells, writing directions, line breaks, long texts. */
const hostile = [
  '\u001b[2J',
  '\u001b]0;',
  '\u0007',
  '\u009b',
  '\u200b',
  '\u2028',
  '\u202e',
  ...['B', 'R', 'U'].map((letter) => letter.repeat(30)),
]

let net: Network
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  const tokens = threePairs.tokens.map((token) => ({
    ...token,
    symbol: SYMBOLS[token.denom] ?? token.symbol,
    name: SYMBOLS[token.denom] ?? token.name,
  }))
  net = await network(1_000, { ...threePairs, tokens })
  const { rpc, rest, code_ids, router } = {
    rpc: net.env['SWAP_RPC'],
    rest: net.env['SWAP_REST'],
    code_ids: [1, 2],
    router: { address: demo.router.address, builds: Object.fromEntries(demo.router.builds ?? []) },
  }
  const evil = {
    chain_id: demo.chainId,
    prefix: demo.prefix,
    rpc,
    rest,
    gas_price: '0',
    usd: threePairs.usd,
    code_ids,
    label: 'rujira-fin:',
    router,
  }
  net.file('.swaprc', { networks: { evil } })
  const words = 'thumb emerge spike abandon attend grace loop window lunch note idea guard'
  for (const [name, text] of [
    ['words', words],
    ['pw', 'a password of some length'],
  ] as const)
    writeFileSync(join(net.home, name), text, { mode: 0o600 })
  env = {
    SWAP_HOME: net.home,
    HOME: net.home,
    XDG_STATE_HOME: join(net.home, 'state-home'),
    SWAP_NETWORK: 'evil',
    SWAP_PASSWORD_FILE: join(net.home, 'pw'),
  }
  const imported = open(
    'keys',
    'import',
    'bot',
    join(net.home, 'words'),
    '--yes',
    '--hd-path',
    demo.hdPath,
  )
  assert.equal(await imported.exited, 0, imported.raw())
  const swap = ['1', 'rune', 'btc-btc'] as const
  const made = await runIn({ home: net.home, env }, [
    'execute',
    ...swap,
    '--from',
    'bot',
    '--generate-only',
  ])
  net.file('tx.json', made.stdout)
  const planned = await runIn({ home: net.home, env }, [
    'plan',
    'twap',
    ...swap,
    '--slices',
    '2',
    '--every',
    '1m',
    '--file',
    join(net.home, 'plan.json'),
  ])
  assert.deepEqual([made.status, planned.status], [0, 0], made.stderr + planned.stderr)
})

const open = (...args: readonly string[]) =>
  inTerminal([process.execPath, bin, ...args.map((arg) => arg.replace('{home}', net.home))], {
    columns: 80,
    rows: 24,
    env,
  })

/** Everything on the screen and above it, once it was checked. */
function masked(screen: Screen): readonly string[] {
  const rows = [...screen.scrolled(), ...screen.rows()]
  for (const text of hostile) assert.ok(!screen.raw().includes(text), JSON.stringify(text))
  for (const row of rows) assert.ok(displayWidth(row) <= 80, row)
  return rows
}

const order = ['1', 'rune', threePairs.usd, '--price'] as const

describe('symbols with control characters and of 500 characters, as a chain reports them,', () => {
  for (const args of [
    ['execute', '1', 'rune', 'btc-btc'],
    ['order', 'buy', ...order, '0.4'],
    ['order', 'sell', ...order, '0.5', '--ioc'],
    ['plan', 'run', '{home}/plan.json'],
  ])
    test(`are masked and shortened on the screen before a signature: ${args.slice(0, 2).join(' ')}`, async () => {
      const screen = open(...args, '--from', 'bot')
      await screen.shows(asks)
      screen.type('n\r')
      assert.equal(await screen.exited, 8)
      assert.ok(has('You are about to sign')(masked(screen)))
    })

  test('are masked before a transaction from a file is signed', async () => {
    const screen = open('tx', 'sign', '{home}/tx.json', '--from', 'bot')
    await screen.shows(has('Sign this? Type btc-btc to sign'))
    screen.type('n\r')
    assert.equal(await screen.exited, 8)
    masked(screen)
  })

  test('are replaced by the denom where the symbol has to be typed', async () => {
    const screen = open('execute', '5000', 'rune', 'btc-btc', '--from', 'bot')
    await screen.shows(asks)
    assert.ok(has('Type btc-btc to sign and send')(screen.rows()))
    screen.type('btc-btc\r')
    assert.equal(await screen.exited, 0, screen.rows().join('\n'))
    masked(screen)
  })
})
