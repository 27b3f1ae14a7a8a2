import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { build } from '../../src/execution/plan/build.js'
import { rune, stage, usdc } from './stage.js'

describe('a transaction of two arbitrage loops', () => {
  test.each([
    [rune, 106n, 'INSUFFICIENT_FUNDS'],
    [rune, 107n, undefined],
    [usdc, 100n, undefined],
  ])(
    'in %s with a fee of 7 RUNE and a balance of %d has the error %s: the input is needed once, the fee beside it',
    async (denom, held, code) => {
      const { chain, account, order } = await stage()
      const { terms } = await order({ gas: 1_000_000n, fees: [{ denom: rune, amount: 7n }] })
      const balances = async () => [
        ...(denom === rune ? [] : [{ denom: rune, amount: 7n }]),
        { denom, amount: held },
      ]
      const message = { swap: {} }
      const call = { contract: account.address, funds: [{ denom, amount: 100n }] }
      const market = await chain.market()
      const outcome = build(
        { ...chain, balances },
        { account, terms },
        {
          market,
          action: 'loop',
          calls: [call, call].map((each) => ({ ...each, message })),
          expected: [call, call].map((each) => ({ ...each, message: JSON.stringify(message) })),
          simulationFailed: (why) => assert.fail(why),
        },
      )
      if (code === undefined) assert.equal((await outcome).decoded.calls.length, 2)
      else await assert.rejects(outcome, { code })
    },
  )
})
