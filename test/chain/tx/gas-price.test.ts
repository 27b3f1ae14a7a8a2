import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { ownNetwork } from '../../../src/chain/networks/own.js'
import { InvalidChain } from '../../../src/chain/rpc/faults.js'
import { gasPriceOf } from '../../../src/chain/tx/gas-price.js'
import { decimal } from '../../../src/engine/math/decimal.js'
import { chainOf, threePairs } from '../../support/chain.js'
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

  test('of a node with fees in another denom is refused with that denom', async () => {
    await assert.rejects(
      gasPriceOf({ ...unset, feeDenom: 'uatom' }, sourceOf(2_500_000n)),
      (error) =>
        error instanceof InvalidChain && /fees in rune, not in uatom/.test(error.why ?? ''),
    )
  })
})
