import assert from 'node:assert/strict'
import { Value } from 'typebox/value'
import { commands } from '../../../../src/cli/commands/index.js'
import { documentSchemas } from '../../../../src/cli/commands/schema/run.js'
import type { OrderReport } from '../../../../src/execution/lifecycle/report-schema.js'
import type { OrdersAnswer } from '../../../../src/operations/orders/order-operations.js'
import type { OrderPreviewAnswer } from '../../../../src/operations/orders/order-preview-documents.js'
import type { Ended, Network } from '../execute/stage.js'

export const USDC = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

export type Signed = OrderReport & { readonly previews?: readonly OrderPreviewAnswer[] }

/** Calls of `swap order` with the key of the demo network. */
export function orderCalls(net: Network) {
  const order = (...args: readonly string[]): Promise<Ended> =>
    net.run('order', ...args, '--from', 'demo', '--json')
  return {
    order,
    async signed(...args: readonly string[]): Promise<Signed> {
      const { status, stdout, stderr } = await order(...args, '--yes')
      assert.equal(status, 0, stdout + stderr)
      const report = JSON.parse(stdout) as Signed
      const schema = (await documentSchemas(commands)).get('order')!['answer']!
      assert.deepEqual(Value.Errors(schema, report).slice(0, 3), [])
      return report
    },
    async listed(): Promise<OrdersAnswer> {
      const { stdout } = await order('list')
      return JSON.parse(stdout) as OrdersAnswer
    },
    /** Rates of the best asks and bids of RUNE/USDC, in USDC. */
    async best(): Promise<{ readonly ask: number; readonly bid: number }> {
      const { stdout } = await net.run('book', 'rune/usdc', '--json')
      const { asks, bids } = JSON.parse(stdout)
      return { ask: Number(asks.levels[0].rate), bid: Number(bids.levels[0].rate) }
    },
  }
}

export const rate = (value: number) => value.toPrecision(4)
