import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import type { Coin } from '../../../src/engine/market/token.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import type { Owner, TxState } from '../../../src/execution/journal/intent.js'
import type { Signing } from '../../../src/execution/journal/intent-schema.js'
import { type BuiltTx, requireConfirmedFee } from '../../../src/execution/plan/build.js'
import {
  claimSigning,
  dollars,
  microUsdOf,
  requireWithinLimits,
  type SigningRecords,
  spentLastDay,
} from '../../../src/execution/plan/limits.js'
import { countedMicroUsd, soldMicroUsd } from '../../../src/execution/plan/sold-worth.js'
import { spentUnattended } from '../../../src/execution/ports.js'
import { thinRune } from '../../support/chain.js'
import { market } from '../../support/demo-market.js'
import { marketOf } from '../../support/small-market.js'

describe('a limit of unattended signing', () => {
  const rows = [
    [{ perTx: 100n, perDay: undefined }, 100n, 0n, undefined],
    [{ perTx: 100n, perDay: undefined }, 101n, 0n, 'per_tx_usd'],
    [{ perTx: undefined, perDay: 100n }, 40n, 60n, undefined],
    [{ perTx: undefined, perDay: 100n }, 41n, 60n, 'per_day_usd'],
    [{ perTx: undefined, perDay: 100n }, 0n, 101n, undefined],
    [{ perTx: 100n, perDay: undefined }, undefined, 0n, 'unpriced'],
    [{ perTx: undefined, perDay: undefined }, undefined, 0n, undefined],
  ] as const
  for (const [limits, worth, spent, rule] of rows)
    test(`${limits.perTx} and ${limits.perDay} a day, ${worth} after ${spent}: ${rule ?? 'within'}`, () => {
      const check = () => requireWithinLimits(limits, worth, () => spent)
      if (rule === undefined) check()
      else assert.throws(check, { code: 'LIMIT_EXCEEDED', members: { rule } })
    })

  test('counts a signature for a day to the millisecond', () => {
    const time = (ms: number) => new Date(Date.UTC(2026, 10, 20) + ms).toISOString()
    const signing = { hash: 'AB'.repeat(32), id: 'x_00000001', micro_usd: '7' }
    const at = (chain: number, local: number) => ({
      chain_time: time(chain),
      local_time: time(local),
    })
    const spent = (chain: number, local: number) =>
      spentUnattended([{ ...signing, ...at(0, 0) }], at(chain, local), () => false)
    const day = 86_400_000
    assert.deepEqual([spent(day - 1, day), spent(day, day - 1), spent(day, day)], [7n, 7n, 0n])
    // Its entry of the journal is read only if it counts.
    const confirmed = { ...signing, micro_usd: null, ...at(0, 0) }
    assert.equal(
      spentUnattended([confirmed], at(0, 0), () => assert.fail()),
      0n,
    )
  })

  const hash = 'AB'.repeat(32)
  const times = { chain_time: '2026-11-20T00:00:00Z', local_time: '2026-11-20T00:00:00Z' }
  const signed = { hash, id: 'x_00000001', micro_usd: '60', ...times }
  const owner = { chainId: 'demo-1', address: 'demo1' }
  const other = { hash: 'CD'.repeat(32), state: 'included' }
  /** Records of an intent with a later transaction, and of printed bytes where `before` has no id. */
  const recordsOf = (state: TxState, before: readonly Signing[] = [signed]) =>
    ({
      ledger: {
        read: () => before,
        claim: async (_: Owner, __: Signing, check: (before: readonly Signing[]) => void) =>
          check(before),
      },
      journal: {
        find: (id: string) =>
          id === signed.id || id === hash ? { txs: [{ hash, state }, other] } : undefined,
      },
    }) as unknown as SigningRecords

  test.each([
    ['sent', 60n],
    ['included', 60n],
    ['refused', 60n],
    ['expired', 0n],
    ['replaced', 0n],
    ['abandoned', 0n],
  ] as const)('counts a transaction that is %s with %d of 60', (state, spent) => {
    assert.equal(spentLastDay(recordsOf(state), owner, times), spent)
  })

  const printed = { ...signed, id: '' }
  test.each([
    ['expired', [printed], 0n],
    ['replaced', [printed], 0n],
    ['abandoned', [printed], 60n],
    ['abandoned', [signed, printed], 60n],
    ['sent', [signed, printed], 60n],
    ['sent', [signed, { ...printed, hash: other.hash }], 120n],
  ] as const)('counts printed bytes, as if anyone sent them: %s, %j', (state, before, spent) => {
    assert.equal(spentLastDay(recordsOf(state, before), owner, times), spent)
  })

  const claims = [
    ['sent', signed, hash, signed.id, undefined],
    ['sent', signed, other.hash, signed.id, 'LIMIT_EXCEEDED'],
    ['abandoned', signed, hash, 'x_00000002', 'LIMIT_EXCEEDED'],
    ['sent', printed, hash, 'x_00000002', undefined],
    ['sent', { ...signed, id: 'x_00000003' }, hash, 'x_00000002', 'BUSY'],
    ['sent', { ...signed, id: 'x_00000003' }, hash, 'x_00000003', undefined],
    ['sent', { ...signed, id: 'x_00000003' }, hash, '', undefined],
  ] as const
  for (const [state, before, of, id, code] of claims)
    test(`lets ${id || 'printed bytes'} claim the ${of === hash ? 'same' : 'other'} bytes after ${before.id || 'printed ones'}, ${state}: ${code ?? 'yes'}`, async () => {
      // What was signed before counts with 60 unless it is abandoned.
      const limits = { perTx: undefined, perDay: state === 'abandoned' ? 59n : 100n }
      const claim = async () =>
        claimSigning(
          { ...recordsOf(state, [before]), interrupt: new AbortController().signal },
          owner,
          { ...signed, hash: of, id },
          { worth: 60n, limits },
        )
      if (code === undefined) await claim()
      else
        await assert.rejects(claim, {
          code,
          ...(code === 'BUSY' && { members: { id: before.id, tx_hash: of } }),
        })
    })

  test('records what counts: nothing of what a person confirms, zero without a price', async () => {
    const free = { perTx: undefined, perDay: undefined }
    const recorded = async (terms: Parameters<typeof claimSigning>[3]) => {
      const records = recordsOf('sent')
      let found: Signing | undefined
      const ledger = {
        ...records.ledger,
        claim: async (_: Owner, claimed: Signing) => void (found = claimed),
      }
      const interrupt = new AbortController().signal
      await claimSigning({ ...records, ledger, interrupt }, owner, signed, terms)
      return found?.micro_usd
    }
    assert.equal(await recorded({ worth: 60n, limits: free }), '60')
    assert.equal(await recorded({ worth: undefined, limits: free }), '0')
    assert.equal(await recorded({ worth: 60n }), null)
  })

  test('is not checked where an open entry of the journal cannot be read', () => {
    const unread = new SwapError('OUTCOME_UNKNOWN', 'an entry of the journal cannot be read')
    const find = () => {
      throw unread
    }
    const records = { ...recordsOf('sent'), journal: { find } } as unknown as SigningRecords
    assert.throws(() => spentLastDay(records, owner, times), unread)
  })

  test('counts a fee with what is sold, if it has a price', async () => {
    const counted = (sold: bigint | undefined, denom: string) =>
      countedMicroUsd(market, sold, [{ denom, amount: 10n ** 8n }])
    const fee = (await soldMicroUsd(market, [{ denom: 'rune', amount: 10n ** 8n }]))!
    assert.ok(fee > 0n)
    assert.deepEqual([await counted(7n, 'rune'), await counted(7n, 'no-price')], [7n + fee, 7n])
    assert.equal(await counted(undefined, 'rune'), undefined)
  })

  test('rounds what is sold up', () => {
    assert.deepEqual([0n, 1n, 10_000n, 10_001n].map(dollars), ['$0.00', '$0.01', '$0.01', '$0.02'])
    const worth = (amount: bigint) => microUsdOf(market, [{ denom: 'rune', amount }])!
    // Of a price that is no whole number of millionths for an atomic.
    assert.equal(worth(1n), worth(10n ** 8n) / 10n ** 8n + 1n)
  })
})

