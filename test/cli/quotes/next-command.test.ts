import assert from 'node:assert/strict'
import { toBech32 } from '@cosmjs/encoding'
import { describe, test } from 'vitest'
import type { Context } from '../../../src/cli/command.js'
import { networkCommands } from '../../../src/cli/commands/index.js'
import { heldBySigner } from '../../../src/cli/quotes/quote.js'
import { closingLines, type PrintedQuote } from '../../../src/cli/quotes/quote-notes.js'
import { onNetwork } from '../../../src/config/configured.js'
import { loadConfig } from '../../../src/config/load.js'
import { styleOf } from '../../../src/render/style.js'
import { runIn } from '../../support/cli.js'
import { temporaryFolder } from '../../support/folder.js'
import { inTerminal } from '../../support/terminal.js'
import { bin, network } from '../commands/execute/stage.js'

const address = toBech32('demo', new Uint8Array(20).fill(7))
const net = await network()
const home = temporaryFolder()

const style = styleOf({ width: 80, color: false, ascii: false, tty: true })

/** The context of a command on a terminal, or with `tty: false` in a pipe. */
async function contextOf(
  flags: Parameters<typeof loadConfig>[0]['flags'] = {},
  { tty = true, besideMarket = undefined as Context['besideMarket'] } = {},
): Promise<Context> {
  const env = { SWAP_HOME: home }
  const config = await loadConfig({ env, cwd: home, home, configFile: null, flags })
  const suggest = onNetwork(config, networkCommands)
  const out = { style: { ...style, tty, suggest }, stdout: { isTTY: tty } }
  const form = { kind: 'human', quiet: 0 }
  const surroundings = { env, cwd: home, home }
  return { config, out, form, surroundings, besideMarket } as unknown as Context
}

const sold = { denom: 'btc-btc', amount: '150000000' }
const market = { tokens: new Map([['btc-btc', { symbol: 'BTC', decimals: 8, chain: 'BTC' }]]) }
const closing = async (
  context: Context,
  quote: Partial<PrintedQuote> = {},
  held?: Awaited<ReturnType<typeof heldBySigner>>,
) =>
  closingLines(
    context,
    market as unknown as Parameters<typeof closingLines>[1],
    { id: 'q_0123abcd', input: sold, impactBps: 12, recipient: undefined, ...quote },
    Promise.resolve(held),
  )

describe('the last line of a quote', () => {
  test('executes it with the key that is configured, the only one, or that of the demo chain', async () => {
    const next = '  Next        swap execute q_0123abcd'
    assert.deepEqual(await closing(await contextOf()), [`${next} --from demo`])
    assert.deepEqual(await closing(await contextOf({ from: 'bot' })), [`${next} --from bot`])
    assert.deepEqual(await closing(await contextOf({ from: address })), [next])
    assert.deepEqual(await closing(await contextOf({ network: 'mainnet' })), [
      '  Next        swap -n mainnet keys new main && swap -n mainnet execute q_0123abcd --from main',
    ])
  })

  test('names a recipient twice, as execute wants it, and is never wrapped', async () => {
    const lines = await closing(await contextOf(), { recipient: address })
    assert.deepEqual(lines, [
      `  Next        swap execute q_0123abcd --from demo --to ${address} --confirm-to ${address}`,
    ])
  })

  test('is left out where execute would refuse, and for a saved market', async () => {
    assert.deepEqual(await closing(await contextOf(), { impactBps: 900 }), [])
    assert.deepEqual(await closing(await contextOf(), { id: undefined }), [])
    assert.deepEqual(await closing(await contextOf({ snapshot: 'market.json' })), [])
  })

  test('gives way to what the signer holds if that is too little', async () => {
    const context = await contextOf()
    const lines = (amount: bigint) => closing(context, {}, [{ denom: 'btc-btc', amount }])
    const poor = '  You hold    0.8 BTC: not enough'
    assert.deepEqual(await lines(80_000_000n), [
      poor,
      '  Next        swap demo faucet demo 1.5 btc',
    ])
    assert.match((await lines(150_000_000n))[0]!, /^ {2}Next {8}swap execute/)
    const real = await contextOf({ network: 'mainnet', from: 'main' })
    const held = [{ denom: 'btc-btc', amount: 80_000_000n }]
    assert.deepEqual(await closing(real, {}, held), [poor])
  })

  test('does not wait for balances', async () => {
    const never = new Promise<undefined>(() => {})
    const quote = { id: 'q_0123abcd', input: sold, impactBps: 12, recipient: undefined }
    const lines = await closingLines(await contextOf(), market as never, quote, never)
    assert.equal(lines.length, 1)
  })
})

describe('what the signer holds', () => {
  const coins = [{ denom: 'btc-btc', amount: 1n }]
  test('is one query beside the market, on a terminal only', async () => {
    const asked: string[] = []
    const besideMarket: NonNullable<Context['besideMarket']> = (query) =>
      query({
        balances: async (who: string) => {
          asked.push(who)
          return coins
        },
      } as never)
    const on = await contextOf({ from: address }, { besideMarket })
    assert.deepEqual(await heldBySigner(on), coins)
    assert.deepEqual(asked, [address])
    assert.equal(await heldBySigner(await contextOf({}, { besideMarket, tty: false })), undefined)
    assert.equal(asked.length, 1)
  })

  test('is unknown if the query fails, and the quote continues', async () => {
    const besideMarket = () => Promise.reject(new Error('reset'))
    assert.equal(await heldBySigner(await contextOf({}, { besideMarket })), undefined)
    const unknown = await contextOf(
      { from: 'nobody' },
      { besideMarket: (query) => query({} as never) },
    )
    assert.equal(await heldBySigner(unknown), undefined)
  })
})

describe('a quote on a terminal', () => {
  const rowsOf = async (env: Readonly<Record<string, string>>) => {
    const screen = inTerminal([process.execPath, bin, 'sroute', '1', 'rune', 'usdc'], {
      rows: 60,
      env,
    })
    assert.equal(await screen.exited, 0)
    return screen.rows().filter((row) => row !== '')
  }

  test('ends with the command that executes it, or with what the signer lacks', async () => {
    assert.match((await rowsOf(net.env)).at(-1)!, /^ {2}Next {8}.*swap execute q_[0-9a-f]{8}/)
    const poor = await rowsOf({ ...net.env, SWAP_FROM: address })
    assert.ok(poor.includes('  You hold    0 RUNE: not enough'))
    assert.ok(poor.join('').endsWith(`  Next        swap demo faucet ${address} 1 rune`))
  })

  test('has neither in a pipe', async () => {
    const { stdout } = await runIn({ home }, ['route', '1', 'rune', 'usdc', '-o', 'human'])
    assert.doesNotMatch(stdout, /You hold|Next/)
  })
})

test.each([
  ['5000', 'usdc', 'rune', 'swap order buy 9851.723838 rune usdc --price 0.510589 --ioc'],
  ['1', 'btc', 'usdc', 'swap order sell 1 btc usdc --price 77003.1 --ioc'],
  ['1', 'btc', 'rune', 'no single order pays more'],
])('a quote of %s %s to %s names the order that pays more: %s', async (...row) => {
  const [amount, sold, bought, expected] = row
  const { stdout } = await runIn({ home }, [
    'route',
    amount,
    sold,
    bought,
    '--allow-direct',
    '-o',
    'human',
  ])
  assert.ok(stdout.includes(`${expected}\n`), stdout)
})
