import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { decimal } from '../../src/engine/math/decimal.js'
import type { Chain } from '../../src/execution/ports.js'
import { stage } from './stage.js'

describe("a swap under the network's gas limit", () => {
  test('that needs more is refused before it is signed, with a hint', async () => {
    const at = await stage({ gasLimit: 600_000n })
    await assert.rejects(at.run(), (error: Error & { code?: string; why?: string }) => {
      assert.equal(error.code, 'TX_FAILED')
      assert.match(error.message, /more gas than the network allows/)
      assert.match(error.why ?? '', /may ask for 600000/)
      return true
    })
    assert.deepEqual([at.intents(), at.executed()], [[], []])
  })

  test('that is close to it asks for the limit itself, and is executed', async () => {
    const free = await stage()
    const { report } = await free.run()
    const used = BigInt(report.txs[0]?.gas_used ?? 0)
    const gasLimit = (used * 115n) / 100n
    const at = await stage({ gasLimit })
    const limited = await at.run()
    assert.equal(limited.report.status, 'confirmed')
    assert.equal(limited.report.txs[0]?.gas_limit, `${gasLimit}`)
  })
})

describe('a fee at the gas price of a node', () => {
  /** In 10^-8 atomics of RUNE for a unit of gas: cents for a swap, and hundreds of dollars. */
  const [usual, absurd] = [2_500_000n, 10n ** 13n]

  test('is paid without a person where it is small', async () => {
    const { report } = await (await stage({ gasPrice: usual })).run()
    assert.equal(report.status, 'confirmed')
  })

  test('is refused without a person beyond five dollars, before it is signed', async () => {
    const at = await stage({ gasPrice: absurd })
    await assert.rejects(at.run(), (error: Error & { code?: string; why?: string }) => {
      assert.equal(error.code, 'CONFIRMATION_REQUIRED')
      assert.match(error.why ?? '', /RUNE, worth \$[\d.]+; up to \$5\.00 is paid without/)
      return true
    })
    assert.deepEqual([at.intents(), at.executed()], [[], []])
  })

  test('follows a simulation, but at ten times the estimated gas not beyond five dollars, at a configured price too', async () => {
    const at = await stage({ gasPrice: 1n })
    const running = (gasUsed: bigint) => {
      const chain: Chain = {
        ...at.chain,
        isGasPriceOfNode: false,
        gasPrice: async () => decimal(10n ** 19n),
        trial: async () => ({ kind: 'passed', gasUsed, payments: [] }),
      }
      return at.run({}, { chain })
    }
    await assert.rejects(running(190_000_000n), {
      code: 'CONFIRMATION_REQUIRED',
      why: /; the node reports 190000000 gas, the estimate is \d+$/,
    })
    assert.deepEqual([at.intents(), at.executed()], [[], []])
    const { report } = await running(5_000_000n)
    assert.equal(report.status, 'confirmed')
  })

  test('of any size can be confirmed by a person', async () => {
    const { report } = await (await stage({ gasPrice: absurd })).run({ unattended: false })
    assert.equal(report.status, 'confirmed')
  })
})
