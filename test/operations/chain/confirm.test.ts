import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { ChainPort } from '../../../src/operations/chain-port.js'
import type { OperationContext } from '../../../src/operations/context.js'
import { openOnce } from '../../../src/operations/open-once.js'
import { route } from '../../../src/operations/route/route.js'
import { failureOf } from '../../chain/rpc/stage.js'
import { document, grow } from '../../support/chain.js'
import { btc, halfKnown, rune, stage } from './stage.js'

const { router } = document
const request = { input: { denom: btc, amount: '10000000' }, output: { denom: rune }, limit: 25 }

describe('routes over pairs that hold more than is known', () => {
  test('have the numbers of the contracts, stay inexact, and are ranked by them', async () => {
    const place = await stage({ seed: 3 })
    grow(place.chain, 4)
    const app = halfKnown(place)
    const given = await route(app, request)
    const { chain: _, ...alone } = app
    const guessed = await route(alone, request)
    assert.ok(given.routes.length > 3)
    const outputs = given.routes.map((each) => BigInt(each.expected_output))
    assert.deepEqual(
      outputs,
      [...outputs].sort((a, b) => (a < b ? 1 : -1)),
    )
    let different = 0
    for (const each of given.routes) {
      assert.equal(each.exact, false)
      const [said] = await place.port.simulations(
        [
          {
            contract: router.address,
            coin: { denom: btc, amount: 10000000n },
            stages: each.tx.swap.stages,
          },
        ],
        place.chain.height,
      )
      assert.ok(said?.kind === 'answered')
      assert.equal(each.expected_output, `${said.returned}`)
      assert.equal(each.simulated_output, `${said.returned}`)
      const before = guessed.routes.find(({ id }) => id === each.id)
      if (before?.expected_output !== each.expected_output) different += 1
    }
    assert.ok(different > 0, 'the estimates were no estimates')
  })

  test('go when a contract refuses; when all go, the answer says so', async () => {
    const place = await stage()
    const refusing: ChainPort = {
      ...place.port,
      simulations: async (questions) => questions.map(() => ({ kind: 'refused', why: 'halted' })),
    }
    const error = await failureOf(route(halfKnown(place, refusing), request))
    assert.match(error.message, /the contracts refuse every route/)
  })

  test('an exact-out input is raised until the contracts pay as much, or it is refused', async () => {
    const place = await stage()
    const less = (share: bigint): ChainPort => ({
      ...place.port,
      simulations: async (...call) =>
        (await place.port.simulations(...call)).map((each) =>
          each.kind === 'answered' ? { ...each, returned: (each.returned * share) / 100n } : each,
        ),
    })
    const wanted = '1000000000'
    const ask = { input: { denom: btc }, output: { denom: rune, amount: wanted }, limit: 1 }
    const { chain: _, ...alone } = halfKnown(place)
    const ours = await route(alone, ask)
    const { routes, input, output } = await route(halfKnown(place, less(98n)), ask)
    assert.equal(output.amount, wanted)
    assert.ok(BigInt(routes[0]!.min_return) >= BigInt(wanted))
    assert.ok(BigInt(input.amount) > BigInt(ours.input.amount))
    let share = 100n
    const falling: ChainPort = {
      ...place.port,
      simulations: (...call) => less((share -= 10n)).simulations(...call),
    }
    const error = await failureOf(route(halfKnown(place, falling), ask))
    assert.match(error.message, /no input was found/)
  })

  test('keep our estimate where the node could not say', async () => {
    const place = await stage()
    const silent: ChainPort = {
      ...place.port,
      simulations: async (questions) => questions.map(() => ({ kind: 'unknown', why: 'no gas' })),
    }
    const app = halfKnown(place, silent)
    const { chain: _, ...alone } = app
    assert.deepEqual(await route(app, request), await route(alone, request))
  })

  test('nobody is asked about exact ones', async () => {
    const place = await stage()
    const unasked: ChainPort = {
      ...place.port,
      simulations: () => Promise.reject(new Error('asked')),
    }
    const market = await place.port.market()
    const app: OperationContext = { ...openOnce(async () => market), chain: async () => unasked }
    assert.equal((await route(app, request)).routes[0]?.exact, true)
  })
})
