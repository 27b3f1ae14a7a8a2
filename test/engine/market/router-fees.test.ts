import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { Router } from '../../../src/engine/market/market.js'
import { isRefusal } from '../../../src/engine/market/refusal.js'
import { isPayoutExact, payoutOf } from '../../../src/engine/market/router.js'
import { runs } from '../../support/books.js'

const routerOf = (feeBps: bigint): Router => {
  const none = { affiliates: new Map(), balances: new Map(), affiliateRounding: 'down' } as const
  return { address: 'router', dialect: 'stack', feeBps, ...none }
}
const affiliateOf = (affiliateFeeBps: bigint, referralFeeShareBps: bigint) => ({
  affiliateFeeBps,
  referralFeeShareBps,
})

type Row = readonly [
  gross: bigint,
  fee: bigint,
  affiliate: readonly [bigint, bigint] | undefined,
  shares: readonly [recipient: bigint, protocol: bigint, referral: bigint, affiliate: bigint],
]

const rows: readonly Row[] = [
  [17_000_000n, 10n, undefined, [16_983_000n, 17_000n, 0n, 0n]],
  [8_500_000n, 10n, undefined, [8_491_500n, 8500n, 0n, 0n]],
  [1001n, 10n, undefined, [999n, 2n, 0n, 0n]],
  [1000n, 10n, undefined, [999n, 1n, 0n, 0n]],
  [17_000_000n, 10n, [50n, 2500n], [16_898_000n, 17_000n, 4250n, 85_000n]],
  [1999n, 10n, [50n, 2500n], [1988n, 2n, 0n, 9n]],
  [1000n, 0n, [0n, 10_000n], [1000n, 0n, 0n, 0n]],
]

describe("the router's payout", () => {
  for (const [gross, fee, affiliate, shares] of rows)
    test(`of ${gross} at ${fee} bps${affiliate ? ` with ${affiliate} for an affiliate` : ''}`, () => {
      const parts = payoutOf(routerOf(fee), gross, affiliate && affiliateOf(...affiliate))
      assert.ok(!isRefusal(parts))
      assert.deepEqual([parts.recipient, parts.protocol, parts.referral, parts.affiliate], shares)
    })

  test('rounds the affiliate fee up for the published build and for an unknown one', () => {
    for (const affiliateRounding of ['up', undefined] as const) {
      const router: Router = { ...routerOf(10n), affiliateRounding }
      const parts = payoutOf(router, 1999n, affiliateOf(50n, 2500n))
      assert.ok(!isRefusal(parts))
      assert.deepEqual([parts.recipient, parts.affiliate, parts.referral], [1987n, 10n, 0n])
    }
  })

  test('is exact for an unknown build only where both ways of rounding agree', () => {
    const router: Router = { ...routerOf(10n), affiliateRounding: undefined }
    assert.equal(isPayoutExact(router, 1999n, affiliateOf(50n, 0n)), false)
    assert.equal(isPayoutExact(router, 2000n, affiliateOf(50n, 0n)), true)
    assert.equal(isPayoutExact(router, 1999n, undefined), true)
  })

  test('refuses an output of which the fees leave nothing', () => {
    for (const gross of [0n, 1n]) {
      const parts = payoutOf(routerOf(10n), gross, undefined)
      assert.ok(isRefusal(parts) && parts.refused === 'zero_output')
    }
  })

  test('refuses fees above the output', () => {
    const parts = payoutOf(routerOf(9000n), 1n, affiliateOf(10_000n, 0n))
    assert.ok(isRefusal(parts) && parts.refused === 'fees_exceed_output')
  })

  test('adds up to the output, with the referral as a part of the protocol fee', () => {
    const bps = fc.bigInt(0n, 5000n)
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), bps, bps, bps, (gross, fee, extra, share) => {
        const parts = payoutOf(routerOf(fee), gross, affiliateOf(extra, share))
        if (isRefusal(parts)) return
        assert.equal(parts.recipient + parts.protocol + parts.affiliate, gross)
        assert.ok(parts.referral <= parts.protocol && parts.recipient > 0n)
        assert.ok(
          parts.protocol * 10_000n >= gross * fee && parts.affiliate * 10_000n <= gross * extra,
        )
      }),
      runs(300),
    )
  })
})
