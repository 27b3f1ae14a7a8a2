import assert from 'node:assert/strict'
import { test } from 'vitest'
import { marketReader } from '../../../src/chain/market/read-market.js'
import { demo } from '../../../src/chain/networks/demo.js'
import { newestState } from '../../../src/demo-chain/blocks/chain.js'
import { agentsOf } from '../../../src/demo-chain/genesis/known-accounts.js'
import { accountTx, executeMessage } from '../../../src/demo-chain/tx/sign.js'
import { asData, ownMarket } from '../../chain/market/as-data.js'
import { directSource } from '../../chain/market/direct.js'
import { chainOf, document, threePairs } from '../../support/chain.js'

test('a market snapshot has the orders at oracle prices, as they are read through a node', async () => {
  const chain = chainOf({ life: false, oracles: true }, threePairs)
  const { prefix, seed } = chain.options
  const [agent] = agentsOf(prefix, seed).trader
  const pair = threePairs.pairs.find(({ base, quote }) => base === 'rune' && quote === document.usd)
  assert.ok(agent && pair)
  const order = [
    ['quote', { oracle: -150 }, '30000000'],
    ['quote', { oracle: -100 }, '20000000'],
    // At a price of zero, which is left out.
    ['quote', { oracle: -10_000 }, '1'],
    ['base', { oracle: 300 }, '50000000'],
  ]
  const funds = [
    { denom: document.usd, amount: 50_000_001n },
    { denom: 'rune', amount: 50_000_000n },
  ]
  const text = JSON.stringify({ order: [order, null] })
  const messages = [executeMessage(agent.address, pair.address, text, funds)]
  const gas = 5_000_000n
  chain.broadcast(accountTx(chain.options, newestState(chain), agent, { gas, messages }))
  const [tx] = chain.makeBlock().txs
  assert.equal(tx?.result.log, '')
  const own = ownMarket(chain)
  const { bids } = own.books.get(pair.address)!.state
  assert.deepEqual(
    bids.oracle.map(({ bps, total }) => [bps, total]),
    [
      [-100, 20_000_000n],
      [-150, 30_000_000n],
    ],
  )
  assert.deepEqual(asData(await marketReader(demo, directSource(chain)).read()), asData(own))
})
