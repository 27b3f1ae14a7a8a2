import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'vitest'
import { accountOf } from '../../src/demo-chain/modules/accounts.js'
import { payFromFaucet } from '../../src/demo-chain/process/faucet.js'
import { executeMessage, publicKeyOf, signedTx } from '../../src/demo-chain/tx/sign.js'
import type { Market } from '../../src/engine/market/market.js'
import { isRefusal } from '../../src/engine/market/refusal.js'
import { executePath } from '../../src/engine/market/router.js'
import { graphOf } from '../../src/engine/routing/graph.js'
import { execute } from '../../src/execution/execute.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import { planOf } from '../../src/execution/plan/plan.js'
import type { SwapTask } from '../../src/execution/task.js'
import { addressOf } from '../../src/wallet/address.js'
import { type Hook, rune, type Stage, slippageFlag, stage, usualTerms } from './stage.js'

/** Terms that accept almost any price. */
const careless = { ...usualTerms, ...slippageFlag(9_000), maxImpactBps: 10_000 }

/** A book that takes RUNE: the one that takes least of it, and how much that is. */
function smallest(market: Market) {
  const books = [...market.books.values()].flatMap((book) => {
    const { base, quote, address } = book.state.pair
    const output = base === rune ? quote : quote === rune ? base : undefined
    return output === undefined ? [] : [{ address, output, most: mostOf(market, address, output) }]
  })
  return books
    .filter(({ most }) => most > 10n ** 10n)
    .sort((a, b) => (a.most < b.most ? -1 : 1))[0]!
}

/** The largest offer that a book takes whole. */
function mostOf(market: Market, pair: string, output: string): bigint {
  const isWhole = (amount: bigint) => {
    const minReturn = { denom: output, amount: 0n }
    const done = executePath(
      market,
      [pair],
      { denom: rune, amount },
      { minReturn, affiliate: undefined },
    )
    return !isRefusal(done) && done.hops[0]!.unsold === 0n
  }
  let low = 0n
  let high = 10n ** 16n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (isWhole(middle)) low = middle
    else high = middle
  }
  return low
}

/** An order over one book, of a share of what it takes, in percent. */
function orderOver(at: Stage, market: Market, percent: bigint): SwapTask {
  const { address, output, most } = smallest(market)
  const funds = { denom: rune, amount: (most * percent) / 100n }
  const leg = { funds, pairs: [address], output, quoted: undefined, least: 1n }
  const requested = {
    quoteId: null,
    isExternal: false,
    network: market.network,
    chainId: market.chainId,
    time: undefined,
    legs: [leg],
    slippageBps: undefined,
    affiliate: undefined,
    recipient: undefined,
  }
  return { requested, account: at.account, terms: careless }
}

/** Another account that takes a share of the same book first. */
async function rivalOf({ real, chain, account, block }: Stage, percent: bigint) {
  const market = await chain.market()
  const { address: pair, output, most } = smallest(market)
  const privateKey = randomBytes(32)
  const address = addressOf(publicKeyOf(privateKey), real.options.prefix)
  const amount = (most * percent) / 100n
  payFromFaucet(real, address, [{ denom: rune, amount }])
  payFromFaucet(real, account.address, [{ denom: rune, amount: most }])
  block()
  const stages = [{ address: pair, denom: output }]
  const text = JSON.stringify({ swap: { stages, min_return: { denom: output, amount: '1' } } })
  return () => {
    const own = accountOf(real.stateAt(real.height)!, address)!
    const bytes = signedTx({
      privateKey,
      chainId: real.options.chainId,
      accountNumber: own.number,
      sequence: own.sequence,
      gas: 50_000_000n,
      messages: [executeMessage(address, market.router.address, text, [{ denom: rune, amount }])],
    })
    assert.equal(real.broadcast(bytes).code, 0)
  }
}

/** Lets a rival go first, in the same block. */
async function withRival(takes: bigint): Promise<Stage> {
  let first: (() => void) | undefined
  const hook: Hook = (request, next) => {
    if (request.body.includes('broadcast_tx_sync')) {
      first?.()
      first = undefined
    }
    return next()
  }
  const at = await stage({ hook })
  first = await rivalOf(at, takes)
  return at
}

describe('a book that became thinner before the execution', () => {
  test('is detected right before signing, after the confirmation', async () => {
    const at = await stage()
    const rival = await rivalOf(at, 60n)
    const task = orderOver(at, await at.chain.market(), 60n)
    const confirm = async () => {
      rival()
      at.block()
    }
    await assert.rejects(execute(at.session({ confirm }), task, newIntentId), {
      code: 'INSUFFICIENT_LIQUIDITY',
    })
    assert.deepEqual(at.intents(), [])
    assert.deepEqual(at.executed(), [])
  })

  test('is detected as well where it still takes all, for less than was accepted', async () => {
    const at = await stage()
    const rival = await rivalOf(at, 60n)
    const thin = orderOver(at, await at.chain.market(), 30n)
    const task = { ...thin, terms: { ...careless, ...slippageFlag(10) } }
    const confirm = async () => {
      rival()
      at.block()
    }
    await assert.rejects(execute(at.session({ confirm }), task, newIntentId), {
      code: 'SLIPPAGE_EXCEEDED',
    })
    assert.deepEqual([at.intents(), at.executed()], [[], []])
  })

  test('makes the transaction fail where most of it was taken, whatever slippage was accepted', async () => {
    const at = await withRival(40n)
    const task = orderOver(at, await at.chain.market(), 90n)
    const { report, error } = await execute(at.session(), task, newIntentId)
    assert.equal(error?.code, 'SLIPPAGE_EXCEEDED')
    assert.equal(report.status, 'failed')
    assert.deepEqual(at.views[0]?.deep, [1])
  })

  test('that takes less within the accepted price leaves coins behind, which are reported', async () => {
    const at = await withRival(75n)
    const market = await at.chain.market()
    const task = orderOver(at, market, 60n)
    const { report, error } = await execute(at.session(), task, newIntentId)
    assert.equal(error, undefined)
    const [left] = report.left_behind
    assert.equal(left?.denom, rune)
    assert.ok(BigInt(left!.amount) > 0n)
    assert.deepEqual(report.router_grew, report.left_behind)
    assert.equal(report.verified?.router, true)
    assert.deepEqual(at.views[0]?.deep, [])
    const held = await at.chain.balances(market.router.address, at.real.height)
    assert.deepEqual(held, [{ denom: rune, amount: BigInt(left!.amount) }])
  })
})

describe('legs that share a book', () => {
  test('have tighter minimums where together they take most of it', async () => {
    const at = await stage()
    const market = await at.chain.market()
    const venue = { market, graph: graphOf(market) }
    const half = orderOver(at, market, 45n)
    const [leg] = half.requested.legs
    const alone = await planOf(venue, half)
    assert.deepEqual(
      alone.legs.map(({ isDeep }) => isDeep),
      [false],
    )
    const both = await planOf(venue, {
      ...half,
      requested: { ...half.requested, legs: [leg!, leg!] },
    })
    assert.deepEqual(
      both.legs.map(({ isDeep }) => isDeep),
      [true, true],
    )
    for (const { least, expected } of both.legs) assert.equal(least, (expected * 999n) / 1000n)
  })
})
