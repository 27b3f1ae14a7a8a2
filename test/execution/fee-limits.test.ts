import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { parseDecimal } from '../../src/engine/math/decimal.js'
import { execute } from '../../src/execution/execute.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import { ledgerIn } from '../../src/execution/journal/ledger-file.js'
import { buyTask, orderTask, pairOf } from './orders-stage.js'
import { rune, slippageFlag, stage, usdc, usualTerms } from './stage.js'

/** In 10^-8 atomics of RUNE for a unit of gas: a swap costs some dollars. */
const GAS_PRICE = 2n * 10n ** 10n
/** A hundredth of a RUNE. */
const SMALL = 10n ** 6n

describe('the daily limit of swaps that no person confirms', () => {
  test('counts their fees, so that many small ones cannot spend more', async () => {
    const at = await stage({ gasPrice: GAS_PRICE })
    const swap = async (perDay: bigint) => {
      const limits = { perTx: undefined, perDay }
      const task = await at.order({ limits, ...slippageFlag(500) }, SMALL)
      return execute(at.session(), task, newIntentId)
    }
    assert.equal((await swap(10n ** 9n)).error, undefined)
    const owner = { chainId: at.chain.chainId, address: at.account.address }
    const [signing] = ledgerIn(`${at.folder}/limits`).read(owner)
    const one = BigInt(signing!.micro_usd!)
    assert.ok(one > 500_000n && one < 5_000_000n, `${one}`)
    assert.equal((await swap((one * 5n) / 2n)).error, undefined)
    await assert.rejects(swap((one * 5n) / 2n), { code: 'LIMIT_EXCEEDED' })
    assert.equal(at.executed().length, 2)
  })
})

describe('the daily limit of orders that no person confirms', () => {
  test('counts the fee of an order that is made smaller, and none of one that is cancelled', async () => {
    const at = await stage({ gasPrice: GAS_PRICE })
    const limits = { perTx: undefined, perDay: 100_000n }
    const placed = await buyTask(at, '0.1', 10n ** 8n, { ...usualTerms, unattended: false })
    assert.equal((await execute(at.session(), placed, newIntentId)).error, undefined)
    const pair = await pairOf(at, rune, usdc)
    const changedTo = (target: bigint) => {
      const place = { side: 'bid', price: { fixed: parseDecimal('0.1')! } } as const
      const draft = { pair, places: [place], entries: () => [{ ...place, target }] }
      const task = orderTask(at, [draft], { ...usualTerms, limits })
      return execute(at.session(), task, newIntentId)
    }
    await assert.rejects(changedTo(10n ** 8n - 1n), { code: 'LIMIT_EXCEEDED' })
    assert.equal((await changedTo(0n)).error, undefined)
  })
})
