import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { execute } from '../../src/execution/execute.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import { reportOf } from '../../src/execution/lifecycle/result.js'
import { longTest } from '../support/long.js'
import { type Hook, rune, slippageFlag, stage, usdc } from './stage.js'

describe('a swap that is executed on the demo chain', () => {
  test('pays the quoted amount to the atomic, with a report of it', async () => {
    const { run, executed, steps, intents } = await stage()
    const { report, error } = await run()
    assert.equal(error, undefined)
    assert.equal(report.status, 'confirmed')
    assert.equal(report.vs_quote, '0')
    assert.equal(report.vs_quote_bps, 0)
    assert.equal(report.amount_out?.denom, usdc)
    assert.deepEqual(report.left_behind, [])
    assert.deepEqual(report.verified, { events: true, balances: true, router: true })
    assert.deepEqual(report.router_grew, [])
    assert.deepEqual(executed(), [
      { hash: report.txs[0]!.hash, code: 0, height: report.txs[0]!.height },
    ])
    assert.deepEqual(
      steps.map(({ stage: name }) => name).filter((name) => name !== 'waiting'),
      [
        'quoted',
        'simulated',
        'built',
        'confirmed_by_user',
        'unlocked',
        'signed',
        'accepted',
        'included',
        'verified',
      ],
    )
    const [intent] = intents()
    assert.equal(intent?.txs[0]?.state, 'included')
    assert.deepEqual(reportOf(intent!), report)
    const [input = 0, output = 0] = intent?.decimals ?? []
    const units = (amount: string | undefined, places: number) => Number(amount) / 10 ** places
    const paid = units(report.amount_out?.amount, output) / units(report.spent[0]?.amount, input)
    assert.ok(Math.abs(Number(report.price) / paid - 1) < 1e-12)
  })

  test('is in the journal, byte for byte, before its broadcast, and is broadcast again unchanged', async () => {
    const sent: string[] = []
    const hook: Hook = (request, next) => {
      const body = request.body.toString()
      if (!body.includes('"broadcast_tx_sync"')) return next()
      sent.push((JSON.parse(body) as { params: { tx: string } }).params.tx)
      const [tx] = at.intents()[0]!.txs
      assert.equal(tx?.bytes, sent.at(-1))
      assert.ok(tx?.state === 'sent' || tx?.state === 'accepted')
      return next()
    }
    const at = await stage({ hook })
    at.fail({ kind: 'timeout', once: true })
    await at.run({ deadlineBlocks: 12 })
    // It was never included: the same bytes came again and again.
    assert.ok(sent.length > 1)
    assert.equal(new Set(sent).size, 1)
  })

  test('is one transaction with a message for each leg, each with its own funds and minimum', async () => {
    const { order, session, views } = await stage()
    const large = await order(slippageFlag(100), 2n * 10n ** 13n)
    assert.ok(large.requested.legs.length > 1)
    const { report, error } = await execute(session(), large, () => 'x_00000001')
    assert.equal(error, undefined)
    assert.equal(report.txs.length, 1)
    const [view] = views
    assert.equal(view?.calls.length, large.requested.legs.length)
    for (const [i, { funds, least }] of view!.calls.entries()) {
      assert.deepEqual(funds, large.requested.legs[i]!.funds)
      assert.ok(least.amount > 0n && BigInt(report.legs[i]!.received!) >= least.amount)
    }
  })

  test('is one transaction for each leg with mode legs', async () => {
    const { order, session, executed } = await stage()
    // The quote may be of no other block than the first leg is prepared on.
    const large = await order({ mode: 'legs', maxAgeMs: 0, ...slippageFlag(100) }, 2n * 10n ** 13n)
    const { report, error } = await execute(session(), large, () => 'x_00000001')
    assert.equal(error, undefined)
    assert.equal(report.status, 'confirmed')
    assert.equal(executed().length, large.requested.legs.length)
    assert.ok(report.legs.every(({ received }) => received !== null))
  })

  test('of several transactions waits for all but the last one, whatever it is to wait for', async () => {
    const at = await stage()
    const terms = { mode: 'legs', wait: 'accepted', ...slippageFlag(900) } as const
    const { report, error } = await execute(
      at.session(),
      await at.order(terms, 2n * 10n ** 13n),
      newIntentId,
    )
    assert.deepEqual([error, report.status], [undefined, 'accepted'])
    assert.deepEqual(
      report.txs.map(({ state }) => state),
      ['included', 'accepted'],
    )
  })

  test('of several transactions is held by a limit as a whole before the first, and counted once', async () => {
    const sold = async (perDay?: bigint) => {
      const { order, session, executed, intents } = await stage()
      const limits = { perTx: undefined, perDay }
      const terms = { mode: 'legs', maxAgeMs: 0, limits, ...slippageFlag(100) } as const
      const task = await order(terms, 2n * 10n ** 13n)
      const { error } = await execute(session(), task, newIntentId)
      assert.deepEqual([error, executed().length], [undefined, task.requested.legs.length])
      return BigInt(intents()[0]!.worth_micro_usd!)
    }
    const worth = await sold()
    await sold(worth)
    await assert.rejects(sold(worth - 1n), { code: 'LIMIT_EXCEEDED' })
  })
})

