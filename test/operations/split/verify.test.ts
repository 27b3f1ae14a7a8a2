import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import { sroute } from '../../../src/operations/split/split.js'
import { readSplitRequest } from '../../../src/operations/split/split-documents.js'
import { failureOf } from '../../chain/rpc/stage.js'
import { grow } from '../../support/chain.js'
import { btc, falsified, rune, stage } from '../chain/stage.js'
import { legsOf } from './asking.js'

const request = (members: object = {}, amount = '3000000') =>
  readSplitRequest({
    input: { denom: btc, amount },
    output: { denom: rune },
    verify: true,
    ...members,
  })

describe('verifying a split', () => {
  for (const dialect of ['forward', 'stack'] as const)
    test(`compares every hop and every leg with the contracts, to the atomic (${dialect})`, async () => {
      const { app, chain } = await stage({ seed: 3, dialect })
      grow(chain, 3)
      const context = app()
      for (const members of [{ limit: 25 }, { grid: false }, { frontier: true, max_legs: 2 }]) {
        const { routes, verify } = await sroute(context, request(members))
        assert.deepEqual([verify?.height, verify?.agrees], [chain.height, true])
        assert.deepEqual(
          verify?.routes.map(({ id, legs }) => [id, legs.length]),
          routes.map(({ id, legs }) => [id, legs.length]),
        )
        for (const [i, { legs }] of verify!.routes.entries())
          for (const [n, { hops, router }] of legs.entries()) {
            const leg = routes[i]!.legs[n]!
            assert.equal(router.returned, leg.simulated_output)
            assert.deepEqual(
              hops.map(({ address, input }) => [address, input]),
              leg.hops.map(({ address, input }) => [address, input]),
            )
            for (const each of [...hops, router]) assert.equal(each.difference, '0')
          }
      }
    })

  test('also verifies given legs and a given path', async () => {
    const { app } = await stage()
    const here = app()
    const legs = legsOf(await sroute(here, request({ verify: false })))
    const split = await sroute(here, request({ legs }))
    assert.deepEqual(
      [split.verify?.agrees, split.verify?.routes[0]?.legs.length],
      [true, legs.length],
    )
    const { verify } = await sroute(here, request({ path: legs[0]!.path }))
    assert.deepEqual([verify?.agrees, verify?.routes.length], [true, 1])
  })

  test('queries legs that share a book each on the unchanged book', async () => {
    const { app } = await stage()
    const here = app()
    const [{ path } = { path: [] }] = legsOf(await sroute(here, request({ verify: false })))
    const legs = ['2000000', '1000000'].map((amount) => ({ path, amount }))
    const { routes, verify } = await sroute(here, request({ legs }))
    const [first, second] = routes[0]!.legs
    assert.equal(verify?.agrees, true)
    // The second leg is paid what the first one leaves; alone it would be paid more.
    assert.ok(BigInt(second!.simulated_output!) > BigInt(second!.expected_output))
    assert.equal(first!.simulated_output, first!.expected_output)
  })

  test('queries at the height of the answer, each query once', async () => {
    const { app, chain, port } = await stage({ seed: 4 })
    const context = app()
    await context.openMarket()
    const { height } = chain
    grow(chain, 3)
    let queryCount = 0
    let at = 0
    const counting = {
      ...context,
      chain: async () => ({
        ...port,
        simulations: (...[questions, block]: Parameters<typeof port.simulations>) => {
          const names = questions.map(({ contract, coin, stages }) =>
            JSON.stringify([contract, coin.denom, `${coin.amount}`, stages]),
          )
          assert.equal(new Set(names).size, names.length)
          queryCount += names.length
          at = block
          return port.simulations(questions, block)
        },
      }),
    }
    const { verify } = await sroute(counting, request())
    assert.deepEqual([verify?.height, verify?.agrees, at], [height, true, height])
    assert.ok(queryCount > 0)
  })

  test('reports a contract that returns another number, leg by leg', async () => {
    const { app, port } = await stage()
    const { verify } = await sroute(falsified(app(), port, 1n), request({ limit: 1 }))
    assert.equal(verify?.agrees, false)
    for (const { agrees, router } of verify!.routes[0]!.legs)
      assert.deepEqual([agrees, router.difference], [false, '1'])
  })

  test('is refused without a chain, and has no member where it is not requested', async () => {
    const { app } = await stage()
    const { openMarket } = app()
    const error = await failureOf(sroute({ openMarket }, request()))
    assert.ok(error instanceof SwapError && error.code === 'INVALID_REQUEST')
    assert.match(error.message, /verify needs a chain/)
    assert.equal((await sroute({ openMarket }, request({ verify: false }))).verify, undefined)
  })
})
