import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { DEMO_SEED, demoSnapshot } from '../../src/demo-chain/market/snapshot.js'
import { graphOf } from '../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../src/engine/snapshot/decode.js'
import { encodeSnapshot } from '../../src/engine/snapshot/encode.js'
import * as engine from '../../src/library/engine.js'
import * as sizes from '../../src/library/sizes.js'
import * as splits from '../../src/library/splits.js'
import { arbs } from '../../src/operations/arbitrage/arbs.js'
import { route } from '../../src/operations/route/route.js'
import { curve, max } from '../../src/operations/split/sizes.js'
import { sroute } from '../../src/operations/split/split.js'
import { linkedMarket } from '../engine/arbitrage/arbitrage-loops.js'
import { readLines } from '../support/vectors.js'
import { type RecordedMarket, replayPaths } from './replay-paths.js'

const snapshot = JSON.parse(JSON.stringify(demoSnapshot(DEMO_SEED))) as object
const market = engine.readMarket(snapshot)
const decoded = decodeSnapshot(snapshot, 'demo')
const context = { openMarket: async () => ({ market: decoded, graph: graphOf(decoded) }) }
const input = { denom: 'btc-btc', amount: 150_000_000n }
const body = { input: { denom: 'btc-btc', amount: '150000000' }, output: { denom: 'rune' } }
const codeOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof engine.SwapError) return error.code
    throw error
  }
  return 'nothing thrown'
}

