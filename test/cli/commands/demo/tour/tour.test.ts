import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { tourSteps } from '../../../../../src/cli/commands/demo/tour/steps.js'
import { freshHome } from '../../../../support/cli.js'
import { longTest } from '../../../../support/long.js'
import { inTerminal } from '../../../../support/terminal.js'
import { liveNode } from '../../../watch/stage.js'

const { home, swap } = freshHome()

const env = { SWAP_HOME: home, HOME: home }
const steps = tourSteps

/** What each step shows on a terminal of 80 columns. */
const promised: Readonly<Record<string, RegExp>> = {
  'swap tokens usdc': /USDC +base-usdc-|usdc\.base/,
  'swap route 1 usdd rune': /no token is called "usdd"[\s\S]*did you mean usdc/,
  'swap route 1.5 btc rune': /Cost +2\.48 %[\s\S]*notable impact[\s\S]*swap sroute/,
  'swap sroute 1.5 btc rune': /Gain +\+945\.26091 RUNE +over single \+0\.42 %[\s\S]* 57\.39 % ━/,
  'swap sroute 30 btc rune':
    /severe impact, execute refuses it[\s\S]*swap max btc rune --max-impact 5% --split/,
  'swap sroute 30 btc rune --max-impact 5%': /PRICE_IMPACT_TOO_HIGH \(exit 5\)/,
  'swap tokens usdc --csv': /^denom,symbol,/m,
  'swap sroute 1.5 btc rune --watch --count 5': /"reason":"count","exit":0|every block/,
  'swap route 1.5 btc rune -q': /^\d+\.\d+$/m,
  'swap demo fail slippage --once': /on now:[\s\S]*slippage/,
  'swap execute 0.01 btc rune --from demo --yes --slippage 1%': /SLIPPAGE_EXCEEDED \(exit 5\)/,
  'swap arbs': /profitable loops?/,
  'swap arbroute 5000 usdc': /profit, USDC[\s\S]*best size/,
}

/** What waits for blocks is a test of the long run: the first steps of the README execute as well. */
const waits = (command: string) => /^swap execute|--watch/.test(command)

describe('a step of the tour', () => {
  afterAll(() => swap('demo', 'stop'))
  for (const { command, exit } of steps.filter(({ command }) => !command.includes('q_...')))
    (waits(command) ? longTest : test)(
      `${command} ends with ${exit} and shows what the tour promises`,
      async () => {
        // A chain of three pairs with short blocks is watched in less time.
        const network = command.includes('--watch') ? (await liveNode()).network : []
        const words = command.split(' ').slice(1)
        const isForm = words.some((word) => /^(--json|--csv|-q|--watch)$/.test(word))
        const { status, stdout, stderr } = await swap(
          ...(isForm ? words : [...words, '-o', 'human', '--width', '80']),
          ...network,
        )
        assert.equal(status, exit, stderr)
        assert.match(stdout + stderr, promised[command] ?? assert.fail(command))
      },
    )
  longTest(
    'swap execute q_... --from demo shows the transaction, takes the symbol, and is confirmed',
    async () => {
      const quoted = await swap('sroute', '0.1', 'btc', 'rune', '--json')
      const id = /q_[0-9a-f]{8}/.exec(quoted.stderr)![0]
      // Blocks that pass between the two commands on a busy machine move the books.
      const words = ['execute', id, '--from', 'demo', '--slippage', '5%']
      const screen = inTerminal([process.execPath, resolve('bin/swap.js'), ...words], {
        env,
        rows: 60,
      })
      await screen.shows((rows) => rows.some((row) => /^ {2}>/.test(row)))
      screen.type('RUNE\r')
      assert.equal(await screen.exited, 0)
      assert.match(screen.rows().join('\n'), /0\.1 BTC → [\d,.]+ RUNE · confirmed/)
    },
  )
  test('needs no network, no key and no file', () => {
    assert.ok(!readdirSync(home).some((name) => name === '.swaprc' || name === 'keys'))
  })
})

describe('swap demo tour', () => {
  test('in a pipe lists the minute, the command and what it shows', async () => {
    const lines = (await swap('demo', 'tour')).stdout.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => line.split('\t')[1]),
      steps.map(({ command }) => command),
    )
    assert.equal(
      (await swap('demo', 'tour', '-q')).stdout,
      `${steps.map(({ command }) => command).join('\n')}\n`,
    )
    const table = (await swap('demo', 'tour', '--csv')).stdout.split('\r\n')
    assert.deepEqual([table[0], table.length], ['minute,command,shows', steps.length + 2])
  })
  longTest(
    'on a terminal waits before each step, runs it on the demo, skips it, and ends',
    async () => {
      const words = ['demo', 'tour', '-n', 'demo']
      const screen = inTerminal([process.execPath, resolve('bin/swap.js'), ...words], {
        env: { ...env, SWAP_NETWORK: 'mainnet' },
        rows: 80,
      })
      const asks = (count: number) => (rows: readonly string[]) =>
        rows.filter((row) => row.includes('enter runs it, s skips it, q ends:')).length === count
      await screen.shows(asks(1))
      assert.match(screen.rows().join('\n'), /1\/\d+ {2}swap tokens/)
      screen.type('s\r')
      await screen.shows(asks(2))
      screen.type('\r')
      await screen.shows(asks(3))
      assert.match(screen.rows().join('\n'), /no token is called "usdd"[\s\S]*exit 2/)
      screen.type('q\r')
      assert.equal(await screen.exited, 0)
    },
  )
})
