import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { blockTimeOf } from '../../../src/cli/execution/terms.js'
import { loadConfig } from '../../../src/config/load.js'
import { demoFiles, openDemoCommands } from '../../../src/demo-chain/index.js'
import { payFromFaucet } from '../../../src/demo-chain/process/faucet.js'
import { Log } from '../../../src/demo-chain/process/log.js'
import { openFaultyChain } from '../../../src/demo-chain/process/open-demo.js'
import { temporaryFolder } from '../../support/folder.js'
import { deriveCheaply } from '../../support/remembered-scrypt.js'
import { type Ended, network } from '../commands/execute/stage.js'

type Coin = { readonly amount: string; readonly denom: string }

deriveCheaply()
// No block passes by itself: a deadline of 5 blocks holds on a slow machine as well.
const net = await network(3_600_000)
const run = (...args: readonly string[]) => net.run(...args)
const dryRun = (amount: string, token: string, ...flags: readonly string[]) =>
  run('execute', amount, token, 'usdc', '--from', 'main', '--dry-run', '--json', ...flags)
const documentOf = ({ stdout, stderr }: Ended) => JSON.parse(stdout || assert.fail(stderr))

const password = join(net.home, 'pw')
writeFileSync(password, 'a password of some length', { mode: 0o600 })
const made = await run(
  ...['keys', 'new', 'main', '--password-file', password],
  ...['--mnemonic-file', join(net.home, 'words'), '--json'],
)
const main: string = JSON.parse(made.stdout).address
payFromFaucet(net.real, main, [
  { denom: 'btc-btc', amount: 30_000_001n },
  { denom: 'rune', amount: 3_000_000_000n },
])
net.real.makeBlock()

describe('swap execute with a share of the balance', () => {
  const rows = [
    ['50%', 'btc', { denom: 'btc-btc', amount: '15000000' }],
    ['12.5%', 'rune', { denom: 'rune', amount: '375000000' }],
    ['100%', 'btc', { denom: 'btc-btc', amount: '30000001' }],
    ['max', 'btc', { denom: 'btc-btc', amount: '30000001' }],
    ['MAX', 'rune', { denom: 'rune', amount: '3000000000' }],
  ] as const
  for (const [amount, token, expected] of rows)
    test(`sells ${expected.amount} atomics for ${amount} ${token}, rounded down`, async () => {
      const { status, amount_in } = documentOf(await dryRun(amount, token))
      assert.deepEqual([status, amount_in], ['dry_run', expected])
    })
  for (const [amount, token, fees, sold] of [
    ['max', 'rune', '2000001rune', '2997999999'],
    ['max', 'rune', '7btc-btc', '3000000000'],
    ['max', 'btc', '7btc-btc', '29999994'],
    ['50%', 'rune', '2000001rune', '1500000000'],
  ] as const)
    test(`sells ${sold} atomics for ${amount} ${token} with a fee of ${fees}`, async () => {
      const { status, amount_in, tx } = documentOf(await dryRun(amount, token, '--fees', fees))
      assert.deepEqual([status, amount_in.amount], ['dry_run', sold])
      assert.equal(tx.fee.map((coin: Coin) => coin.amount + coin.denom).join(), fees)
    })
  for (const amount of ['100.01%', '150%', '1000%'])
    test(`refuses ${amount} because a share is at most 100%`, async () => {
      const ended = await dryRun(amount, 'btc')
      const { code, detail } = documentOf(ended)
      assert.deepEqual([ended.status, code], [2, 'INVALID_AMOUNT'])
      assert.match(detail, new RegExp(`a share of ${amount} is above 100%`))
    })
  for (const [amount, reason] of [
    ['33.333%', 'at most two decimals'],
    ['0.001%', 'at most two decimals'],
    ['0%', 'nothing to swap'],
    ['0.00%', 'nothing to swap'],
  ] as const)
    test(`refuses ${amount} with its reason`, async () => {
      const ended = await dryRun(amount, 'btc')
      const { code, detail } = documentOf(ended)
      assert.deepEqual([ended.status, code], [2, 'INVALID_AMOUNT'])
      assert.match(detail, new RegExp(reason))
    })
  test('refuses a share of nothing with the balance', async () => {
    for (const [amount, token, into, held] of [['max', 'usdc', 'btc', '0']] as const) {
      const call = ['execute', amount, token, into, '--from', 'main', '--dry-run', '--json']
      const ended = await run(...call)
      const { code, available } = documentOf(ended)
      assert.deepEqual([ended.status, code, available], [6, 'INSUFFICIENT_FUNDS', held], amount)
    }
  })
})

