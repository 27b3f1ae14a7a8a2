import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { balanceOf } from '../../../src/demo-chain/modules/bank.js'
import type { Reader } from '../../../src/demo-chain/store/state.js'
import type { RouterMessage } from '../../../src/engine/routing/message.js'
import { arbroute } from '../../../src/operations/arbitrage/arbroute.js'
import { arbs } from '../../../src/operations/arbitrage/arbs.js'
import type { CoinDocument } from '../../../src/operations/document-schema.js'
import { execute, smartQuery as query } from '../../support/contract-world.js'
import { marketWorld } from '../../support/contracts.js'
import { app, ask, market, usdc } from './asking.js'

const world = marketWorld(market)

type Call = { readonly tx: RouterMessage; readonly funds: CoinDocument }

/** What each message pays its sender on the contracts of the demo chain, in order. */
function paidBy(calls: readonly Call[], denom: string): readonly string[] {
  let state: Reader = world.start
  return calls.map(({ tx, funds }) => {
    const coin = { denom: funds.denom, amount: BigInt(funds.amount) }
    const before = balanceOf(state, 'sender', denom)
    state = execute(world, state, world.router, tx, [coin]).state
    return `${balanceOf(state, 'sender', denom) - before}`
  })
}

describe('splits on the contracts of the demo chain', () => {
  const rows: readonly (readonly [sentence: string, members: object])[] = [
    ['1.5 BTC for RUNE', {}],
    ['ten times as much', { input: { denom: 'btc-btc', amount: '1000000000' } }],
    ['the continuous optimum', { grid: false }],
    ['a split with min_out', { min_out: '22776900000000' }],
    [
      'USDC for BTC',
      { input: { denom: usdc, amount: '25000000000000' }, output: { denom: 'btc-btc' } },
    ],
    [
      'TCY for ETH',
      { input: { denom: 'tcy', amount: '5000000000000' }, output: { denom: 'eth-eth' } },
    ],
  ]
  for (const [sentence, members] of rows)
    test(`pay every leg what it expects after the ones before it: ${sentence}`, async () => {
      const { routes, output } = await ask(members)
      for (const { legs } of routes)
        assert.deepEqual(
          paidBy(legs, output.denom),
          legs.map((leg) => leg.expected_output),
        )
    })

  test("have simulated outputs of legs that equal the router's query", async () => {
    const { routes } = await ask()
    for (const { tx, funds, simulated_output } of routes[0]!.legs) {
      const simulate = { coin: funds, stages: tx.swap.stages }
      const { returned } = query(world, world.router, { simulate }) as { returned: string }
      assert.equal(returned, simulated_output)
    }
  })

  test('pay the steps of arbitrage loops what they expect', async () => {
    const { opportunities } = await arbs(app, {})
    for (const opportunity of opportunities) {
      const [paid] = paidBy([opportunity], opportunity.input.denom)
      assert.equal(paid, opportunity.output.amount)
    }
    const { steps } = await arbroute(app, { input: { denom: usdc, amount: '500000000000' } })
    const executions = steps.flatMap((step) => step.executions)
    assert.deepEqual(
      paidBy(executions, usdc),
      executions.map(({ output }) => output.amount),
    )
  })
})
