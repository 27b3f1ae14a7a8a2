import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { marketSnapshotOf } from '../../../src/demo-chain/genesis/market-snapshot.js'
import { fairPrice } from '../../../src/demo-chain/market/draw.js'
import { pairFacts } from '../../../src/demo-chain/market/pair-facts.js'
import type { Market } from '../../../src/engine/market/market.js'
import type { PairState } from '../../../src/engine/market/pair.js'
import { visibleBook } from '../../../src/engine/market/resting-orders.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { arbs } from '../../../src/operations/arbitrage/arbs.js'
import { chainOf } from '../../support/chain.js'

/** The number of blocks for each seed, and the blocks between two checks of the whole market. */
const LONG = process.env['SWAP_LONG'] !== undefined
const rows = LONG
  ? ([
      [1, 1_000],
      [5, 500],
    ] as const)
  : ([
      // Longer than the round in which every book is corrected.
      [1, 50],
    ] as const)
const LOOK = LONG ? 25 : 10

/** The number of blocks in which every market maker has visited every book, and some more. */
const ROUND = 40

/** The price limits of slow and quick traders together, and the largest impact of one trade. */
const BAND = 0.12

const reference = new Map(
  pairFacts.map(({ base, quote, quirk }) => [
    `${base.denom} ${quote.denom}`,
    { fair: Number(fairPrice(base, quote)), quirk, name: `${base.symbol}/${quote.symbol}` },
  ]),
)
const storedSwapOf = ({ pair }: PairState) => reference.get(`${pair.base} ${pair.quote}`)!

const bestOf = (state: PairState, side: 'ask' | 'bid') =>
  visibleBook(state, side, 1).levels[0]?.rate

/** The largest profit of an arbitrage loop, in percent. */
const bestLoop = async (market: Market): Promise<number> => {
  const graph = graphOf(market)
  const { opportunities } = await arbs({ openMarket: async () => ({ market, graph }) }, {})
  return opportunities[0]?.profit_percent ?? 0
}

for (const [seed, blocks] of rows)
  describe(`the demo market of seed ${seed} over ${blocks} blocks`, () => {
    const chain = chainOf({ seed })
    /** Books that are wrong, with the height since which they are. */
    const since = new Map<string, number>()
    const faults: string[] = []
    const loops: number[] = []
    const mids: number[] = []

    const look = async () => {
      const market = decodeSnapshot(marketSnapshotOf(chain), 'demo')
      const wrong = new Set<string>()
      for (const { state } of market.books.values()) {
        const { fair, quirk, name } = storedSwapOf(state)
        const [ask, bid] = [bestOf(state, 'ask'), bestOf(state, 'bid')]
        if (ask === undefined || bid === undefined) {
          if (quirk !== 'no asks' || bid === undefined) wrong.add(`${name} has an empty side`)
          continue
        }
        if (bid >= ask) wrong.add(`${name} is crossed`)
        const off = Math.abs((Number(ask) + Number(bid)) / 2 / fair - 1)
        if (quirk === undefined) mids.push(off)
        if (off > BAND && quirk !== 'no asks') wrong.add(`${name} is off its reference`)
      }
      loops.push(await bestLoop(market))
      for (const each of since.keys()) if (!wrong.has(each)) since.delete(each)
      for (const each of wrong) {
        if (!since.has(each)) since.set(each, chain.height)
        if (chain.height - since.get(each)! > ROUND) faults.push(`${each} at ${chain.height}`)
      }
    }

    test(
      'has no empty side, no crossed book and no price that is far off for longer than a round',
      async () => {
        for (let block = 1; block <= blocks; block += 1) {
          const { txs } = chain.makeBlock()
          for (const { result } of txs) assert.notEqual(result.codespace, 'undefined', result.log)
          if (block % LOOK === 0) await look()
        }
        assert.deepEqual(faults, [])
      },
      20 * 60_000,
    )
    test('moves, but without jumps', () => {
      assert.ok(Math.max(...mids) > 0.005)
      assert.ok(Math.max(...mids) < BAND, `${Math.max(...mids)}`)
    })
    test('has a loop with a small profit most of the time, and none with a large profit for long', () => {
      const paying = loops.filter((percent) => percent > 0).length
      assert.ok(paying > loops.length * 0.5, `${paying} of ${loops.length}`)
      loops.forEach((percent, i) => {
        const next = loops[i + 1] ?? 0
        assert.ok(Math.min(percent, next) < 3, `${percent} % and then ${next} %`)
      })
    })
  })
