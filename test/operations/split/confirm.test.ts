import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { OperationContext } from '../../../src/operations/context.js'
import { route } from '../../../src/operations/route/route.js'
import { sroute } from '../../../src/operations/split/split.js'
import { readSplitRequest } from '../../../src/operations/split/split-documents.js'
import { failureOf } from '../../chain/rpc/stage.js'
import { document, grow } from '../../support/chain.js'
import { LONG } from '../../support/long.js'
import { answering, btc, halfKnown, returning, rune, type Stage, stage } from '../chain/stage.js'
import { sum } from './asking.js'

const swap = { input: { denom: btc, amount: '10000000' }, output: { denom: rune } }
const request = (members: object = {}) => readSplitRequest({ ...swap, ...members })

const without = ({ chain: _, ...alone }: OperationContext): OperationContext => alone

/** The answer of the router itself. */
async function routerSays(place: Stage, stages: object, amount: string): Promise<string> {
  const [simulation] = await place.port.simulations(
    [
      {
        contract: (await place.app().openMarket()).market.router.address,
        coin: { denom: btc, amount: BigInt(amount) },
        stages: stages as [],
      },
    ],
    place.chain.height,
  )
  assert.ok(simulation?.kind === 'answered')
  return `${simulation.returned}`
}

describe('splits over pairs with levels that are not known', () => {
  test('take the outputs of the contracts, stay inexact, and are ranked by them', async () => {
    const place = await stage({ seed: 3 }, document)
    grow(place.chain, 4)
    const app = halfKnown(place)
    const ask = request({ limit: LONG ? 25 : 3, input: { denom: btc, amount: '60000000' } })
    const { routes, single_best } = await sroute(app, ask)
    const unconfirmed = await sroute(without(app), ask)
    assert.ok(routes.length > 1)
    assert.notEqual(routes[0]!.expected_output, unconfirmed.routes[0]!.expected_output)
    for (const [i, each] of routes.entries()) {
      const { legs } = each
      assert.equal(sum(legs.map((leg) => leg.expected_output)), BigInt(each.expected_output))
      assert.equal(sum(legs.map((leg) => leg.min_return)), BigInt(each.min_return))
      // A bound over the known levels alone is no bound of the pair.
      assert.equal(each.optimum_gap_bps, null)
      const before = routes[i - 1]
      if (before) assert.ok(BigInt(each.expected_output) <= BigInt(before.expected_output))
      const seen = new Set<string>()
      for (const { exact, simulated_output, expected_output, split, tx, hops } of legs) {
        assert.equal(exact, false)
        assert.equal(simulated_output, await routerSays(place, tx.swap.stages, split.amount))
        if (hops.every(({ address }) => !seen.has(address)))
          assert.equal(expected_output, simulated_output)
        for (const { address } of hops) seen.add(address)
      }
    }
    assert.ok(BigInt(routes[0]!.expected_output) >= BigInt(single_best!.expected_output))
  })

  test('include the best single path by the contracts, as the best route', async () => {
    const place = await stage()
    const equal = answering(place.port, () => ({ kind: 'answered', returned: 1_000n, fee: 0n }))
    assert.deepEqual(
      (await sroute(halfKnown(place, equal), request())).single_best,
      (await route(halfKnown(place, equal), swap)).single_best,
    )
    const [estimated] = (await route(without(halfKnown(place)), swap)).routes
    const favoured = estimated!.hops[0]!.address
    const port = answering(place.port, (each, { contract }) =>
      each.kind === 'answered' && contract === favoured
        ? { ...each, returned: (each.returned * 9n) / 10n }
        : each,
    )
    const { single_best } = await route(halfKnown(place, port), swap)
    for (const members of [{}, { max_legs: 1 }, { grid: false }]) {
      const answer = await sroute(halfKnown(place, port), request(members))
      assert.deepEqual(answer.single_best, single_best)
      assert.ok(BigInt(answer.routes[0]!.expected_output) >= BigInt(single_best.expected_output))
    }
  })

  test('are paid for legs with shared books what the contracts return for their sum', async () => {
    const place = await stage({ seed: 3 }, document)
    const app = halfKnown(place)
    const [{ hops, tx } = assert.fail()] = (await sroute(app, request())).routes[0]!.legs
    const path = hops.map(({ address }) => address)
    const legs = ['6000000', '3000000', '1000000'].map((amount) => ({ path, amount }))
    const answer = (await sroute(app, request({ legs }))).routes[0]!
    const routerAnswer = await routerSays(place, tx.swap.stages, '10000000')
    const apart = BigInt(routerAnswer) - BigInt(answer.expected_output)
    // Each leg rounds its fees separately.
    assert.ok(apart >= -6n && apart <= 6n, `${apart}`)
    for (const leg of answer.legs.slice(1))
      assert.ok(BigInt(leg.expected_output) < BigInt(leg.simulated_output!))
  })

  test('have steps that are explained by the books alone, where the contracts pay less', async () => {
    const place = await stage()
    const less = returning(place.port, (returned) => (returned * 9n) / 10n)
    const app = halfKnown(place, less)
    const { routes } = await sroute(app, request())
    const legs = routes[0]!.legs.map(({ hops, funds: { amount } }) => ({
      path: hops.map(({ address }) => address),
      amount,
    }))
    const ask = request({ legs, explain: true })
    const stepsOf = async (context: OperationContext) =>
      (await sroute(context, ask)).explain!.legs.map(({ last_output }) => last_output)
    assert.deepEqual(await stepsOf(app), await stepsOf(without(app)))
    const searched = await sroute(app, request({ explain: true }))
    // By the books alone the best path may be another one, but not by what the contracts pay less.
    for (const { gap_bps } of searched.explain!.unused) assert.ok(gap_bps > -100, `${gap_bps}`)
  })

  test('are dropped when a contract refuses them; when all are dropped, the answer says so', async () => {
    const place = await stage()
    const refusing = answering(place.port, () => ({ kind: 'refused', why: 'halted' }))
    const error = await failureOf(sroute(halfKnown(place, refusing), request()))
    assert.match(error.message, /the contracts refuse every split/)
    const ask = request({ limit: 25, input: { denom: btc, amount: '60000000' } })
    const pairsOf = (legs: readonly { readonly hops: readonly { readonly address: string }[] }[]) =>
      legs.flatMap(({ hops }) => hops.map(({ address }) => address))
    const { routes: all } = await sroute(halfKnown(place), ask)
    const pairsLeft = new Set(pairsOf(all.at(-1)!.legs))
    const pair = pairsOf(all[0]!.legs).find((address) => !pairsLeft.has(address))
    assert.ok(pair !== undefined)
    const partly = answering(place.port, (each, { contract }) =>
      contract === pair ? { kind: 'refused', why: 'halted' } : each,
    )
    const { routes } = await sroute(halfKnown(place, partly), ask)
    assert.ok(routes.length > 0)
    for (const { legs } of routes) assert.ok(!pairsOf(legs).includes(pair))
  })

  test('keep their estimate where the node could not answer', async () => {
    const place = await stage()
    const app = halfKnown(
      place,
      answering(place.port, () => ({ kind: 'unknown', why: 'no gas' })),
    )
    const { routes } = await sroute(app, request())
    const unconfirmed = await sroute(without(app), request())
    const numbers = (each: (typeof routes)[number]) => [each.expected_output, each.legs]
    assert.deepEqual(routes.map(numbers), unconfirmed.routes.map(numbers))
  })

  test('have an exact-out input that is raised until the legs together demand enough', async () => {
    const place = await stage()
    const less = returning(place.port, (returned) => (returned * 97n) / 100n)
    const ask = request({ input: { denom: btc }, output: { denom: rune, amount: '1000000000' } })
    const { routes, input } = await sroute(halfKnown(place, less), ask)
    const computed = await sroute(without(halfKnown(place)), ask)
    assert.ok(BigInt(routes[0]!.min_return) >= 1_000_000_000n)
    assert.ok(BigInt(input.amount) > BigInt(computed.input.amount))
  })

  test('have a frontier with the outputs of the contracts that never falls with more legs', async () => {
    const place = await stage()
    const { frontier, routes } = await sroute(halfKnown(place), request({ frontier: true }))
    const outputs = frontier!.by_legs.map(({ expected_output }) => BigInt(expected_output))
    assert.deepEqual(
      outputs,
      [...outputs].sort((a, b) => (a < b ? -1 : 1)),
    )
    assert.equal(`${outputs.at(-1)}`, routes[0]!.expected_output)
  })

  test('of equal legs are queried once', async () => {
    const place = await stage({ seed: 3 }, document)
    grow(place.chain, 4)
    const calls: (readonly string[])[] = []
    const port: Stage['port'] = {
      ...place.port,
      simulations(asked, height) {
        calls.push(asked.map(({ coin, ...of }) => JSON.stringify([of, `${coin.amount}`])))
        return place.port.simulations(asked, height)
      },
    }
    const input = { denom: btc, amount: '60000000' }
    const { routes } = await sroute(halfKnown(place, port), request({ input }))
    assert.ok(routes.length > 1)
    for (const asked of calls) assert.equal(new Set(asked).size, asked.length)
  })

  test('are queried only where a pair is not exact', async () => {
    const place = await stage()
    const unasked = { ...place.port, simulations: () => Promise.reject(new Error('asked')) }
    const { openMarket } = place.app()
    const { routes } = await sroute({ openMarket, chain: async () => unasked }, request())
    assert.ok(routes[0]!.legs.every(({ exact }) => exact))
  })
})
