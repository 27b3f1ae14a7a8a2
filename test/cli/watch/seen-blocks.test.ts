import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Context } from '../../../src/cli/command.js'
import { seenBlocks } from '../../../src/cli/watch/watch.js'
import { graphOf } from '../../../src/engine/routing/graph.js'
import { demoMarket } from '../../service/stage.js'
import { steppedFeed } from '../../service/stepped.js'

const graph = graphOf(demoMarket)
const at = (height: number) => ({ ...demoMarket, height })
const stepped = () => steppedFeed(10, (height) => ({ market: at(height), graph }))
const settings = { autoSlippageBlocks: 4, autoSlippageQuantile: 9_900 }

/** What `seenBlocks` uses of a context whose tape holds these heights. */
const contextOf = (recorded?: readonly number[]) => {
  const evidence = async () => ({ markets: (recorded ?? []).map(at), quantileBps: 9_900 })
  return {
    app: { openMarket: () => Promise.reject(new Error('not read')), ...(recorded && { evidence }) },
    config: { values: settings },
  } as unknown as Context
}

describe('the blocks that --slippage auto reads under --watch', () => {
  test('are those that were watched', async () => {
    const { feed, step } = stepped()
    const evidence = seenBlocks(feed, contextOf())
    const heights = async () => (await evidence(0)).markets.map(({ height }) => height)
    assert.deepEqual(await heights(), [10])
    for (const height of [11, 12, 14, 15]) step(height)
    assert.deepEqual(await heights(), [11, 12, 14, 15])
  })

  test('come after those of the tape, as many together as are configured', async () => {
    const { feed, step } = stepped()
    const evidence = seenBlocks(feed, contextOf([7, 8, 9, 10]))
    const { markets, quantileBps } = await evidence(0)
    assert.deepEqual([markets.map(({ height }) => height), quantileBps], [[7, 8, 9, 10], 9_900])
    step(11)
    assert.deepEqual(
      (await evidence(0)).markets.map(({ height }) => height),
      [8, 9, 10, 11],
    )
  })
})
