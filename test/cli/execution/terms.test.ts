import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import type { Context, FlagValues } from '../../../src/cli/command.js'
import { withShare } from '../../../src/cli/execution/balance-share.js'
import { blockTimeOf, signingTermsOf } from '../../../src/cli/execution/terms.js'
import { loadConfig } from '../../../src/config/load.js'
import { demoFiles, openDemoCommands } from '../../../src/demo-chain/index.js'
import { payFromFaucet } from '../../../src/demo-chain/process/faucet.js'
import { Log } from '../../../src/demo-chain/process/log.js'
import { openFaultyChain } from '../../../src/demo-chain/process/open-demo.js'
import type { SwapError } from '../../../src/engine/errors.js'
import { app } from '../../render/documents.js'
import { temporaryFolder } from '../../support/folder.js'
import { deriveCheaply } from '../../support/remembered-scrypt.js'
import { type Ended, network } from '../commands/execute/stage.js'

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
const held = [
  { denom: 'btc-btc', amount: 30_000_001n },
  { denom: 'rune', amount: 3_000_000_000n },
]
payFromFaucet(net.real, main, held)
net.real.makeBlock()

const config = await loadConfig({ env: net.env, cwd: net.home, home: net.home, flags: {} })
/** What the terms of a call are read from: settings, a market, and an account. */
const context = {
  config,
  form: { atomic: false },
  app: {
    openMarket: app.openMarket,
    chain: async () => ({ balances: async () => held, feeDenom: 'rune', gasPrice: async () => 0n }),
  },
} as unknown as Context

/** The amount of `50% btc`, in units. */
const shareOf = async (amount: string, token: string, flags: FlagValues = {}) =>
  (await withShare(context, [amount, token, 'usdc'], main, flags)).words[0]

describe('a share of the balance', () => {
  for (const [amount, token, fees, sold] of [
    ['50%', 'btc', undefined, '0.15'],
    ['12.5%', 'rune', undefined, '3.75'],
    ['100%', 'btc', undefined, '0.30000001'],
    ['max', 'btc', undefined, '0.30000001'],
    ['MAX', 'rune', undefined, '30'],
    ['max', 'rune', '2000001rune', '29.97999999'],
    ['max', 'rune', '7btc-btc', '30'],
    ['max', 'btc', '7btc-btc', '0.29999994'],
    ['50%', 'rune', '2000001rune', '15'],
  ] as const)
    test(`of ${amount} ${token} is ${sold}, rounded down, with a fee of ${fees}`, async () =>
      assert.equal(await shareOf(amount, token, { fees }), sold))
  for (const [amount, reason] of [
    ['100.01%', /a share of 100.01% is above 100%/],
    ['150%', /above 100%/],
    ['1000%', /above 100%/],
    ['33.333%', /at most two decimals/],
    ['0.001%', /at most two decimals/],
    ['0%', /nothing to swap/],
    ['0.00%', /nothing to swap/],
  ] as const)
    test(`of ${amount} is refused with its reason`, () =>
      assert.rejects(shareOf(amount, 'btc'), (error: SwapError) => {
        assert.equal(error.code, 'INVALID_AMOUNT')
        return reason.test(`${error.message}; ${error.why}`)
      }))
  test('is in atomics with --atomic', async () => {
    const atomic = { ...context, form: { ...context.form, atomic: true } }
    const { words } = await withShare(atomic, ['50%', 'btc', 'usdc'], main, {})
    assert.equal(words[0], '15000000')
  })
  test('that its fees use up is refused with both', () =>
    assert.rejects(shareOf('max', 'rune', { fees: '3000000000rune' }), (error: SwapError) => {
      assert.equal(error.code, 'INSUFFICIENT_FUNDS')
      assert.match(`${error.why}`, /holds 30 RUNE, and max keeps 30 of it for fees$/)
      return true
    }))
  test('is sold by swap execute', async () => {
    const { status, amount_in, tx } = documentOf(
      await dryRun('max', 'rune', '--fees', '2000001rune'),
    )
    assert.deepEqual([status, amount_in.amount], ['dry_run', '2997999999'])
    assert.deepEqual(tx.fee, [{ denom: 'rune', amount: '2000001' }])
  })
  test('of nothing is refused with the balance', async () => {
    const call = ['execute', 'max', 'usdc', 'btc', '--from', 'main', '--dry-run', '--json']
    const ended = await run(...call)
    const { code, available } = documentOf(ended)
    assert.deepEqual([ended.status, code, available], [6, 'INSUFFICIENT_FUNDS', '0'])
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

describe('a term of a transaction', () => {
  test('is read in each of its forms', async () => {
    const read = async (flags: FlagValues) => {
      const { deadlineBlocks, gasAdjustment, once, fees } = await signingTermsOf(context, flags)
      return [deadlineBlocks, gasAdjustment, once, fees]
    }
    const once = 'k'.repeat(200)
    for (const [flags, expected] of [
      [{}, [20, 140n, null, undefined]],
      [{ deadline: '5', gasAdjustment: '1' }, [5, 100n, null, undefined]],
      [
        { deadline: '200', gasAdjustment: '1.05', fees: '20x/ruji' },
        [200, 105n, null, [{ denom: 'x/ruji', amount: 20n }]],
      ],
      [{ deadline: '10s', gasAdjustment: '10', once }, [5, 1_000n, once, undefined]],
    ] as const)
      assert.deepEqual(await read(flags), expected)
  })
  for (const [name, flag, texts, why] of [
    [
      'deadline',
      '--deadline',
      ['0', '4', '201', '999', '5000', '8s', '3600s', '1h', '401s', '1.5', '-5', 'soon'],
      /from 5 to 200 blocks/,
    ],
    ['gas', '--gas', ['0', '999', '1000000000000', '1e6'], /from 1000 to 999999999999/],
    ['gasAdjustment', '--gas-adjustment', ['0.99', '10.01', '1.234', '.5', '-2'], /from 1 to 10/],
    ['fees', '--fees', ['0x10', '0xff'], /atomics and a denom/],
    ['once', '--once', ['k'.repeat(201)], /at most 200 characters, and this has 201/],
  ] as const)
    for (const text of texts)
      test(`is refused with its range: ${flag} ${text.slice(0, 20)}`, () =>
        assert.rejects(signingTermsOf(context, { [name]: text }), (error: SwapError) => {
          assert.equal(error.code, 'INVALID_REQUEST')
          return error.message.includes(flag) && why.test(`${error.why}`)
        }))
})

describe('swap execute', () => {
  test('ends with 2 for a wrong term, or two that exclude each other', async () => {
    for (const flags of [['--deadline=4'], ['--gas', '3000000', '--gas-adjustment', '1.5']]) {
      const ended = await dryRun('1', 'rune', ...flags)
      assert.deepEqual([ended.status, documentOf(ended).code], [2, 'INVALID_REQUEST'])
      assert.ok(ended.stderr.includes(flags.at(-2) ?? '--deadline'))
    }
  })
  test('has the timeout height, the fee and the multiplied gas of its terms', async () => {
    const terms = ['--deadline', '5', '--fees', '7btc-btc', '--gas-adjustment', '1.05']
    const { tx } = documentOf(await dryRun('1', 'rune', ...terms))
    assert.equal(Number(tx.timeout_height), net.real.height + 5)
    assert.deepEqual(tx.fee, [{ denom: 'btc-btc', amount: '7' }])
    assert.equal(Number(tx.gas_limit), Math.ceil(tx.gas_used * 1.05))
  })
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
