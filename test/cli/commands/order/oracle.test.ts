import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { ONE } from '../../../../src/engine/math/decimal.js'
import { oracleRate } from '../../../../src/engine/orders/order-price.js'
import type { OrderReport } from '../../../../src/execution/lifecycle/report-schema.js'
import type { OrderHistoryAnswer } from '../../../../src/operations/history/order-history.js'
import type { OrdersAnswer } from '../../../../src/operations/orders/order-operations.js'
import { threePairs } from '../../../support/chain.js'
import { network } from '../execute/stage.js'

const USDC = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

// No block comes but when the outcome of a transaction is asked for.
const net = await network(600_000, threePairs, { oracles: true })
const born = net.real.height

async function documentOf<T>(...args: readonly string[]): Promise<T> {
  const { status, stdout, stderr } = await net.run(...args, '--json')
  assert.equal(status, 0, stdout + stderr)
  return JSON.parse(stdout) as T
}

/** Signs an order message, whose payments are those of its preview, while the oracle price stays. */
async function signed(...args: readonly string[]): Promise<OrderReport> {
  do net.real.makeBlock()
  while ((net.real.height - born) % 10 > 0)
  const report = await documentOf<OrderReport>('order', ...args, '--from', 'demo', '--yes')
  for (const { paid, expected } of report.orders) assert.deepEqual(paid, expected)
  return report
}

const listed = async () =>
  (await documentOf<OrdersAnswer>('order', 'list', '--from', 'demo')).orders

const oracleAt = (height: number): bigint => {
  const dollars = (asset: string) => net.real.stateAt(height)!.get<bigint>('oracle', asset)!
  return (dollars('THOR.RUNE') * ONE) / dollars(`ETH.${USDC.slice(4).toUpperCase()}`)
}

describe('an order at an oracle price', () => {
  test('rests at the rate of its distance, is filled, claimed and cancelled, to the atomic', async () => {
    await signed('buy', '1000', 'rune', 'usdc', '--oracle=-1.5%')
    await signed('sell', '70', 'rune', 'usdc', '--oracle=300bps')
    const resting = await listed()
    const bought = resting.find(({ side }) => side === 'buy')!
    assert.deepEqual([bought.oracle_bps, bought.status], [-150, 'open'])
    const sweep = ['sell', '2000000', 'rune', 'usdc', '--price', '0.45', '--max-cross', '20%']
    const { txs } = await signed(...sweep, '--ioc')
    const rate = oracleRate(oracleAt(txs[0]!.height!) as never, -150)
    const filled = (await listed()).find(({ id }) => id === bought.id)!
    assert.equal(filled.status, 'filled')
    const exact = (BigInt(bought.offered) * ONE) / rate
    const difference = exact - BigInt(filled.filled)
    assert.ok(difference >= -1n && difference <= 1n, `${filled.filled} for ${exact}`)
    const claimed = await signed('claim', '--all')
    assert.deepEqual(claimed.received, [{ denom: 'rune', amount: filled.claimable }])
    const cancelled = await signed('cancel', '--all')
    assert.deepEqual(cancelled.received, [{ denom: 'rune', amount: '7000000000' }])
    assert.deepEqual(await listed(), [])
    const { items } = await documentOf<OrderHistoryAnswer>('history', '--orders', '--owner', 'demo')
    assert.deepEqual(
      items.map(({ action, oracle_bps, received, returned }) => [
        action,
        oracle_bps,
        received,
        returned,
      ]),
      [
        ['cancel', 300, '0', '7000000000'],
        ['claim', -150, filled.claimable, '0'],
        ['cancel', null, '0', items[2]!.returned],
        ['place', null, items[3]!.received, '0'],
        ['place', 300, '0', '0'],
        ['place', -150, '0', '0'],
      ],
    )
  })
})
