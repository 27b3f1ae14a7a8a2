import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { build } from '../../../src/execution/plan/build.js'
import { rune, stage, usdc } from '../stage.js'

describe('a transaction of two calls', () => {
  test.each([
    ['loop', 100n, 60n, rune, 106n, 'INSUFFICIENT_FUNDS'],
    ['loop', 60n, 100n, rune, 106n, 'INSUFFICIENT_FUNDS'],
    ['loop', 100n, 60n, rune, 107n, undefined],
    ['loop', 60n, 100n, usdc, 100n, undefined],
    ['swap', 100n, 60n, usdc, 159n, 'INSUFFICIENT_FUNDS'],
    ['swap', 100n, 60n, usdc, 160n, undefined],
  ] as const)(
    'as a %s that sells %d and %d in %s with a fee of 7 RUNE and a balance of %d has the error %s: a loop needs its largest input once',
    async (action, first, second, denom, held, code) => {
      const { chain, account, order } = await stage()
      const { terms } = await order({ gas: 1_000_000n, fees: [{ denom: rune, amount: 7n }] })
      const balances = async () => [
        ...(denom === rune ? [] : [{ denom: rune, amount: 7n }]),
        { denom, amount: held },
      ]
      const message = { swap: {} }
      const calls = [first, second].map((amount) => ({
        contract: account.address,
        funds: [{ denom, amount }],
      }))
      const market = await chain.market()
      const outcome = build(
        { ...chain, balances },
        { account, terms },
        {
          market,
          action,
          calls: calls.map((each) => ({ ...each, message })),
          expected: calls.map((each) => ({ ...each, message: JSON.stringify(message) })),
          gas: 100_000n,
          simulationFailed: (why) => assert.fail(why),
        },
      )
      if (code === undefined) assert.equal((await outcome).decoded.calls.length, 2)
      else await assert.rejects(outcome, { code })
    },
  )
})
