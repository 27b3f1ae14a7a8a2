import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { pairsOf } from '../../../../src/cli/print-answer.js'
import { legDiagram } from '../../../../src/cli/quotes/split/leg-diagram.js'
import type { SplitView } from '../../../../src/cli/quotes/split/split-view.js'
import { builtInAliases } from '../../../../src/config/naming.js'
import { namesOf } from '../../../../src/render/names.js'
import { styleOf } from '../../../../src/render/style.js'
import { displayWidth } from '../../../../src/render/width.js'
import { ask, market } from '../../../operations/split/asking.js'
import { runs } from '../../../support/books.js'

/** Ways from BTC to RUNE by the symbols of what they cross. */
const ways = {
  direct: ['rune/btc'],
  usdc: ['btc/usdc', 'rune/usdc'],
  usdt: ['btc/usdt', 'rune/usdt'],
  eth: ['eth/btc', 'eth/rune'],
  ethUsdc: ['eth/btc', 'eth/usdc', 'rune/usdc'],
  usdcEth: ['btc/usdc', 'eth/usdc', 'eth/rune'],
  usdcLtc: ['btc/usdc', 'ltc/usdc', 'ltc/rune'],
  usdtUsdc: ['btc/usdt', 'usdt/usdc', 'rune/usdc'],
} as const
type Way = keyof typeof ways

const addressOf = (name: string): string => {
  const [base, quote] = name.split('/')
  const found = [...market.books.values()].find(({ state: { pair } }) => {
    const symbolOf = (denom: string) => market.tokens.get(denom)?.symbol.toLowerCase()
    const isEthereum = [pair.base, pair.quote].every((denom) =>
      /^(eth-|btc-|ltc-|rune)/.test(denom),
    )
    return isEthereum && symbolOf(pair.base) === base && symbolOf(pair.quote) === quote
  })
  return found?.state.pair.address ?? assert.fail(name)
}

/** The picture of legs with these shares in percent. */
async function braid(
  legs: readonly (readonly [Way, number])[],
  { width = 200, ascii = false } = {},
): Promise<readonly string[]> {
  const answer = await ask({
    input: { denom: 'btc-btc', amount: '10000000' },
    legs: legs.map(([way, percent]) => ({
      path: ways[way].map(addressOf),
      amount: `${percent * 100_000}`,
    })),
  })
  const style = styleOf({ width, color: false, ascii, tty: true })
  const names = namesOf(
    { tokens: market.tokens, pairs: pairsOf(market), aliases: builtInAliases },
    style,
  )
  const view: SplitView = {
    answer,
    best: answer.routes[0]!,
    quoteId: undefined,
    verbose: false,
    names,
    style,
  }
  return legDiagram(view)
}

