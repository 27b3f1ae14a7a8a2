import assert from 'node:assert/strict'
import { ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { describe, test } from 'vitest'
import { marketReader } from '../../../src/chain/market/read-market.js'
import { demo } from '../../../src/chain/networks/demo.js'
import type { Network } from '../../../src/chain/networks/network.js'
import { ownNetwork } from '../../../src/chain/networks/own.js'
import { InvalidChain } from '../../../src/chain/rpc/faults.js'
import { gasPriceOf } from '../../../src/chain/tx/gas-price.js'
import { decimal, parseDecimal } from '../../../src/engine/math/decimal.js'
import { chainOf, grow, majorPairs, threePairs } from '../../support/chain.js'
import { directSource } from '../market/direct.js'

const sourceOf = (gasPrice: bigint) =>
  directSource(chainOf({ life: false, gasPrice }, threePairs), {})
const unset = { ...demo, gasPrice: undefined }

describe('the gas price of a network', () => {
  test('is the minimum of its node where none is configured', async () => {
    const { gasPrice } = ownNetwork('mine', { chain_id: 'x-1', prefix: 'x', rpc: 'http://a' })
    assert.equal(gasPrice, undefined)
    assert.equal(await gasPriceOf(unset, sourceOf(2_500_000n)), decimal(25n * 10n ** 15n))
    assert.equal(await gasPriceOf(unset, sourceOf(0n)), decimal(0n))
  })

  test('is the configured one, whatever the minimum of the node', async () => {
    const configured = { ...demo, gasPrice: decimal(7n) }
    assert.equal(await gasPriceOf(configured, sourceOf(2_500_000n)), decimal(7n))
  })

  for (const price of ['cheap', '-1rune', '340282366920938463463374607431768211456rune'])
    test(`is not 0 where the node says ${price}`, async () => {
      const honest = sourceOf(0n)
      const value = ConfigResponse.encode(
        ConfigResponse.fromPartial({ minimumGasPrice: price }),
      ).finish()
      const source = { ...honest, queries: async () => [{ ok: true as const, value }] }
      await assert.rejects(
        gasPriceOf(unset, source),
        (error) => error instanceof InvalidChain && /minimum_gas_price/.test(error.why ?? ''),
      )
    })

  test('of a node with fees in another denom is refused with that denom', async () => {
    await assert.rejects(
      gasPriceOf({ ...unset, feeDenom: 'uatom' }, sourceOf(2_500_000n)),
      (error) =>
        error instanceof InvalidChain && /fees in rune, not in uatom/.test(error.why ?? ''),
    )
  })

  test('is in the market that is read; the minimum of the node is read once in 100 heights', async () => {
    const chain = chainOf({ life: false, gasPrice: 2_500_000n }, majorPairs)
    const priceOn = async (network: Network) => {
      const source = directSource(chain)
      const reader = marketReader(network, source)
      await reader.read()
      grow(chain, 1)
      const { gas } = await reader.read()
      return { price: gas.price, queries: source.count.get('Config') ?? 0 }
    }
    const unset = { ...demo, gasPrice: undefined }
    const price = { denom: 'rune', amount: parseDecimal('0.025')! }
    assert.deepEqual(await priceOn(unset), { price, queries: 1 })
    const configured = { ...price, amount: parseDecimal('0.1')! }
    assert.deepEqual(await priceOn({ ...demo, gasPrice: configured.amount }), {
      price: configured,
      queries: 0,
    })
    assert.deepEqual(await priceOn(demo), { price: undefined, queries: 0 })
    assert.deepEqual(await priceOn({ ...unset, feeDenom: 'uatom' }), {
      price: undefined,
      queries: 1,
    })
  })
})
