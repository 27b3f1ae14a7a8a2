import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { faucetAddress } from '../../../../src/demo-chain/genesis/known-accounts.js'
import { freshHome, jsonOf, runIn, wordsOf } from '../../../support/cli.js'

const faucet = faucetAddress('demo')

describe('swap simulate', () => {
  const { home, swap: run } = freshHome()
  const feed = (input: string, ...args: readonly string[]) => runIn({ home, input }, args)

  test('ends with 5 for a quote that differs: one document, or the table and four lines', async () => {
    const answer = jsonOf(await run('route', '0.1', 'btc', 'rune', '--json'))
    const ours = BigInt(answer.routes[0].simulated_output)
    answer.routes[0].simulated_output = `${ours + 7n}`
    const text = JSON.stringify(answer)
    const json = await feed(text, 'simulate', '-', '--json')
    assert.deepEqual([json.status, jsonOf(json).code], [5, 'SIMULATION_MISMATCH'])
    assert.equal(jsonOf(json).legs[0].difference, '-7')
    const human = await feed(text, 'simulate', '-', '-o', 'human')
    assert.match(human.stdout, /-0\.00000007 [A-Z]+ {2}differs/)
    assert.match(wordsOf(human), /code SIMULATION_MISMATCH \(exit 5\)/)
    assert.equal((await feed(text, 'simulate', '-', '--tolerance', '1bps')).status, 0)
  })

  test('passes an error on standard input on with its own exit code', async () => {
    const problem = await run(...'route 1 btc rune --via btc --max-impact 0bps --json'.split(' '))
    const passed = await feed(problem.stdout, 'simulate', '-', '--json')
    assert.deepEqual([passed.status, jsonOf(passed).code], [problem.status, jsonOf(problem).code])
    assert.equal((await feed('', 'simulate', '-')).status, 2)
    assert.equal((await feed('nonsense', 'simulate', '-')).status, 2)
  })

  test('ends with 6 for an account without funds', async () => {
    const answer = jsonOf(await run('balances', faucet, '--json'))
    const router = jsonOf(await run('snapshot', 'show', '--json')).router.address
    assert.ok(answer.balances.length > 0)
    const ended = await run('simulate', '0.1', 'btc', 'rune', '--from', router, '--json')
    assert.deepEqual([ended.status, jsonOf(ended).code], [6, 'INSUFFICIENT_FUNDS'])
  })
})
