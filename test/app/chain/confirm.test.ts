import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { App } from '../../../src/app/app.js'
import type { ChainPort } from '../../../src/app/chain/port.js'
import { route } from '../../../src/app/route.js'
import { venueOf } from '../../../src/app/venue.js'
import { documentOf } from '../../../src/demo/genesis/document.js'
import type { DemoDocument, DemoPool } from '../../../src/demo/market/document.js'
import { decodeSnapshot } from '../../../src/snapshot/decode.js'
import { failureOf } from '../../chain/transport/stage.js'
import { document, grow } from '../../support/chain.js'
import { btc, rune, type Stage, stage } from './stage.js'

const { router } = document
const request = { input: { denom: btc, amount: '10000000' }, output: { denom: rune }, limit: 25 }

const halved = (pools: readonly DemoPool[]) =>
  pools.map(({ price, total }) => ({ price, total: `${BigInt(total) / 2n + 1n}` }))

/** The chain's market as somebody sees it who knows half of what rests, and that there is more. */
function halfKnown({ chain, port }: Stage, ask: ChainPort = port): App {
  const whole = JSON.parse(JSON.stringify(documentOf(chain))) as DemoDocument
  const pairs = whole.pairs.map(({ balances: _, ...pair }) => ({
    ...pair,
    pools: { base: halved(pair.pools.base), quote: halved(pair.pools.quote) },
    makers: [],
    ranges: [{ idx: '1' }],
  }))
  const market = decodeSnapshot({ ...whole, pairs }, 'half of the market')
  return { ...venueOf(async () => market), chain: async () => ask }
}

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
    const app: App = { ...venueOf(async () => market), chain: async () => unasked }
    assert.equal((await route(app, request)).routes[0]?.exact, true)
  })
})
