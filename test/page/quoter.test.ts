import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { type ErrorCode, SwapError } from '../../src/engine/errors.js'
import { problemOf } from '../../src/operations/problem.js'
import { Agreement, type ComparedAnswer, serviceSide } from '../../src/page/agreement.js'
import { depthPicture, flowPicture } from '../../src/page/pictures.js'
import { type Mode, requestOf } from '../../src/page/question.js'
import {
  openMarket,
  type PageMarket,
  pricesBySize,
  profitableLoops,
  quote,
} from '../../src/page/quoter.js'
import {
  bpsText,
  coinText,
  decimalText,
  dollarsText,
  estimateText,
  exactCoinText,
  namesOf,
  shareText,
  viaText,
} from '../../src/page/text.js'
import { formatBps, formatPayment } from '../../src/render/amount.js'
import { post, type Staged, stage, threadless } from '../service/stage.js'

let service: Staged
let market: PageMarket
beforeAll(async () => {
  service = await stage({ pool: threadless() })
  const { payload } = await service.server.inject('/swap/snapshot?compact=true')
  market = await openMarket(payload)
})

const asked = (mode: Mode) => ({
  mode,
  from: 'btc-btc',
  to: 'rune',
  atomics: 150_000_000n,
})

describe('the quote that the page computes', () => {
  for (const mode of ['route', 'sroute'] as const)
    test(`of ${mode} is the document of the service, byte for byte`, async () => {
      const { side } = await quote(market, asked(mode))
      const request = requestOf(asked(mode))
      const { payload } = await service.server.inject(post(`/swap/${mode}`, request))
      assert.equal(side.text, payload)
      assert.deepEqual(serviceSide(120, 'quote', payload), side)
      assert.ok(side.isExact)
    })

  test('is refused as the service refuses it', async () => {
    const question = { ...asked('route'), to: 'btc-btc' }
    const { answer, side } = await quote(market, question)
    const { payload } = await service.server.inject(post('/swap/route', requestOf(question)))
    assert.equal(answer.kind, 'refused')
    assert.deepEqual(serviceSide(120, 'problem', payload), side)
    assert.equal(side.text, 'SAME_TOKEN')
  })

  test('is not compared with a service that cannot answer now', () => {
    const event = (code: ErrorCode) =>
      serviceSide(120, 'problem', JSON.stringify(problemOf(new SwapError(code, code))))
    for (const code of ['NOT_READY', 'STALE_DATA', 'OVERLOADED', 'UPSTREAM_TIMEOUT'] as const)
      assert.equal(event(code), undefined)
    for (const code of ['NO_ROUTE', 'MARKET_HALTED', 'INTERNAL'] as const)
      assert.equal(event(code)?.text, code)
  })

  test('has prices by size and loops beside it', async () => {
    const points = await pricesBySize(market, asked('route'))
    assert.equal(points[0]!.input.amount, '750000')
    assert.equal(points.at(-1)!.input.amount, '3000000000')
    const { payload } = await service.server.inject('/swap/arbs')
    const { opportunities } = JSON.parse(payload) as { opportunities: unknown }
    assert.deepEqual(await profitableLoops(market), opportunities)
  })
})

describe('the comparison with the service', () => {
  const side = (height: number, text: string, isExact = true): ComparedAnswer => ({
    height,
    text,
    isExact,
    expected: 1n,
  })

  test('waits until both have answered for one height, and compares the newest one', () => {
    const agreement = new Agreement()
    assert.equal(agreement.addHere(side(1, 'a')).kind, 'waiting')
    assert.equal(agreement.addThere(side(2, 'b')).kind, 'waiting')
    const first = agreement.addThere(side(1, 'a'))
    assert.deepEqual([first.kind, 'height' in first && first.height], ['agree', 1])
    const second = agreement.addHere(side(2, 'b'))
    assert.deepEqual([second.kind, 'height' in second && second.height], ['agree', 2])
  })

  test('reports a difference of a single byte, and an estimate as such', () => {
    const agreement = new Agreement()
    agreement.addHere(side(1, 'a'))
    assert.equal(agreement.addThere(side(1, 'b')).kind, 'differ')
    agreement.clear()
    assert.equal(agreement.addHere(side(1, 'a', false)).kind, 'waiting')
    assert.equal(agreement.addThere(side(1, 'b')).kind, 'estimates')
  })

  test('continues at lower heights after a reset of the chain', () => {
    const agreement = new Agreement()
    for (const height of [98, 99, 100, 101]) agreement.addHere(side(height, 'a'))
    for (const height of [98, 99, 100, 101]) agreement.addThere(side(height, 'a'))
    agreement.addHere(side(5, 'b'))
    const verdict = agreement.addThere(side(5, 'b'))
    assert.deepEqual([verdict.kind, 'height' in verdict && verdict.height], ['agree', 5])
  })

  test('forgets old heights', () => {
    const agreement = new Agreement()
    for (let height = 1; height <= 9; height += 1) agreement.addHere(side(height, 'a'))
    assert.equal(agreement.addThere(side(5, 'a')).kind, 'waiting')
    assert.equal(agreement.addThere(side(6, 'a')).kind, 'agree')
  })
})