describe('a braid', () => {
  test('of legs without a common hop has a strand for each', async () => {
    assert.deepEqual(
      await braid([
        ['usdc', 60],
        ['direct', 40],
      ]),
      [
        '  BTC ━┳━━━ 60 % ━ fin btc/usdc ━▶ USDC ━ fin rune/usdc ━┳━▶ RUNE',
        '       ┗━━━ 40 % ━ fin rune/btc ━━━━━━━━━━━━━━━━━━━━━━━━━┛',
      ],
    )
  })
  test('merges legs with a common first hop, with what they carry together', async () => {
    assert.deepEqual(
      await braid([
        ['usdc', 40],
        ['direct', 30],
        ['usdcLtc', 20],
        ['eth', 10],
      ]),
      [
        '  BTC ━┳━━━ 60 % ━ fin btc/usdc ━▶ USDC ━┳━ 40 % ━ fin rune/usdc ━━━━━━━━━━━━━━━━━━━━━━┳━▶ RUNE',
        '       ┃                                 ┗━ 20 % ━ fin ltc/usdc ━▶ LTC ━ fin ltc/rune ━┫',
        '       ┣━━━ 30 % ━ fin rune/btc ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫',
        '       ┗━━━ 10 % ━ fin eth/btc ━▶ ETH ━ fin eth/rune ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛',
      ],
    )
  })
  test('merges legs with a common last hop', async () => {
    assert.deepEqual(
      await braid([
        ['usdc', 50],
        ['direct', 30],
        ['ethUsdc', 20],
      ]),
      [
        '  BTC ━┳━━━ 50 % ━ fin btc/usdc ━▶ USDC ━━━━━━━━━━━━━━━━━━━━━━━┳━ fin rune/usdc ━┳━▶ RUNE',
        '       ┣━━━ 20 % ━ fin eth/btc ━▶ ETH ━ fin eth/usdc ━▶ USDC ━━┛                 ┃',
        '       ┗━━━ 30 % ━ fin rune/btc ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛',
      ],
    )
  })
  test('merges both ends, and has one line where all of it is one hop', async () => {
    assert.deepEqual(
      await braid([
        ['usdcEth', 60],
        ['usdc', 40],
      ]),
      [
        '  BTC ━━━━━ 100 % ━ fin btc/usdc ━▶ USDC ━┳━  60 % ━ fin eth/usdc ━▶ ETH ━ fin eth/rune ━┳━▶ RUNE',
        '                                          ┗━  40 % ━ fin rune/usdc ━━━━━━━━━━━━━━━━━━━━━━┛',
      ],
    )
    assert.deepEqual(
      await braid([
        ['usdc', 60],
        ['usdtUsdc', 40],
      ]),
      [
        '  BTC ━┳━━━ 60 % ━ fin btc/usdc ━▶ USDC ━━━━━━━━━━━━━━━━━━━━━━━━━━┳━ fin rune/usdc ━━━▶ RUNE',
        '       ┗━━━ 40 % ━ fin btc/usdt ━▶ USDT ━ fin usdt/usdc ━▶ USDC ━━┛',
      ],
    )
  })
  test('is drawn leg by leg where only that fits, and not at all where nothing does', async () => {
    const legs = [
      ['usdc', 60],
      ['usdcLtc', 40],
    ] as const
    const whole = await braid(legs)
    const widest = Math.max(...whole.map(displayWidth))
    assert.deepEqual(await braid(legs, { width: widest }), whole)
    const apart = await braid(legs, { width: widest - 1 })
    assert.equal(apart.length === 0 || apart.every((line) => !line.includes('100 %')), true)
    assert.ok(apart.length === 2, apart.join('\n'))
    assert.deepEqual(await braid(legs, { width: 60 }), [])
  })
  test('has every leg with its share and every venue, in whole lines, whatever is merged', async () => {
    const shares = fc
      .uniqueArray(fc.constantFrom(...(Object.keys(ways) as Way[])), { minLength: 2, maxLength: 6 })
      .map((picked) => picked.map((way, i) => [way, i === 0 ? 100 - (picked.length - 1) * 5 : 5]))
    await fc.assert(
      fc.asyncProperty(shares, fc.boolean(), async (legs, ascii) => {
        const given = legs as [Way, number][]
        const lines = await braid(given, { ascii })
        const text = lines.join('\n')
        assert.ok(lines.length <= given.length)
        for (const [way] of given) for (const venue of ways[way]) assert.ok(text.includes(venue))
        // One line leaves and one arrives first; every other end is a fork, a join or a way past.
        assert.match(lines[0]!, ascii ? /^ {2}BTC =.*=> RUNE$/ : /^ {2}BTC ━.*━▶ RUNE$/)
        if (ascii) assert.match(text, /^[\n\x20-\x7e]*$/)
        const forks = (text.match(/[┳┣┗]━/g) ?? []).length
        const joins = (text.match(/━[┳┫┛]/g) ?? []).length
        if (!ascii) assert.ok(forks >= given.length - 1 && joins >= given.length - 1, text)
      }),
      runs(20),
    )
  })
})
