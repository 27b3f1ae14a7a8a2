import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { encodeBech32 } from '../../../src/demo-chain/modules/addresses.js'
import type { OperationContext } from '../../../src/operations/context.js'
import { operationOf } from '../../../src/operations/operations.js'
import { type Problem, problemOf } from '../../../src/operations/problem.js'
import { readQuote } from '../../../src/operations/quote-document.js'
import { route } from '../../../src/operations/route/route.js'
import { simulate } from '../../../src/operations/simulate/simulate.js'
import type { SimulateAnswer } from '../../../src/operations/simulate/simulate-documents.js'
import { sroute } from '../../../src/operations/split/split.js'
import { failureOf } from '../../chain/rpc/stage.js'
import { grow } from '../../support/chain.js'
import { btc, falsified, rune, stage, usdc } from '../chain/stage.js'

const swap = { input: { denom: btc, amount: '1000000' }, output: { denom: rune } }

/** The message of the best route, as a request. */
async function messageOf(app: OperationContext) {
  const { routes } = await route(app, { ...swap, limit: 1 })
  const { funds, tx } = routes[0]!
  return { coin: funds, stages: tx.swap.stages }
}

const ask = async (app: OperationContext, body: unknown) =>
  (await operationOf('simulate').prepare(body).run(app)) as SimulateAnswer

const problem = async (app: OperationContext, body: unknown): Promise<Problem> =>
  problemOf(await failureOf(ask(app, body)))

describe('simulating router messages', () => {
  for (const dialect of ['forward', 'stack'] as const)
    test(`equals simulating their quote, byte for byte (${dialect})`, async () => {
      const place = await stage({ seed: 5, dialect })
      grow(place.chain, 3)
      const app = place.app()
      const quote = await sroute(app, { ...swap, max_legs: 3 })
      const legs = quote.routes[0]!.legs.map(({ funds, tx }) => ({
        coin: funds,
        stages: tx.swap.stages,
      }))
      const expected = JSON.stringify(await simulate(app, readQuote(quote), {}))
      assert.equal(JSON.stringify(await ask(app, { legs })), expected)
      const single = await route(app, swap)
      const once = JSON.stringify(await simulate(app, readQuote(single), {}))
      assert.equal(JSON.stringify(await ask(app, await messageOf(app))), once)
    })

  test('uses the height of the market, whatever blocks follow', async () => {
    const { app, chain } = await stage({ seed: 6 })
    const context = app()
    const message = await messageOf(context)
    const { height } = chain
    grow(chain, 3)
    const answer = await ask(context, message)
    assert.deepEqual([answer.height, answer.within, answer.at_quote], [height, true, true])
  })

  test('agrees where both refuse, and is a mismatch with the whole answer where only one refuses', async () => {
    const { app, port } = await stage()
    const context = app()
    const message = await messageOf(context)
    const strict = await problem(falsified(context, port, 1n), message)
    assert.deepEqual([strict.code, strict.status], ['SIMULATION_MISMATCH', 409])
    assert.equal((strict['legs'] as { difference: string }[])[0]!.difference, '1')
    const lenient = await ask(falsified(context, port, 1n), { ...message, tolerance_bps: 1 })
    assert.deepEqual([lenient.within, lenient.legs[0]!.tolerance_bps], [true, 1])
  })

  test('takes an amount that is an exact integer', async () => {
    const { app } = await stage()
    const context = app()
    const { coin, stages } = await messageOf(context)
    const text = await ask(context, { coin, stages })
    const number = await ask(context, { coin: { ...coin, amount: 1000000 }, stages })
    assert.equal(JSON.stringify(number), JSON.stringify(text))
  })

  test('refuses a malformed request with the pointer of the fault', async () => {
    const { app } = await stage()
    const context = app()
    const { coin, stages } = await messageOf(context)
    const unknownContract = encodeBech32('demo', new Uint8Array(32).fill(9))
    const [first, second] = stages
    const lastStage = { coin: { denom: usdc, amount: '1000000' }, stages: [second] }
    const rows: readonly (readonly [what: string, body: unknown, code: string, pointer: string])[] =
      [
        ['nothing', {}, 'INVALID_REQUEST', '/coin'],
        ['a coin alone', { coin }, 'INVALID_REQUEST', '/stages'],
        ['both', { coin, stages, legs: [{ coin, stages }] }, 'INVALID_REQUEST', '/legs'],
        ['no stages', { coin, stages: [] }, 'INVALID_REQUEST', '/stages'],
        ['no legs', { legs: [] }, 'INVALID_REQUEST', '/legs'],
        ['more', { coin, stages, from: 'me' }, 'INVALID_REQUEST', '/from'],
        [
          'a stage with more',
          { coin, stages: [{ ...first, x: 1 }] },
          'INVALID_REQUEST',
          '/stages/0/x',
        ],
        ['zero', { coin: { ...coin, amount: '0' }, stages }, 'INVALID_AMOUNT', '/coin/amount'],
        [
          'a fraction',
          { coin: { ...coin, amount: 1.5 }, stages },
          'INVALID_AMOUNT',
          '/coin/amount',
        ],
        [
          'a fraction in a leg',
          {
            legs: [
              { coin, stages },
              { coin: { ...coin, amount: 1e20 }, stages },
            ],
          },
          'INVALID_AMOUNT',
          '/legs/1/coin/amount',
        ],
        [
          'a denom of nowhere',
          { coin: { ...coin, denom: 'xx' }, stages },
          'UNKNOWN_TOKEN',
          '/coin/denom',
        ],
        ['stages of another coin', { coin, stages: [second] }, 'INVALID_REQUEST', '/stages/0'],
        [
          'a stage that names another denom',
          { coin, stages: [{ ...first, denom: rune }, second] },
          'INVALID_REQUEST',
          '/stages/0/denom',
        ],
        [
          'legs that end apart',
          {
            legs: [
              { coin, stages },
              { coin, stages: [first] },
            ],
          },
          'INVALID_REQUEST',
          '/legs/1/stages',
        ],
        [
          'half a basis point',
          { coin, stages, tolerance_bps: 0.5 },
          'INVALID_REQUEST',
          '/tolerance_bps',
        ],
        [
          'a tolerance below zero',
          { coin, stages, tolerance_bps: -1 },
          'INVALID_REQUEST',
          '/tolerance_bps',
        ],
      ]
    for (const [title, body, code, pointer] of rows) {
      const refused = await problem(context, body)
      assert.equal(refused.code, code, title)
      const errors = (refused['errors'] ?? []) as readonly { pointer: string }[]
      const pointers = [refused['pointer'], ...errors.map((each) => each.pointer)]
      assert.ok(pointers.includes(pointer), `${title}: ${pointers}`)
    }
    const mismatch = await problem(context, {
      coin,
      stages: [{ ...first, address: unknownContract }],
    })
    assert.deepEqual([mismatch.code, mismatch['pair']], ['QUOTE_MISMATCH', unknownContract])
    assert.equal((await ask(context, lastStage)).within, true)
  })

  test('is refused without a chain, with a hint', async () => {
    const { app } = await stage()
    const { openMarket } = app()
    const refused = await problem({ openMarket }, await messageOf({ openMarket }))
    assert.equal(refused.code, 'INVALID_REQUEST')
    assert.match(String(refused.detail), /simulate needs a chain/)
  })
})
