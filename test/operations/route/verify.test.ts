import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import { route } from '../../../src/operations/route/route.js'
import { failureOf } from '../../chain/rpc/stage.js'
import { grow } from '../../support/chain.js'
import { btc, falsified, rune, stage, usdc } from '../chain/stage.js'

const request = (amount: string, more: object = {}) => ({
  input: { denom: btc, amount },
  output: { denom: rune },
  verify: true,
  limit: 25,
  ...more,
})

describe('verifying a route', () => {
  for (const dialect of ['forward', 'stack'] as const)
    test(`compares every hop and every route with the contracts, to the atomic (${dialect})`, async () => {
      const { app, chain } = await stage({ seed: 3, dialect })
      grow(chain, 3)
      for (const amount of ['1000', '3000000']) {
        const { routes, verify } = await route(app(), request(amount))
        assert.ok(verify !== undefined && routes.length > 5)
        assert.equal(verify.height, chain.height)
        assert.deepEqual(
          verify.routes.map(({ id }) => id),
          routes.map(({ id }) => id),
        )
        for (const [i, { hops, router, agrees }] of verify.routes.entries()) {
          assert.equal(hops.length, routes[i]!.hops.length)
          assert.notEqual(agrees, false, JSON.stringify([hops, router]))
          for (const each of [...hops, router])
            if (each.agrees === true && each.returned !== null) assert.equal(each.difference, '0')
        }
        assert.equal(verify.routes[0]!.agrees, true)
        assert.equal(verify.routes[0]!.router.returned, routes[0]!.simulated_output)
      }
    })

  test('queries at the height of the answer, whatever blocks follow', async () => {
    const { app, chain } = await stage({ seed: 4 })
    const context = app()
    await context.openMarket()
    const { height } = chain
    grow(chain, 3)
    const { verify } = await route(context, request('100000'))
    assert.deepEqual([verify?.height, verify?.routes[0]?.agrees], [height, true])
  })

  test('leaves a query that runs out of gas undecided', async () => {
    const { app } = await stage()
    const { verify } = await route(app(), request('150000000'))
    const open = verify?.routes.filter(({ agrees }) => agrees === null) ?? []
    assert.ok(open.length > 0)
    assert.equal(verify?.agrees, null)
    for (const { hops, router } of open)
      assert.ok([...hops, router].some((each) => /out of gas/.test(each.refused ?? '')))
  })

  test('reports contracts that return other numbers', async () => {
    const { app, port } = await stage()
    const { verify } = await route(falsified(app(), port, -1n), request('1000', { limit: 1 }))
    assert.deepEqual(
      [verify?.agrees, verify?.routes[0]?.router.difference, verify?.routes[0]?.router.agrees],
      [false, '-1', false],
    )
  })

  test('is refused without a chain, and has no member where it is not requested', async () => {
    const { app } = await stage()
    const { openMarket } = app()
    const error = await failureOf(route({ openMarket }, request('1000')))
    assert.ok(error instanceof SwapError && error.code === 'INVALID_REQUEST')
    assert.match(error.message, /needs a chain/)
    const { verify } = await route({ openMarket }, request('1000', { verify: false }))
    assert.equal(verify, undefined)
  })

  test('also verifies a given path', async () => {
    const { app } = await stage()
    const { market } = await app().openMarket()
    const [pair] = [...market.books.values()].filter(
      ({ state }) => state.pair.base === btc && state.pair.quote === usdc,
    )
    const path = [pair!.state.pair.address]
    const { verify } = await route(app(), {
      input: { denom: btc, amount: '1000' },
      output: { denom: usdc },
      path,
      verify: true,
    })
    assert.equal(verify?.agrees, true)
  })
})
