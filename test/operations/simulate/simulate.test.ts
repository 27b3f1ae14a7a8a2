import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { faucetAddress } from '../../../src/demo-chain/genesis/known-accounts.js'
import { encodeBech32 } from '../../../src/demo-chain/modules/addresses.js'
import { SwapError } from '../../../src/engine/errors.js'
import type { OperationContext } from '../../../src/operations/context.js'
import { readQuote } from '../../../src/operations/quote-document.js'
import { route } from '../../../src/operations/route/route.js'
import type { RouteAnswer } from '../../../src/operations/route/route-documents.js'
import { errorOfSimulation, simulate } from '../../../src/operations/simulate/simulate.js'
import { failureOf } from '../../chain/rpc/stage.js'
import { grow } from '../../support/chain.js'
import { market } from '../../support/demo-market.js'
import { btc, halfKnown, rune, stage } from '../chain/stage.js'

const faucet = faucetAddress('demo')

const quoted = (
  app: OperationContext,
  amount = '1000000',
  more: object = {},
): Promise<RouteAnswer> =>
  route(app, { input: { denom: btc, amount }, output: { denom: rune }, ...more })

/** The answer with some members of its best route replaced. */
const changed = (answer: RouteAnswer, change: object): object =>
  JSON.parse(JSON.stringify({ ...answer, routes: [{ ...answer.routes[0], ...change }] }))

