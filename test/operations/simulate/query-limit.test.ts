import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { renderSimulation } from '../../../src/cli/commands/simulate/run.js'
import type { SimulateQuery } from '../../../src/operations/chain-port.js'
import { readQuote } from '../../../src/operations/quote-document.js'
import { route } from '../../../src/operations/route/route.js'
import { errorOfSimulation, simulate } from '../../../src/operations/simulate/simulate.js'
import { styleOf } from '../../../src/render/style.js'
import { btc, rune, stage } from '../chain/stage.js'

const terminal = styleOf({ width: 100, color: false, ascii: false, tty: true })

/** As recorded from a node. */
const OUT_OF_GAS =
  'out of gas in location: wasm contract; gasWanted: 3000000, gasUsed: 3000124: out of gas: unknown request'

/** A node that runs out of query gas for some questions. */
async function limited(
  dialect: 'forward' | 'stack',
  isTooDeep: (question: SimulateQuery) => boolean,
) {
  const { app, port } = await stage({ seed: 3, dialect })
  const simulations: typeof port.simulations = async (questions, height) => {
    const answers = await port.simulations(questions, height)
    return answers.map((answer, i) =>
      isTooDeep(questions[i]!) ? { kind: 'unknown', why: OUT_OF_GAS } : answer,
    )
  }
  return { ...app(), chain: async () => ({ ...port, simulations }) }
}

const request = { input: { denom: btc, amount: '3000000' }, output: { denom: rune }, verify: true }

describe("a path that is too deep for the node's query limit", () => {
  for (const dialect of ['forward', 'stack'] as const)
    test(`is verified and simulated pair by pair (${dialect})`, async () => {
      const app = await limited(dialect, ({ stages }) => stages !== undefined)
      const answer = await route(app, request)
      assert.ok(answer.routes.some(({ hops }) => hops.length > 1))
      assert.equal(answer.verify?.agrees, true)
      for (const { router } of answer.verify?.routes ?? [])
        assert.deepEqual([router.agrees, router.pair_by_pair, router.refused], [true, true, null])
      const simulated = await simulate(app, readQuote(answer), {})
      assert.equal(simulated.within, true)
      assert.equal(simulated.legs[0]?.returned, answer.routes[0]?.simulated_output)
      const { market } = await app.openMarket()
      const text = renderSimulation(simulated, { tokens: market.tokens }, terminal)
      assert.match(text, /its pairs were asked one by one/)
    })

  test('is not known, and no mismatch, where one of its pairs is too deep as well', async () => {
    const app = await limited('forward', () => true)
    const answer = await route(app, request)
    assert.equal(answer.verify?.agrees, null)
    const simulated = await simulate(app, readQuote(answer), {})
    assert.equal(simulated.within, null)
    assert.match(simulated.legs[0]?.refused ?? '', /query limit is too small: out of gas/)
    const { market } = await app.openMarket()
    assert.equal(errorOfSimulation(simulated, market), undefined)
    const text = renderSimulation(simulated, { tokens: market.tokens }, terminal)
    assert.match(text.replaceAll(/\s+/g, ' '), /ask for less, or ask a node with a larger limit/)
  })
})