describe('swap execute max --mode legs', () => {
  test('leaves a fee for each leg', async () => {
    payFromFaucet(net.real, main, [{ denom: 'rune', amount: 5_997_000_000_000n }])
    net.real.makeBlock()
    const terms = ['--mode', 'legs', '--split-step', '10', '--fees', '2000000rune']
    const ended = await dryRun('max', 'rune', ...terms, '--max-impact', '50%')
    const { status, amount_in, legs } = documentOf(ended)
    assert.deepEqual([status, legs.length > 1], ['dry_run', true])
    assert.equal(amount_in.amount, `${6_000_000_000_000 - legs.length * 2_000_000}`)
  })
})

describe('swap execute --deadline', () => {
  const timeoutOf = ({ stdout }: Ended) => Number(/"timeout_height":"?(\d+)/.exec(stdout)?.[1])
  for (const [text, blocks] of [
    ['5', 5],
    ['200', 200],
    ['10s', 5],
  ] as const)
    test(`of ${text} ends ${blocks} blocks after the height of the transaction`, async () => {
      const ended = await dryRun('1', 'rune', '--deadline', text)
      assert.equal(timeoutOf(ended), net.real.height + blocks, ended.stderr)
    })
  for (const text of [
    '0',
    '4',
    '201',
    '999',
    '5000',
    '8s',
    '3600s',
    '1h',
    '401s',
    '1.5',
    '-5',
    'soon',
  ])
    test(`refuses "${text}"`, async () => {
      const ended = await dryRun('1', 'rune', `--deadline=${text}`)
      assert.deepEqual([ended.status, documentOf(ended).code], [2, 'INVALID_REQUEST'])
      assert.match(ended.stderr, /--deadline/)
      assert.match(documentOf(ended).errors[0].detail, /from 5 to 200 blocks/)
    })
})

test('swap execute --gas refuses other amounts than it names', async () => {
  for (const text of ['0', '999', '1000000000000', '1e6']) {
    const ended = await dryRun('1', 'rune', `--gas=${text}`)
    assert.match(documentOf(ended).errors[0].detail, /from 1000 to 999999999999/)
  }
})

test('swap execute --gas-adjustment multiplies the simulated gas by up to ten, rounded up', async () => {
  const limit = async (text: string) => {
    const { tx } = documentOf(await dryRun('1', 'rune', '--gas-adjustment', text))
    return Math.round((Number(tx.gas_limit) / Number(tx.gas_used)) * 1_000)
  }
  for (const [text, factor] of [
    ['1', 1_000],
    ['1.05', 1_050],
    ['1.5', 1_500],
    ['10', 10_000],
  ] as const)
    assert.equal(await limit(text), factor, text)
  for (const text of ['0.99', '10.01', '1.234', '.5', '-2']) {
    const ended = await dryRun('1', 'rune', `--gas-adjustment=${text}`)
    assert.match(documentOf(ended).errors[0].detail, /from 1 to 10/)
  }
})

test('a deadline in time counts the blocks that the own demo chain makes in that time', async () => {
  const home = temporaryFolder('block-time')
  const files = demoFiles(home)
  const { real, close } = openFaultyChain(files, { blockTimeMs: 500 }, new Log(files.log))
  real.makeBlock()
  close()
  const config = await loadConfig({ env: {}, cwd: home, home, flags: {} })
  assert.equal(await blockTimeOf({ config, demo: () => openDemoCommands(files, []) }), 500)
})

describe('swap execute', () => {
  for (const [flag, value, ...more] of [
    ['--fees', '0x10'],
    ['--fees', '0xff'],
    ['--once', 'k'.repeat(201)],
    ['--gas', '3000000', '--gas-adjustment', '1.5'],
  ] as const)
    test(`refuses ${flag} ${value.slice(0, 20)} ${more.join(' ')}`.trimEnd(), async () => {
      const ended = await dryRun('1', 'rune', flag, value, ...more)
      assert.deepEqual([ended.status, documentOf(ended).code], [2, 'INVALID_REQUEST'])
      assert.ok(ended.stderr.includes(flag))
    })
  test('takes --fees of a token whose denom begins with x, and a --once of 200 characters', async () => {
    const ended = await dryRun('1', 'rune', '--fees', '20x/ruji', '--once', 'k'.repeat(200))
    assert.match(ended.stdout, /x\/ruji/)
  })
})

describe('a limit that a flag raises', () => {
  test('is refused with the command that raises it in the file', async () => {
    const limit = ['config', 'set', 'limits.per_tx_usd']
    assert.equal((await run(...limit, '1')).status, 0)
    const call = ['--yes', '--slippage', '1%', '--limits-per-tx-usd', '2000.5']
    const { code, hint } = documentOf(await dryRun('1', 'rune', ...call))
    assert.equal(code, 'LIMIT_EXCEEDED')
    assert.equal(hint.split('; or ')[0], `change the file: swap ${limit.join(' ')} 2000.50`)
    assert.equal((await run(...limit, '2000.50')).status, 0)
    assert.equal((await dryRun('1', 'rune', ...call)).status, 0)
    assert.equal((await run('config', 'unset', 'limits.per_tx_usd')).status, 0)
  })
})
