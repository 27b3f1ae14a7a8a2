import assert from 'node:assert/strict'
import { test } from 'vitest'
import { selfTest } from '../../../src/chain/market/self-test.js'
import type { Ask } from '../../../src/chain/queries/query-batch.js'
import { documentOf, marketOf, pairOf } from '../../support/markets.js'
import { messageOf } from './direct.js'

test.each([
  [0, 'even'],
  [1, 'odd'],
])(
  'from height %d on every level of both sides of an unchanged book is simulated at %s heights',
  async (first) => {
    const asks = [
      ['1.01', '1000'],
      ['1.02', '1000'],
      ['1.03', '1000'],
    ] as const
    const bids = [
      ['0.99', '1000'],
      ['0.98', '1000'],
      ['0.97', '1000'],
    ] as const
    const { market } = marketOf(documentOf([pairOf(['p', 'a', 'b'], { asks, bids })]))
    const levelsReached = new Set<string>()
    const ask = (async (question: Parameters<Ask>[0]) => {
      const { denom, amount } = messageOf(question)!.body as { denom: string; amount: string }
      // A level costs about 1,010 on either side.
      levelsReached.add(`${denom} ${Math.ceil(Number(amount) / 1_030)}`)
      return { kind: 'refused', why: 'not answered' }
    }) as Ask
    for (let height = first; height < 128; height += 2)
      await selfTest(ask, market.books.get('p')!, height, 'unchanged')
    assert.deepEqual([...levelsReached].sort(), ['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'b 3'])
  },
)