describe('simulating a quote', () => {
  test('returns the quoted number at the block of the quote', async () => {
    for (const dialect of ['forward', 'stack'] as const) {
      const { app, chain } = await stage({ seed: 5, dialect })
      const answer = await quoted(app())
      grow(chain, 3)
      const simulated = await simulate(app(), readQuote(answer), {})
      assert.deepEqual([simulated.height, simulated.at_quote], [answer.height, true])
      assert.equal(simulated.within, true)
      const [leg] = simulated.legs
      assert.deepEqual(
        [leg?.returned, leg?.difference, leg?.tolerance_bps],
        [answer.routes[0]!.simulated_output, '0', 0],
      )
      assert.equal(errorOfSimulation(simulated, market), undefined)
    }
  })

  test('compares both at the newest block where the block of the quote is pruned', async () => {
    const place = await stage({ seed: 6 })
    const { app, chain } = place
    const answer = await quoted(app())
    grow(chain, 3)
    const prunedAnswer = { ...answer, height: 3 }
    const simulated = await simulate(app(), readQuote(prunedAnswer), {})
    assert.deepEqual([simulated.height, simulated.at_quote], [chain.height, false])
    assert.equal(simulated.legs[0]?.difference, '0')
    const toleranceOf = async (quote: unknown, context = app()) =>
      (await simulate(context, readQuote(quote), {})).legs[0]?.tolerance_bps
    assert.equal(await toleranceOf(prunedAnswer), 0)
    assert.equal(await toleranceOf(prunedAnswer, halfKnown(place)), 5)
    assert.equal(await toleranceOf({ ...changed(answer, { exact: false }), height: 3 }), 5)
  })

  test('compares both at the height of the market where that was requested', async () => {
    const { app, chain } = await stage({ seed: 6 })
    const answer = await quoted(app())
    grow(chain, 3)
    const simulated = await simulate(app(), readQuote(answer), { atOpenMarket: true })
    assert.deepEqual([simulated.height, simulated.at_quote], [chain.height, false])
  })

  test('passes on a failure of the node that has the block of the quote', async () => {
    const { app, chain, port } = await stage({ seed: 6 })
    const answer = readQuote(await quoted(app()))
    grow(chain, 1)
    const market = async () => assert.fail('the node is away')
    const context = { ...app(), chain: async () => ({ ...port, market }) }
    await assert.rejects(simulate(context, answer, {}), /the node is away/)
  })

  test('reports the difference of a changed quote, and accepts it within a tolerance', async () => {
    const { app } = await stage()
    const answer = await quoted(app())
    const computed = BigInt(answer.routes[0]!.simulated_output!)
    const high = readQuote(changed(answer, { simulated_output: `${computed + computed / 5000n}` }))
    const strict = await simulate(app(), high, {})
    assert.deepEqual([strict.within, strict.legs[0]?.difference_bps], [false, -2])
    const fault = errorOfSimulation(strict, market)
    assert.equal(fault?.code, 'SIMULATION_MISMATCH')
    assert.match(fault?.why ?? '', /^it gives [\d.]+ RUNE, we say [\d.]+ RUNE: [\d.]+ RUNE less$/)
    assert.equal(fault?.members['height'], answer.height)
    assert.equal((await simulate(app(), high, { toleranceBps: 2 })).within, true)
    assert.equal((await simulate(app(), high, { toleranceBps: 1 })).within, false)
    const refused = await simulate(
      app(),
      readQuote(changed(answer, { simulated_output: null })),
      {},
    )
    const { why = '' } = errorOfSimulation(refused, market) ?? {}
    assert.match(why, /^it gives [\d.]+ RUNE, we say that it refuses$/)
    const estimate = readQuote(
      changed(answer, { simulated_output: `${computed + computed / 5000n}`, exact: false }),
    )
    assert.equal((await simulate(app(), estimate, {})).within, true)
  })

  test('queries every leg of a split with its own amount', async () => {
    const { app } = await stage()
    const legs = (
      await Promise.all(['600000', '400000'].map((amount) => quoted(app(), amount, { limit: 1 })))
    ).map(({ routes }) => ({ ...routes[0], split: { fraction: '0.5' } }))
    const answer = await quoted(app())
    const simulated = await simulate(app(), readQuote({ ...answer, routes: [{ legs }] }), {})
    assert.deepEqual(
      simulated.legs.map(({ coin, difference }) => [coin.amount, difference]),
      [
        ['600000', '0'],
        ['400000', '0'],
      ],
    )
  })

  test('computes a number that the document lacks', async () => {
    const { app } = await stage()
    const context = app()
    const answer = await quoted(context)
    const silent = readQuote(changed(answer, { simulated_output: undefined }))
    const [leg] = (await simulate(context, silent, {})).legs
    assert.deepEqual(
      [leg?.simulated_output, leg?.difference],
      [answer.routes[0]!.simulated_output, '0'],
    )
  })

  test('treats the steps of a loop as messages, whose capital is used again', async () => {
    const { app } = await stage()
    const context = app()
    const { network, chain_id, height, routes } = await quoted(context, '1000000', { limit: 1 })
    const back = await route(context, {
      input: { denom: rune, amount: routes[0]!.expected_output },
      output: { denom: btc },
      limit: 1,
    })
    const executions = [routes[0]!, back.routes[0]!, routes[0]!].map(({ tx, funds }) => ({
      tx,
      funds,
    }))
    const document = { network, chain_id, height, steps: [{ count: 3, executions }] }
    const simulated = await simulate(context, readQuote(document), { from: faucet })
    assert.equal(simulated.within, true)
    assert.equal(simulated.legs.length, 3)
    const denoms = simulated.transaction!.balances.map(({ denom }) => denom)
    assert.deepEqual(denoms, [btc, rune])
    const none = { ...document, steps: [] }
    assert.throws(() => readQuote(none), /not the document of a quote/)
  })

  test('refuses a quote of another chain and one over an unknown contract', async () => {
    const { app } = await stage()
    const answer = await quoted(app())
    const unknownContract = encodeBech32('demo', new Uint8Array(32).fill(9))
    const { tx } = answer.routes[0]!
    const stages = tx.swap.stages.map((each) => ({ ...each, address: unknownContract }))
    for (const document of [
      { ...answer, chain_id: 'other-1' },
      changed(answer, { tx: { swap: { ...tx.swap, stages } } }),
    ]) {
      const error = await failureOf(simulate(app(), readQuote(document), {}))
      assert.ok(error instanceof SwapError && error.code === 'QUOTE_MISMATCH')
    }
  })

  test('refuses a document that is no quote, and passes on a problem document', () => {
    const answer = { network: 'demo', chain_id: 'demo-1', height: 1, routes: [{}] }
    for (const document of [
      null,
      'text',
      [],
      {},
      answer,
      { ...answer, routes: [] },
      { ...answer, routes: [{ legs: [] }] },
      { ...answer, height: '1' },
      { ...answer, height: 1.5 },
    ])
      assert.throws(
        () => readQuote(document),
        (error) => error instanceof SwapError && error.code === 'INVALID_REQUEST',
        JSON.stringify(document),
      )
    assert.throws(
      () => readQuote({ code: 'NO_ROUTE', status: 422, detail: 'none', rejected: [] }),
      (error) =>
        error instanceof SwapError && error.code === 'NO_ROUTE' && error.message === 'none',
    )
  })
})

