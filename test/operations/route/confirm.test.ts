import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { ChainPort } from '../../../src/operations/chain-port.js'
import { type OperationContext, openOnce } from '../../../src/operations/context.js'
import { route } from '../../../src/operations/route/route.js'
import { sroute } from '../../../src/operations/split/split.js'
import { failureOf } from '../../chain/rpc/stage.js'
import { document, grow } from '../../support/chain.js'
import { answering, btc, halfKnown, returning, rune, stage } from '../chain/stage.js'

const { router } = document
const request = { input: { denom: btc, amount: '10000000' }, output: { denom: rune }, limit: 25 }

describe('routes over pairs with levels that are not known', () => {
  test('take the outputs of the contracts, stay inexact, and are ranked by them', async () => {
    const demo = await stage({ seed: 3 })
    grow(demo.chain, 4)
    const app = halfKnown(demo)
    const unconfirmed = await route(app, request)
    const { chain: _, ...alone } = app
    const estimated = await route(alone, request)
    assert.ok(unconfirmed.routes.length > 3)
    const outputs = unconfirmed.routes.map((each) => BigInt(each.expected_output))
    assert.deepEqual(
      outputs,
      [...outputs].sort((a, b) => (a < b ? 1 : -1)),
    )
    let different = 0
    for (const each of unconfirmed.routes) {
      assert.equal(each.exact, false)
      const [simulated] = await demo.port.simulations(
        [
          {
            contract: router.address,
            coin: { denom: btc, amount: 10000000n },
            stages: each.tx.swap.stages,
          },
        ],
        demo.chain.height,
      )
      assert.ok(simulated?.kind === 'answered')
      assert.equal(each.expected_output, `${simulated.returned}`)
      assert.equal(each.simulated_output, `${simulated.returned}`)
      const before = estimated.routes.find(({ id }) => id === each.id)
      if (before?.expected_output !== each.expected_output) different += 1
    }
    assert.ok(different > 0, 'the estimates were no estimates')
  })

  test('have as simulated output what the router returns, without what it holds of the output', async () => {
    const demo = await stage()
    const app = halfKnown(demo)
    const { market } = await app.openMarket()
    const balances = new Map([[rune, 1_000n]])
    const holding = { ...market, router: { ...market.router, balances } }
    const known = new Map((await route(app, request)).routes.map((each) => [each.id, each]))
    const { routes } = await route({ ...app, ...openOnce(async () => holding) }, request)
    assert.ok(routes.length > 0)
    for (const { id, expected_output, simulated_output } of routes) {
      assert.equal(simulated_output, known.get(id)!.simulated_output)
      assert.equal(BigInt(expected_output) - BigInt(simulated_output!), 999n)
    }
  })

  test('are dropped when a contract refuses them; when all are dropped, the answer says so', async () => {
    const demo = await stage()
    const refusing = answering(demo.port, () => ({ kind: 'refused', why: 'halted' }))
    const error = await failureOf(route(halfKnown(demo, refusing), request))
    assert.match(error.message, /the contracts refuse every route/)
  })

  test('are the best by the contracts however few are asked for', async () => {
    const demo = await stage()
    const { chain: _, ...alone } = halfKnown(demo)
    const favoured = (await route(alone, request)).routes[0]!.hops[0]!.address
    const port = answering(demo.port, (each, { contract }) =>
      each.kind === 'answered' && contract === favoured
        ? { ...each, returned: (each.returned * 9n) / 10n }
        : each,
    )
    const routesOf = async (limit: number) =>
      (await route(halfKnown(demo, port), { ...request, limit })).routes
    const [one, five] = [await routesOf(1), await routesOf(5)]
    assert.notEqual(five[0]!.hops[0]!.address, favoured)
    assert.deepEqual(one, five.slice(0, 1))
  })

  test('are dropped when the fees leave nothing of what a contract pays', async () => {
    const demo = await stage()
    const paying = answering(demo.port, () => ({ kind: 'answered', returned: 1n, fee: 0n }))
    const split = { ...request, input: { ...request.input, split_step: 5 } }
    const app = halfKnown(demo, paying)
    const failures = [failureOf(route(app, request)), failureOf(sroute(app, split))]
    for (const { message } of await Promise.all(failures))
      assert.match(message, /the contracts refuse every/)
  })

  test('have an exact-out input that is raised until the contracts pay enough, or are refused', async () => {
    const demo = await stage()
    const less = (share: bigint) => returning(demo.port, (returned) => (returned * share) / 100n)
    const wantedOutput = '1000000000'
    const ask = { input: { denom: btc }, output: { denom: rune, amount: wantedOutput }, limit: 1 }
    const { chain: _, ...alone } = halfKnown(demo)
    const computed = await route(alone, ask)
    const { routes, input, output } = await route(halfKnown(demo, less(98n)), ask)
    assert.equal(output.amount, wantedOutput)
    assert.ok(BigInt(routes[0]!.min_return) >= BigInt(wantedOutput))
    assert.ok(BigInt(input.amount) > BigInt(computed.input.amount))
    let share = 100n
    const falling: ChainPort = {
      ...demo.port,
      simulations: (...call) => less((share -= 4n)).simulations(...call),
    }
    const error = await failureOf(route(halfKnown(demo, falling), ask))
    assert.match(error.message, /no input was found/)
  })

  test.each([5, 1])(
    'have the exact-out input of the best route that is left where the contracts refuse the cheapest of %i',
    async (limit) => {
      const demo = await stage()
      const ask = { input: { denom: btc }, output: { denom: rune, amount: '100000000000' }, limit }
      const { chain: _, ...alone } = halfKnown(demo)
      const computed = await route(alone, ask)
      const refused = computed.routes[0]!.hops[0]!.address
      const port = answering(demo.port, (each, { contract }) =>
        contract === refused ? { kind: 'refused', why: 'halted' } : each,
      )
      const confirmed = await route(halfKnown(demo, port), ask)
      assert.ok(confirmed.routes.length > 0 && confirmed.routes.length <= limit)
      assert.deepEqual(confirmed.input, confirmed.routes[0]!.funds)
      assert.ok(BigInt(confirmed.input.amount) > BigInt(computed.input.amount))
      assert.ok(Number(confirmed.input_usd) > Number(computed.input_usd))
      for (const { min_return, hops } of confirmed.routes) {
        assert.notEqual(hops[0]!.address, refused)
        assert.ok(BigInt(min_return) >= BigInt(ask.output.amount))
      }
    },
  )

  test('keep their estimate where the node could not answer', async () => {
    const demo = await stage()
    const nodeOutOfGas = answering(demo.port, () => ({ kind: 'unknown', why: 'no gas' }))
    const app = halfKnown(demo, nodeOutOfGas)
    const { chain: _, ...alone } = app
    assert.deepEqual(await route(app, request), await route(alone, request))
  })

  test('are queried only where a pair is not exact', async () => {
    const demo = await stage()
    const refusingPort: ChainPort = {
      ...demo.port,
      simulations: () => Promise.reject(new Error('asked')),
    }
    const market = await demo.port.market()
    const app: OperationContext = {
      ...openOnce(async () => market),
      chain: async () => refusingPort,
    }
    assert.equal((await route(app, request)).routes[0]?.exact, true)
  })
})