describe('the fee of a transaction after the first', () => {
  const coins = (amount: bigint, denom = 'no-price') => [{ denom, amount }]
  // Some 5 dollars, up to which a fee is paid without a confirmation, are a fraction of a btc-btc.
  const rows = [
    [coins(7n), coins(7n), undefined],
    [coins(8n), coins(7n), 'CONFIRMATION_REQUIRED'],
    [coins(7n), coins(7n, 'another'), 'CONFIRMATION_REQUIRED'],
    [[...coins(7n), ...coins(1n, 'another')], coins(7n), 'CONFIRMATION_REQUIRED'],
    [coins(8n, 'btc-btc'), coins(7n, 'btc-btc'), undefined],
    [coins(10n ** 8n, 'btc-btc'), coins(10n ** 8n, 'btc-btc'), undefined],
    [coins(10n ** 8n + 1n, 'btc-btc'), coins(10n ** 8n, 'btc-btc'), 'CONFIRMATION_REQUIRED'],
  ] as const
  const text = (fee: readonly Coin[]) =>
    fee.map(({ denom, amount }) => `${amount} ${denom}`).join(' and ')
  for (const [fee, confirmed, code] of rows)
    test(`of ${text(fee)}, where ${text(confirmed)} was confirmed: ${code ?? 'signed'}`, async () => {
      const built = { decoded: { fee } } as unknown as BuiltTx
      const check = requireConfirmedFee({ built, market }, confirmed)
      await (code === undefined ? check : assert.rejects(check, { code }))
    })

  test('is worth what its sale pays where a few small orders make its mid price', async () => {
    const thin = decodeSnapshot(thinRune, 'a market')
    const fee = [{ denom: 'rune', amount: 10n ** 10n }]
    assert.ok(microUsdOf(thin, fee)! < 1_000_000n)
    const built = { decoded: { fee } } as unknown as BuiltTx
    await assert.rejects(requireConfirmedFee({ built, market: thin }, []), {
      code: 'CONFIRMATION_REQUIRED',
    })
    assert.ok((await countedMicroUsd(thin, 0n, fee))! > 10_000_000n)
  })
})

describe('the worth of what is sold', () => {
  const soldOn = (market: ReturnType<typeof marketOf>, ...coins: readonly Coin[]) =>
    soldMicroUsd(market, coins)

  test('is that of a part in proportion where the books do not take all of it', async () => {
    const worth = await soldOn(decodeSnapshot(thinRune, 'a market'), {
      denom: 'rune',
      amount: 10n ** 17n,
    })
    assert.ok(worth !== undefined && worth > 10n ** 13n, `${worth}`)
  })

  test('is 0 for nothing, also in a market without a dollar', async () => {
    assert.equal(await soldOn(marketOf([], ['a'])), 0n)
    assert.equal(await soldOn(marketOf([], ['a']), { denom: 'a', amount: 1n }), undefined)
  })
})