describe('the engine of the package', () => {
  test('finds the routes that the operation answers with', async () => {
    const theirs = await route(context, body)
    const { routes } = engine.findRoutes(market, { input, output: 'rune' })
    assert.deepEqual(
      routes.map((each) => ({
        id: each.id,
        expected_output: `${each.output.amount}`,
        min_return: `${each.minReturn}`,
        simulated_output: each.simulated === undefined ? null : `${each.simulated}`,
        price_impact_bps: each.impactBps ?? null,
        gas_estimate: `${each.gas}`,
        tx: each.message(),
      })),
      theirs.routes.map((each) => ({
        id: each.id,
        expected_output: each.expected_output,
        min_return: each.min_return,
        simulated_output: each.simulated_output,
        price_impact_bps: each.price_impact_bps,
        gas_estimate: each.gas_estimate,
        tx: each.tx,
      })),
    )
  })
  test('finds the splits that the operation answers with', async () => {
    const theirs = await sroute(context, body)
    const found = splits.findSplits(market, { input, output: 'rune' })
    assert.deepEqual(
      found.splits.map(({ id, output, minReturn }) => [id, `${output.amount}`, `${minReturn}`]),
      theirs.routes.map((each) => [each.id, each.expected_output, each.min_return]),
    )
    assert.equal(`${found.single?.output.amount}`, theirs.single_best?.expected_output)
    assert.ok(found.bound! >= found.splits[0]!.output.amount)
  })
  test('finds the input for an output as the operation does, by one path and by several', async () => {
    const wanted = { denom: 'rune', amount: 4_000_000_000_000n }
    const request = {
      input: { denom: 'btc-btc' },
      output: { denom: 'rune', amount: '4000000000000' },
    }
    const asked = { input: 'btc-btc', output: wanted }
    const routes = sizes.findRoutesForOutput(market, asked)
    assert.deepEqual(
      routes.map((each) => [each.id, `${each.input.amount}`]),
      (await route(context, request)).routes.map((each) => [each.id, each.funds.amount]),
    )
    assert.ok(routes.every(({ minReturn }) => minReturn >= wanted.amount))
    const split = sizes.findSplitForOutput(market, asked)
    assert.equal(`${split?.input.amount}`, (await sroute(context, request)).input.amount)
  })
  test('computes curve and largest input as the operations do', async () => {
    const tokens = { input: 'btc-btc', output: 'rune' }
    const { points } = await curve(context, {
      input: { denom: 'btc-btc' },
      output: { denom: 'rune' },
    })
    const ours = splits.quoteSizes(
      market,
      tokens,
      points.map((each) => BigInt(each.input.amount)),
    )
    assert.deepEqual(
      ours.map(({ output, impactBps }) => [output, impactBps]),
      points.map((each) => [
        each.output ? BigInt(each.output.amount) : undefined,
        each.price_impact_bps ?? undefined,
      ]),
    )
    const most = await max(context, {
      input: { denom: 'btc-btc' },
      output: { denom: 'rune' },
      max_impact_bps: 100,
    })
    assert.equal(
      `${sizes.largestUnderImpact(market, tokens, 100)?.input.amount}`,
      most.input.amount,
    )
  })
  test('finds the arbitrage loops that the operation answers with', async () => {
    const { opportunities } = await arbs(context, {})
    const { loops, isCut } = engine.findArbitrageLoops(market)
    assert.deepEqual(
      loops.map(({ quote, profit }) => [quote.id, `${profit}`]),
      opportunities.map((each) => [each.id, each.profit.amount]),
    )
    assert.equal(isCut, false)
  })
  test('says where its search for arbitrage loops was cut', () => {
    const linked = engine.readMarket(encodeSnapshot(linkedMarket(20)))
    const [three, six] = [3, 6].map((maxHops) => engine.findArbitrageLoops(linked, { maxHops }))
    assert.deepEqual([three!.isCut, six!.isCut], [false, true])
    assert.ok(six!.loops.length > 100)
  })
  test('pays on recorded executions what the contracts paid, to the atomic', () => {
    const lines = readLines<RecordedMarket>('public.jsonl').filter((_, at) => at % 10 === 0)
    const { compared, wrong } = replayPaths(engine, lines)
    assert.deepEqual(wrong, [])
    assert.ok(compared > 100, `${compared} cases`)
  })
  test('says why a path or an amount cannot be executed', () => {
    const [best] = engine.findRoutes(market, { input, output: 'rune' }).routes
    const path = best!.hops.map(({ pair }) => pair)
    const refused = engine.quotePath(market, path, { ...input, amount: 10n ** 13n })
    assert.ok('refused' in refused)
    assert.equal(refused.refused, 'beyond_depth')
    const found = engine.findRoutes(market, {
      input: { ...input, amount: 10n ** 30n },
      output: 'rune',
    })
    assert.deepEqual([found.routes.length, found.refusals[0]?.[0]], [0, 'beyond_depth'])
  })
  test('names the contract that its messages are sent to', () => {
    assert.equal(market.router, decoded.router.address)
  })
  test('makes no message for a recipient that is no account of the network', () => {
    const [best] = engine.findRoutes(market, { input, output: 'rune' }).routes
    assert.equal(best!.message({ recipient: 'demo1abc' }).swap.recipient, 'demo1abc')
    assert.ok(!('recipient' in best!.message().swap))
    const lost = [decoded.router.address, [...decoded.books.keys()][0]]
    const others = [null, '', 5, 'rune', 'thor1abc', 'DEMO1ABC']
    for (const recipient of [...others, ...lost] as readonly string[])
      assert.equal(
        codeOf(() => best!.message({ recipient })),
        'INVALID_ADDRESS',
      )
  })
  test('refuses a path that is no path of the market with the codes of the service', async () => {
    const [halted, ...pairs] = (snapshot as { pairs: readonly object[] }).pairs
    const changed = { ...snapshot, pairs: [{ ...halted, status: 'halted' }, ...pairs] }
    const ours = engine.readMarket(changed)
    const theirs = decodeSnapshot(changed, 'demo')
    const view = { openMarket: async () => ({ market: theirs, graph: graphOf(theirs) }) }
    const trades = ({ base, quote }: engine.Pair) => [base, quote].includes(input.denom)
    const first = ours.pairs.find(trades)!.address
    const other = ours.pairs.find((pair) => !trades(pair))!.address
    for (const path of [[other], [first, other, first], ['x'], [ours.excluded[0]!.address]]) {
      const problem = await route(view, { ...body, path }).catch((error: unknown) => error)
      assert.ok(problem instanceof engine.SwapError)
      assert.equal(
        codeOf(() => engine.quotePath(ours, path, input)),
        problem.code,
      )
    }
  })
  test('finds nothing for a token without an open pair, and no route for more than the books hold', () => {
    const { base: output } = market.pairs.at(-1)!
    const { pairs } = snapshot as { pairs: readonly object[] }
    const closed = pairs.map((each) =>
      JSON.stringify(each).includes(`"${output}"`) ? { ...each, status: 'halted' } : each,
    )
    const ours = engine.readMarket({ ...snapshot, pairs: closed })
    const pair = { input: input.denom, output }
    const wanted = { input: input.denom, output: { denom: output, amount: 1n } }
    const none = { routes: [], refusals: [], isCut: false }
    assert.deepEqual(engine.findRoutes(ours, { input, output }), none)
    assert.deepEqual(splits.findSplits(ours, { input, output }).splits, [])
    assert.equal(splits.quoteSizes(ours, pair, [1n])[0]!.output, undefined)
    assert.equal(sizes.findSplitForOutput(ours, wanted), undefined)
    assert.deepEqual(sizes.findRoutesForOutput(ours, wanted), [])
    assert.equal(sizes.largestUnderImpact(ours, pair, 100), undefined)
    const most = { ...wanted, output: { denom: 'rune', amount: 10n ** 30n } }
    assert.deepEqual(sizes.findRoutesForOutput(market, most), [])
  })
  test('refuses malformed requests with codes', () => {
    const ask = (request: object) =>
      codeOf(() => engine.findRoutes(market, { input, output: 'rune', ...request }))
    assert.equal(ask({ output: 'nothing' }), 'UNKNOWN_TOKEN')
    assert.equal(ask({ output: market.pairs[0]!.address }), 'UNKNOWN_TOKEN')
    assert.equal(ask({ output: 'btc-btc' }), 'SAME_TOKEN')
    assert.equal(ask({ input: { ...input, amount: 0n } }), 'INVALID_AMOUNT')
    assert.equal(ask({ affiliate: 'nobody' }), 'INVALID_AFFILIATE')
    assert.equal(ask({ maxHops: 7 }), 'INVALID_REQUEST')
    for (const other of [{ format: 'other' }, 5n, null, { ...snapshot, height: 120n }])
      assert.equal(
        codeOf(() => engine.readMarket(other)),
        'INVALID_SNAPSHOT',
      )
    assert.equal(
      codeOf(() => engine.quotePath(market, ['x'], input)),
      'NOT_FOUND',
    )
    const unknown = { denom: 'nothing', amount: 1n }
    assert.equal(
      codeOf(() => engine.quotePath(market, [market.pairs[0]!.address], unknown)),
      'UNKNOWN_TOKEN',
    )
    for (const name of ['via', 'exclude'])
      assert.equal(ask({ [name]: ['rune', 'nothing'] }), 'UNKNOWN_TOKEN')
    const pair = { input: input.denom, output: 'rune' }
    const wanted = { input: input.denom, output: { denom: 'rune', amount: 1n } }
    for (const work of [
      () => engine.findRoutes(market, { input, output: 'rune', limit: 26 }),
      () => engine.quotePath(market, [], input),
      () => splits.findSplits(market, { input, output: 'rune', maxLegs: 11 }),
      () => sizes.findRoutesForOutput(market, { ...wanted, limit: 0 }),
      () => sizes.largestUnderImpact(market, pair, 10_001),
    ])
      assert.equal(codeOf(work), 'INVALID_REQUEST')
    const copy = { ...market }
    assert.throws(() => engine.findRoutes(copy, { input, output: 'rune' }), TypeError)
  })
  test('reads and writes amounts in whole units exactly', () => {
    for (const [text, decimals, amount] of [
      ['1.5', 8, 150_000_000n],
      ['0.00000001', 8, 1n],
      ['7', 0, 7n],
      ['123456789.000000000000000001', 18, 123_456_789_000_000_000_000_000_001n],
    ] as const) {
      assert.equal(engine.parseAmount(text, decimals), amount)
      assert.equal(engine.formatAmount(amount, decimals), text)
    }
    assert.equal(engine.parseAmount('25_000.5', 8), 2_500_050_000_000n)
    assert.equal(engine.parseAmount('.5', 8), 50_000_000n)
    for (const text of ['', '1.', '_5', '-1', '1e3', '1.000000001', '0', '1,000'])
      assert.equal(
        codeOf(() => engine.parseAmount(text, 8)),
        'INVALID_AMOUNT',
        text,
      )
    for (const text of [1.5, 150_000_000n, null, undefined] as unknown as readonly string[])
      assert.equal(
        codeOf(() => engine.parseAmount(text, 8)),
        'INVALID_AMOUNT',
      )
    for (const amount of [1e21, 1.5, '15', null, undefined] as unknown as readonly bigint[])
      assert.equal(
        codeOf(() => engine.formatAmount(amount, 8)),
        'INVALID_AMOUNT',
      )
    assert.equal(engine.formatAmount(-150_000_000n, 8), '-1.5')
    for (const decimals of [undefined, Number.NaN, -1, 1.5, 39] as readonly number[]) {
      const calls = [
        () => engine.parseAmount('1.5', decimals),
        () => engine.formatAmount(15n, decimals),
      ]
      for (const call of calls) assert.equal(codeOf(call), 'INVALID_REQUEST', `${decimals}`)
    }
  })
})
