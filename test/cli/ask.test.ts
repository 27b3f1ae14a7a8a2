import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { faucetAddress } from '../../src/demo-chain/genesis/known-accounts.js'
import { formatUnits } from '../../src/engine/math/units.js'
import { freshHome, jsonOf, runIn, wordsOf } from '../support/cli.js'
import { firstRows } from '../support/long.js'

type Home = ReturnType<typeof freshHome>

const faucet = faucetAddress('demo')

/** The chain inside the command; the long run also asks a process that runs it. */
const places = [
  ['inside the command', async () => {}],
  // No block passes between a quote and a question about it.
  [
    'in a process',
    (home: Home) => home.swap('demo', 'start', '--port', '0', '--block-time', '600s', '-qq'),
  ],
] as const

for (const [place, start] of firstRows(places))
  describe(`the demo chain ${place}`, () => {
    const home = freshHome()
    beforeAll(() => start(home))

    test('confirms a route with --verify by its contracts', async () => {
      const { verify, routes, height } = jsonOf(
        await home.swap('route', '0.1', 'btc', 'rune', '--verify', '--json'),
      )
      assert.deepEqual([verify.height, verify.routes.length], [height, routes.length])
      assert.equal(verify.routes[0].agrees, true)
      assert.equal(verify.routes[0].router.difference, '0')
      const call = ['route', '0.1', 'btc', 'rune', '--verify']
      const human = (await home.swap(...call, '-o', 'human')).stdout
      assert.match(human, /Asked the contracts at block \d+/)
      assert.match(human, /router .* 0 {2}same/)
    })

    test('confirms every leg of a split with --verify by its contracts', async () => {
      const { verify, routes, height } = jsonOf(
        await home.swap('sroute', '0.1', 'btc', 'rune', '--verify', '--json'),
      )
      assert.deepEqual([verify.height, verify.agrees], [height, true])
      assert.equal(verify.routes[0].legs.length, routes[0].legs.length)
      const call = ['sroute', '0.1', 'btc', 'rune', '--verify']
      const human = (await home.swap(...call, '-o', 'human')).stdout
      assert.match(human, /Asked the contracts at block \d+/)
      assert.match(human, /L1 .* router .* 0 {2}same/)
      assert.match((await home.swap(...call)).stdout, /^verify\.1\.leg\.1\.router\.difference\t0$/m)
    })

    test('simulates legs that share a book as their transaction executes them', async () => {
      const legs = ['--legs', '0.06:rune/btc', '--legs', '0.04:rune/btc']
      const quote = await home.swap('sroute', '0.1', 'btc', 'rune', ...legs, '--json')
      const file = join(home.home, 'quote.json')
      writeFileSync(file, quote.stdout)
      const { legs: asked, transaction } = jsonOf(
        await home.swap('simulate', file, '--from', faucet, '--json'),
      )
      assert.deepEqual(
        asked.map(({ difference }: { difference: string }) => difference),
        ['0', '0'],
      )
      const [{ expected_output }] = jsonOf(quote).routes
      assert.equal(transaction.received.amount, expected_output)
      const missing = await home.swap('simulate', join(home.home, 'nothing.json'))
      assert.deepEqual([missing.status, /no quote and no file/.test(missing.stderr)], [2, true])
    })

    test('simulates a new quote, a kept one, and one on standard input', async () => {
      const first = jsonOf(await home.swap('simulate', '0.1', 'btc', 'rune', '--json'))
      assert.deepEqual([first.within, first.legs[0].difference], [true, '0'])
      const quote = await home.swap('route', '0.1', 'btc', 'rune', '--json')
      const id = /quote (q_[0-9a-f]{8})/.exec(quote.stderr)?.[1] ?? ''
      const kept = jsonOf(await home.swap('simulate', id, '--json'))
      assert.deepEqual(
        [kept.height, kept.legs[0].returned],
        [jsonOf(quote).height, jsonOf(quote).routes[0].simulated_output],
      )
      assert.deepEqual(
        jsonOf(await runIn({ home: home.home, input: quote.stdout }, ['simulate', '-', '--json'])),
        kept,
      )
      const atomics: string = kept.legs[0].returned
      assert.equal((await home.swap('simulate', id, '-q', '--atomic')).stdout, `${atomics}\n`)
      const units = formatUnits(BigInt(atomics), 8)
      assert.equal((await home.swap('simulate', id, '-q')).stdout, `${units}\n`)
    })

    test('simulates the transaction of an account with --from', async () => {
      const { transaction } = jsonOf(
        await home.swap('simulate', '0.1', 'btc', 'rune', '--from', faucet, '--json'),
      )
      assert.deepEqual([transaction.succeeds, transaction.min_return_met], [true, true])
      const text = (
        await home.swap('simulate', '0.1', 'btc', 'rune', '--from', faucet, '-o', 'human')
      ).stdout
      assert.match(text, /Transaction would succeed · gas \d+/)
      assert.match(text, /met with .* RUNE to spare/)
    })

    test('answers book and balances in every form', async () => {
      const asked = await home.swap('book', 'btc/usdc', '--levels', '3', '--json')
      const answer = jsonOf(asked)
      assert.deepEqual([answer.asks.levels.length, answer.bids.levels.length], [3, 3])
      assert.equal(
        jsonOf(await home.swap('book', 'usdc', 'btc', '--json')).pair.address,
        answer.pair.address,
      )
      assert.equal(
        (await home.swap('book', 'btc/usdc', '--levels', '3')).stdout.trim().split('\n').length,
        6,
      )
      assert.match(
        (await home.swap('book', 'btc/usdc', '--csv')).stdout,
        /^network,height,pair,side,.*,amount,amount_human,depth,depth_human,/,
      )
      assert.match(
        (await home.swap('balances', faucet, '--csv')).stdout,
        /,amount,amount_human,.*,resting,resting_human,claimable,claimable_human\r/,
      )
      const { balances } = jsonOf(await home.swap('balances', faucet, '--json'))
      assert.ok(balances.some(({ denom }: { denom: string }) => denom === 'rune'))
      assert.match((await home.swap('balances', faucet)).stdout, /^\S+\t\S+\t\d+\t/)
    })

    test('passes every check of the doctor', async () => {
      const { status, stdout } = await home.swap('doctor', '--json')
      const { failed, checks } = JSON.parse(stdout)
      assert.deepEqual([status, failed], [0, 0], stdout)
      assert.ok(checks.some(({ name }: { name: string }) => name === 'contract'))
      assert.match(
        (await home.swap('doctor', '-o', 'human')).stdout,
        /✓ node .* answers in \d+ ms, height/,
      )
    })

    test('answers as of a block with --height, or names the earliest block', async () => {
      const { height } = jsonOf(await home.swap('tokens', '--json'))
      for (const command of firstRows([
        ['book', 'btc/usdc'],
        ['tokens'],
        ['route', '1', 'btc', 'rune'],
      ])) {
        const answer = await home.swap(...command, '--height', `${height}`, '--json')
        assert.equal(jsonOf(answer).height, height, answer.stderr)
        const pruned = await home.swap(...command, '--height', '3', '--json')
        assert.deepEqual([pruned.status, jsonOf(pruned).code], [2, 'NOT_FOUND'])
        assert.equal(jsonOf(pruned).earliest, 120)
      }
      assert.match(wordsOf(await home.swap('tokens', '--height', '999999999')), /not there yet/)
    })
  })
