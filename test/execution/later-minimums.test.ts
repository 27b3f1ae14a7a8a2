import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'vitest'
import { accountOf } from '../../src/demo-chain/modules/accounts.js'
import { payFromFaucet } from '../../src/demo-chain/process/faucet.js'
import { executeMessage, publicKeyOf, signedTx } from '../../src/demo-chain/tx/sign.js'
import { execute, resume } from '../../src/execution/execute.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import type { Chain } from '../../src/execution/ports.js'
import type { RequestedLeg, SwapTask, SwapTerms } from '../../src/execution/task.js'
import { openOnce } from '../../src/operations/context.js'
import { sroute } from '../../src/operations/split/split.js'
import { addressOf } from '../../src/wallet/address.js'
import { rune, type Stage, slippageFlag, stage, usdc } from './stage.js'

/** An amount that is best sold in two legs. */
const AMOUNT = 2n * 10n ** 13n

/** A swap of two transactions that a person confirms once, from a document that promises and demands next to nothing. */
async function swapOf(at: Stage, own: Partial<SwapTerms> = {}): Promise<SwapTask> {
  const terms = { mode: 'legs', unattended: false, ...slippageFlag(100), ...own } as const
  const { requested, ...task } = await at.order(terms, AMOUNT)
  assert.equal(requested.legs.length, 2)
  const legs = requested.legs.map((leg) => ({ ...leg, quoted: 1n, least: 1n }))
  return { ...task, requested: { ...requested, isExternal: true, quoteId: 'q_0000abcd', legs } }
}

/** In the next blocks another account sells along the best paths, without minimums. */
async function othersSell({ real, chain, block }: Stage): Promise<void> {
  const market = await chain.market()
  const { routes } = await sroute(
    openOnce(async () => market),
    {
      input: { denom: rune, amount: `${AMOUNT / 2n}` },
      output: { denom: usdc },
      limit: 1,
    },
  )
  const privateKey = randomBytes(32)
  const address = addressOf(publicKeyOf(privateKey), real.options.prefix)
  payFromFaucet(real, address, [{ denom: rune, amount: AMOUNT }])
  block()
  const own = accountOf(real.stateAt(real.height)!, address)!
  const messages = routes[0]!.legs.map(({ tx: { swap }, funds }) => {
    const text = JSON.stringify({ swap: { ...swap, min_return: { denom: usdc, amount: '1' } } })
    const coin = { denom: funds.denom, amount: BigInt(funds.amount) }
    return executeMessage(address, market.router.address, text, [coin])
  })
  const { chainId } = real.options
  const signer = { privateKey, chainId, accountNumber: own.number, sequence: own.sequence }
  assert.equal(real.broadcast(signedTx({ ...signer, gas: 50_000_000n, messages })).code, 0)
  block()
}

/** A session in which others sell once the first transaction is in a block. */
function sessionOf(at: Stage) {
  let hasFallen = false
  const market = async () => {
    if (at.executed().length === 1 && !hasFallen) {
      hasFallen = true
      await othersSell(at)
    }
    return at.chain.market()
  }
  return at.session({ chain: { ...at.chain, market } })
}

describe('the minimum of a leg that is signed after the confirmation', () => {
  test('is at least the one that the screen has shown, whatever the document promises', async () => {
    const at = await stage()
    const { error, report } = await execute(sessionOf(at), await swapOf(at), newIntentId)
    assert.equal(error?.code, 'PARTIALLY_EXECUTED')
    assert.equal(error?.members['cause'], 'ASSERTION_FAILED')
    assert.equal(at.executed().length, 1)
    assert.equal(report.legs[1]?.received, null)
    assert.equal(report.legs[1]?.min_return, `${at.views[0]!.later[0]!.least.amount}`)
  })

  test('is a new one where the rest is confirmed again, beside the output that was quoted first', async () => {
    const at = await stage()
    const { requested, ...rest } = await swapOf(at)
    const legs = requested.legs.map((leg) => ({ ...leg, quoted: undefined }))
    const task = { ...rest, requested: { ...requested, legs } }
    await execute(sessionOf(at), task, newIntentId)
    const { quoted } = at.intents()[0]!.legs[1]!
    const { error, report } = await resume(at.session(), at.intents()[0]!, async () => task)
    assert.equal(error, undefined)
    assert.equal(report.status, 'confirmed')
    assert.equal(at.views.length, 2)
    assert.ok('legs' in report)
    assert.equal(report.legs[1]?.quoted, quoted)
    assert.ok(BigInt(report.legs[1]!.received!) < BigInt(quoted!))
    assert.ok(at.views[1]!.calls[0]!.least.amount < at.views[0]!.later[0]!.least.amount)
  })

  test('applies to one leg at a time, each prepared when the one before it is executed', async () => {
    const at = await stage()
    const { requested, ...rest } = await at.order({ mode: 'legs', ...slippageFlag(100) })
    const [leg] = requested.legs as [RequestedLeg]
    const legs = [leg, leg, leg].map((each) => ({ ...each, quoted: undefined, least: 1n }))
    const balances: Chain['balances'] = async (...call) =>
      at.executed().length === 1 ? [leg.funds] : at.chain.balances(...call)
    const session = at.session({ chain: { ...at.chain, balances } })
    const task = { ...rest, requested: { ...requested, legs } }
    const { error, report } = await execute(session, task, newIntentId)
    assert.equal(error, undefined)
    assert.deepEqual([report.status, at.executed().length, at.views.length], ['confirmed', 3, 1])
  })
})