describe('a dry run of the transaction of a quote', () => {
  test('reports gas, fee, balance and the quoted payout of a transaction that would succeed', async () => {
    const { app, chain } = await stage()
    const answer = await quoted(app())
    const { height } = chain
    const { transaction } = await simulate(app(), readQuote(answer), { from: faucet })
    assert.ok(transaction !== undefined)
    assert.equal(transaction.succeeds, true)
    assert.ok(BigInt(transaction.gas_used ?? 0) > 100_000n)
    assert.equal(
      BigInt(transaction.gas_limit ?? 0),
      (BigInt(transaction.gas_used ?? 0) * 14n + 9n) / 10n,
    )
    assert.deepEqual(transaction.short, [])
    assert.equal(transaction.received?.amount, answer.routes[0]!.expected_output)
    assert.equal(transaction.min_return_met, true)
    // No transaction was sent.
    assert.deepEqual([chain.height, chain.pending().length], [height, 0])
  })

  test('asks for as much gas as execute would, at most the limit of the network', async () => {
    const { app } = await stage()
    const answer = readQuote(await quoted(app()))
    const { market, graph } = await app().openMarket()
    const tried = async (limit?: bigint) => {
      const limited = { ...market, gas: { percent: 100n, limit } }
      const context = { ...app(), openMarket: async () => ({ market: limited, graph }) }
      return (await simulate(context, answer, { from: faucet })).transaction!
    }
    const { gas_used } = await tried()
    const least = (BigInt(gas_used!) * 105n) / 100n
    const { succeeds, gas_limit } = await tried(least)
    assert.deepEqual([succeeds, gas_limit], [true, `${least}`])
    const none = await tried(least - 1n)
    assert.deepEqual([none.succeeds, none.gas_limit, none.fee], [false, null, null])
    assert.match(
      none.error ?? '',
      /^it takes \d+ gas in a simulation, and a transaction may ask for \d+$/,
    )
  })

  test('ends as insufficient funds for an account that holds nothing', async () => {
    const { app } = await stage()
    const emptyAccount = encodeBech32('demo', new Uint8Array(20).fill(7))
    const simulated = await simulate(app(), readQuote(await quoted(app())), { from: emptyAccount })
    const fault = errorOfSimulation(simulated, market)
    assert.equal(fault?.code, 'INSUFFICIENT_FUNDS')
    assert.equal(fault?.why, 'it holds 0 BTC, and 0.01 BTC are needed')
    assert.deepEqual(
      [fault?.members['denom'], fault?.members['required'], fault?.members['available']],
      [btc, '1000000', '0'],
    )
  })

  test('ends as slippage if min_return is not met, otherwise as a failed transaction', async () => {
    const { app } = await stage()
    const answer = await quoted(app())
    const { tx, expected_output } = answer.routes[0]!
    const withLeast = (amount: bigint) =>
      readQuote(
        changed(answer, {
          tx: { swap: { ...tx.swap, min_return: { denom: rune, amount: `${amount}` } } },
        }),
      )
    const simulation = await simulate(app(), withLeast(BigInt(expected_output)), { from: faucet })
    assert.equal(errorOfSimulation(simulation, market), undefined)
    const unmet = await simulate(app(), withLeast(BigInt(expected_output) + 1n), { from: faucet })
    assert.equal(unmet.transaction?.min_return_met, false)
    assert.equal(errorOfSimulation(unmet, market)?.code, 'SLIPPAGE_EXCEEDED')
    const code = { ...tx.swap, affiliate_code: 'nobody' }
    const failing = readQuote(changed(answer, { tx: { swap: code } }))
    const failed = await simulate(app(), failing, { from: faucet })
    if (failed.transaction?.succeeds === false)
      assert.equal(errorOfSimulation(failed, market)?.code, 'TX_FAILED')
  })
})
