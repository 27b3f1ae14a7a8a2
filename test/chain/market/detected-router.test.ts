import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { detectDialect } from '../../../src/chain/market/detected-router.js'
import { queryBatch } from '../../../src/chain/queries/query-batch.js'
import { InvalidChain } from '../../../src/chain/rpc/faults.js'
import { marketSnapshotOf } from '../../../src/demo-chain/genesis/market-snapshot.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { chainOf, majorPairs } from '../../support/chain.js'
import { smallMarket } from '../../support/small-market.js'
import { directSource } from './direct.js'
import { scripted } from './scripted.js'

const answer = '{"returned":"1","fee":"0"}'
const level = { price: '2', total: '1000000' }
const chained = smallMarket(
  { 'a/b': { base: [level], quote: [level] }, 'b/c': { base: [level], quote: [level] } },
  { dialect: 'forward' },
)

type Simulate = {
  readonly simulate: {
    readonly coin: { readonly denom: string }
    readonly stages: readonly { readonly address: string; readonly denom: string }[]
  }
}

const isInvalid = (pattern: RegExp) => (error: unknown) =>
  error instanceof InvalidChain &&
  pattern.test(error.why ?? '') &&
  /router\.dialect/.test(error.hint ?? '')

describe('the dialect of a router', () => {
  for (const dialect of ['forward', 'stack'] as const)
    test(`is recognised by the router's own simulation: ${dialect}`, async () => {
      const chain = chainOf({ dialect }, majorPairs)
      const market = decodeSnapshot(marketSnapshotOf(chain), 'chain')
      const cost = { queries: 0, batches: 0, bytes: 0 }
      const ask = queryBatch(directSource(chain), 'demo', chain.height, cost)
      assert.equal(await detectDialect(ask, market), dialect)
      assert.equal(cost.queries, 2)
    })

  test('is tested with routes that end in another denom than they begin with', async () => {
    const simulations: Simulate['simulate'][] = []
    const ask = scripted({
      smart: (_address, message) => {
        simulations.push((message as Simulate).simulate)
        return undefined
      },
    })
    await assert.rejects(detectDialect(ask, chained), isInvalid(/neither/))
    assert.ok(simulations.length >= 2)
    for (const { coin, stages } of simulations) {
      assert.equal(stages.length, 2)
      const denoms = new Set(stages.flatMap(({ address }) => address.split('/')))
      assert.equal(denoms.size, 3)
      assert.ok(denoms.has(coin.denom))
    }
  })

  test('is not guessed: a router that accepts both is refused', async () => {
    const ask = scripted({ smart: () => answer })
    await assert.rejects(detectDialect(ask, chained), isInvalid(/both/))
  })

  test('is not derived from a malformed answer', async () => {
    const ask = scripted({
      smart: (_address, message) =>
        (message as Simulate).simulate.stages[0]?.address === 'a/b' ? answer : '{"returned":"-1"}',
    })
    assert.equal(await detectDialect(ask, chained), 'forward')
  })

  test('is unknown where no two pairs make a route', async () => {
    const singlePair = smallMarket(
      { 'a/b': { base: [level], quote: [level] } },
      { dialect: 'forward' },
    )
    await assert.rejects(detectDialect(scripted({}), singlePair), isInvalid(/no two pairs/))
  })
})