describe('before anything is signed', () => {
  test('a swap that pays less than was quoted is refused', async () => {
    const { order, session, intents } = await stage()
    const requested = await order()
    const dearer = {
      ...requested,
      requested: {
        ...requested.requested,
        legs: requested.requested.legs.map((leg) => ({ ...leg, least: leg.least * 2n })),
      },
    }
    await assert.rejects(
      execute(session(), dearer, () => 'x_00000001'),
      { code: 'SLIPPAGE_EXCEEDED' },
    )
    assert.deepEqual(intents(), [])
  })

  longTest('a quote that is too old is refused by the time of the chain', async () => {
    const { order, session, block } = await stage()
    const old = await order()
    for (let left = 20; left > 0; left -= 1) block()
    await assert.rejects(
      execute(session(), old, () => 'x_00000001'),
      { code: 'QUOTE_EXPIRED' },
    )
  })

  const amount = 2n * 10n ** 13n
  for (const [held, fee, status] of [
    [amount - 1n, 0n, 'refused'],
    [amount, 0n, 'confirmed'],
    [amount + 13n, 7n, 'refused'],
    [amount + 14n, 7n, 'confirmed'],
  ] as const)
    test(`two legs with a fee of ${fee} each are ${status} with ${held} for both of them`, async () => {
      const { order, session, chain, executed } = await stage()
      const fees = [{ denom: rune, amount: fee }]
      const task = await order({ mode: 'legs', fees, ...slippageFlag(100) }, amount)
      assert.equal(task.requested.legs.length, 2)
      const spent = () =>
        executed().length === 0 ? 0n : task.requested.legs[0]!.funds.amount + fee
      const balances = async () => [{ denom: rune, amount: held - spent() }]
      const poor = session({ chain: { ...chain, balances } })
      const ended = await execute(poor, task, () => 'x_00000001').then(
        ({ error }) => error?.code ?? 'confirmed',
        ({ code }: { readonly code: string }) => code,
      )
      assert.equal(ended, status === 'refused' ? 'INSUFFICIENT_FUNDS' : 'confirmed')
      assert.equal(executed().length, status === 'refused' ? 0 : 2)
    })

  test('an amount that the account does not hold is refused', async () => {
    const { order, session, account, chain } = await stage()
    const poor = { ...account, address: account.address }
    const empty = { ...chain, balances: async () => [] }
    await assert.rejects(
      execute(session({ chain: empty }), { ...(await order()), account: poor }, () => 'x_00000001'),
      { code: 'INSUFFICIENT_FUNDS' },
    )
  })

  test('spending limits hold, over everything of the last day', async () => {
    const { run } = await stage()
    const limits = { perTx: 60_000_000n, perDay: 100_000_000n }
    const first = await run({ limits })
    assert.equal(first.error, undefined)
    await assert.rejects(run({ limits }), { code: 'LIMIT_EXCEEDED' })
    await assert.rejects(run({ limits: { perTx: 1_000_000n, perDay: undefined } }), {
      code: 'LIMIT_EXCEEDED',
    })
  })

  longTest('two nodes with different simulations of the swap stop it', async () => {
    const { run, fail, intents } = await stage({ nodes: 2 })
    const honest = await run()
    assert.equal(honest.error, undefined)
    fail({ kind: 'lying-book' })
    await assert.rejects(run(), { code: 'UPSTREAM_INVALID_DATA' })
    assert.equal(intents().length, 1)
  })

  test('a node that lies about books and simulates honestly stops it', async () => {
    const lie = { kind: 'lying-book', n: 2 } as const
    const stages = Buffer.from('"stages"').toString('hex')
    let isLying = false
    const at = await stage({
      nodes: 2,
      hook: async ({ body }, next) => {
        if (!isLying || !body.includes(stages)) return next()
        at.heal()
        const reply = await next()
        at.fail(lie)
        return reply
      },
    })
    const honest = await at.run()
    assert.equal(honest.error, undefined)
    at.fail(lie)
    isLying = true
    await assert.rejects(at.run(), {
      code: 'UPSTREAM_INVALID_DATA',
      why: /through all of them, and the books that one of them gave pay/,
    })
    assert.equal(at.intents().length, 1)
  })

  test('the same key a second time gives the first result', async () => {
    const { run, executed } = await stage()
    const first = await run({ once: 'monday' })
    const second = await run({ once: 'monday' })
    assert.equal(first.report.replayed, false)
    assert.deepEqual(second.report, { ...first.report, replayed: true })
    await run({ once: 'tuesday' })
    assert.equal(executed().length, 2)
  })

  test('a second process with the same account is refused with BUSY', async () => {
    const { run, session, account, chain } = await stage()
    const lock = await session().lock({ chainId: chain.chainId, address: account.address })
    await assert.rejects(run(), { code: 'BUSY' })
    lock.release()
    assert.equal((await run()).error, undefined)
  })
})