describe('the pictures of the page', () => {
  test('of paths have bands whose thickness is their share, in rows that do not overlap', () => {
    const legs = [
      { path: ['btc-btc', 'rune'], split: { fraction: '0.75', amount: '3' } },
      { path: ['btc-btc', 'tcy', 'rune'], split: { fraction: '0.25', amount: '1' } },
    ]
    const { bands, height, barHeight } = flowPicture(legs, 500, namesOf(market.tokens))
    const [first, second] = [bands[0]!, bands[1]!]
    assert.deepEqual([first.share, second.share], ['75.00\u00a0%', '25.00\u00a0%'])
    assert.deepEqual([first.via, second.via], ['direct', 'via TCY'])
    assert.equal(first.thickness, 3 * second.thickness)
    assert.equal(barHeight, first.thickness + second.thickness)
    assert.ok(first.y + first.thickness / 2 < second.y - second.thickness / 2)
    assert.ok(second.y + second.thickness / 2 <= height)
  })

  test('of prices have the quote inside, and labels of sizes in order', async () => {
    const points = await pricesBySize(market, asked('route'))
    const { answer } = await quote(market, asked('route'))
    assert.ok(answer.kind === 'route')
    const price = answer.document.routes[0]!.price
    const size = { width: 500, height: 190 }
    const drawn = depthPicture(points, { amount: '150000000', price }, size, (n) => `${n}`)
    assert.ok(drawn.mark.x > 74 && drawn.mark.x < 488)
    assert.ok(drawn.mark.y > 12 && drawn.mark.y < 166)
    assert.deepEqual(
      drawn.sizes.map(({ text }) => text),
      ['1000000', '10000000', '100000000', '1000000000'],
    )
    for (const { text } of drawn.prices) assert.match(text, /^1[45]\d,\d00$/)
    assert.ok(drawn.prices.length >= 3 && drawn.prices.length <= 6)
    const places = drawn.sizes.map(({ at }) => at)
    assert.deepEqual(
      [...places].sort((a, b) => a - b),
      places,
    )
  })
})

describe('the texts of the page', () => {
  test('write amounts exactly, or rounded towards zero', () => {
    const names = namesOf(market.tokens)
    const coin = { denom: 'rune', amount: '22781877035134' }
    assert.equal(exactCoinText(coin, names), '227,818.77035134 RUNE')
    assert.equal(coinText(coin, names), '227,818.77 RUNE')
    assert.equal(coinText(coin, names, formatPayment), '227,818.78 RUNE')
    assert.equal(coinText({ denom: 'unknown', amount: '1234' }, names), '1,234 unknown')
    assert.equal(viaText(['btc-btc', 'tcy', 'x/ruji', 'rune'], names), 'via TCY, RUJI')
  })

  test('say before numbers that some of them are estimates', () => {
    assert.match(estimateText([{ exact: true }, { exact: false }]), /^An estimate: .+\. $/)
    assert.equal(estimateText([{ exact: true }, { exact: null }]), '')
  })
  test('write decimals, dollars and shares as they are', () => {
    assert.equal(decimalText('151879.180234232'), '151,879.18')
    assert.equal(decimalText('0.00000658418061234'), '0.0000065841806')
    assert.deepEqual(['117908.71', '240.1', '0', '0.004', '-0.004', '-12.5'].map(dollarsText), [
      '$117,908',
      '$240.10',
      '$0.00',
      '<$0.01',
      '>-$0.01',
      '-$12.50',
    ])
    assert.equal(dollarsText(null), '')
    assert.deepEqual(['1', '0.5739', '0.0001', '0.123456'].map(shareText), [
      ...['100.00', '57.39', '0.01', '12.34'].map((text) => `${text}\u00a0%`),
    ])
    assert.equal(bpsText(null), '-')
    for (const bps of [161, 0, 1.5, -1.5, 0.2, -0.2, 100.5])
      assert.equal(bpsText(bps), formatBps(bps).replace(' ', '\u00a0'))
  })
})
