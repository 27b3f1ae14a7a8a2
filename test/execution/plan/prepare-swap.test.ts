import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { execute } from '../../../src/execution/execute.js'
import { newIntentId } from '../../../src/execution/journal/journal.js'
import { prepareSwap } from '../../../src/execution/plan/prepare-swap.js'
import type { RequestedSwap, SwapTask } from '../../../src/execution/task.js'
import { thinRune } from '../../support/chain.js'
import { rune, type Stage, slippageFlag, stage } from '../stage.js'

const prepare = (at: Stage, task: SwapTask) => prepareSwap(at.session(), task)

describe('a prepared swap', () => {
  test('is held to what its quote says beside the legs', async () => {
    const at = await stage()
    const { requested, ...task } = await at.order()
    const rows: readonly (readonly [Partial<RequestedSwap>, string])[] = [
      [{ time: '2020-01-01T00:00:00Z' }, 'QUOTE_EXPIRED'],
      [{ recipient: 'demo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx' }, 'QUOTE_MISMATCH'],
      [{ affiliate: 'acme' }, 'INVALID_AFFILIATE'],
    ]
    for (const [own, code] of rows)
      await assert.rejects(prepare(at, { ...task, requested: { ...requested, ...own } }), { code })
    const { records } = await prepare(at, { ...task, requested })
    assert.deepEqual([records.recipient, records.affiliate], [at.account.address, null])
  })

  test('with an affiliate records it, and is checked again with its fee', async () => {
    const at = await stage()
    const { requested, ...rest } = await at.order(
      { ...slippageFlag(0), affiliate: 'acme' },
      10n ** 10n,
    )
    const task = {
      ...rest,
      requested: {
        ...requested,
        legs: requested.legs.map((leg) => ({ ...leg, quoted: undefined, least: 1n })),
      },
    }
    const prepared = await prepare(at, task)
    assert.equal(prepared.records.affiliate, 'acme')
    await prepared.recheck(await at.chain.market())
    const sale = await at.order(slippageFlag(500), 3n * 10n ** 11n)
    assert.equal((await execute(at.session(), sale, newIntentId)).error, undefined)
    // The sale lowers the output by less than the fee does.
    await assert.rejects(prepared.recheck(await at.chain.market()), { code: 'SLIPPAGE_EXCEEDED' })
  })

  test('of loops needs the largest input once', async () => {
    const at = await stage()
    const { requested, ...task } = await at.order({
      ...slippageFlag(9_999),
      unattended: false,
      maxImpactBps: 10_000,
    })
    const [leg] = requested.legs
    const loop = {
      ...leg!,
      pairs: [...leg!.pairs, ...[...leg!.pairs].reverse()],
      output: rune,
      quoted: undefined,
      least: 1n,
    }
    const held = [{ denom: rune, amount: (loop.funds.amount * 3n) / 2n }]
    const session = at.session({ chain: { ...at.chain, balances: async () => held } })
    const { view } = await prepareSwap(session, {
      ...task,
      requested: { ...requested, legs: [loop, loop] },
    })
    assert.equal(view.calls.length, 2)
  })

  test('above a limit is refused before it is simulated, unless a person confirms it', async () => {
    const at = await stage()
    assert.equal(
      (await at.run({ limits: { perTx: undefined, perDay: 10n ** 12n } })).error,
      undefined,
    )
    const trial = async () => assert.fail('it was simulated')
    const session = at.session({ chain: { ...at.chain, trial } })
    const worth = (await prepare(at, await at.order())).worthMicroUsd!
    for (const limits of [
      { perTx: worth - 1n, perDay: undefined },
      { perTx: undefined, perDay: (worth * 3n) / 2n },
    ]) {
      await assert.rejects(prepareSwap(session, await at.order({ limits })), {
        code: 'LIMIT_EXCEEDED',
      })
      await prepare(at, await at.order({ limits, unattended: false }))
    }
    await prepare(
      at,
      await at.order({ limits: { perTx: worth + worth / 100n, perDay: worth * 3n } }),
    )
  })
  test('whose token has a price made by a few small orders is worth what its sale pays', async () => {
    const at = await stage({ market: thinRune })
    // A sale of 100 RUNE pays some $50.
    const limits = { perTx: 10_000_000n, perDay: undefined }
    await assert.rejects(prepare(at, await at.order({ limits })), { code: 'LIMIT_EXCEEDED' })
  })
})
