import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { sortedMessage } from '../../../src/chain/tx/amino.js'
import type { Draft } from '../../../src/chain/tx/unsigned-tx.js'
import { decimal } from '../../../src/engine/math/decimal.js'
import { expectedSwaps } from '../../../src/execution/plan/compare.js'
import { requireEquivalent, requireUsual } from '../../../src/execution/plan/external-tx.js'
import { planOf } from '../../../src/execution/plan/plan.js'
import type { PreparedSwap } from '../../../src/execution/plan/prepare-swap.js'
import type { Chain } from '../../../src/execution/ports.js'
import { graph, market } from '../../support/demo-market.js'
import { accountNamed, orderOf, rune, usualTerms } from '../stage.js'

const account = await accountNamed('demo')
const order = await orderOf(market, account, usualTerms, 2n * 10n ** 13n)
const plan = await planOf({ market, graph }, order)
const legs = plan.legs.map((_, i) => i)
assert.ok(legs.length > 1)

const GAS_USED = 100_001n
const chain = {
  chainId: demo.chainId,
  feeDenom: rune,
  gasPrice: async () => decimal(10n ** 17n),
} as unknown as Chain

/** The calls of the plan, with minimums that are changed by these amounts. */
const callsWith = (...changes: readonly bigint[]) =>
  expectedSwaps(
    {
      ...plan,
      legs: plan.legs.map((leg, i) => ({ ...leg, least: leg.least + (changes[i] ?? 0n) })),
    },
    legs,
    account.address,
  )

const usual: Draft = {
  chainId: demo.chainId,
  accountNumber: 107n,
  sequence: 12n,
  sender: account.address,
  publicKey: account.publicKey!,
  calls: callsWith(),
  memo: '',
  timeoutHeight: 520n,
  fee: [{ denom: rune, amount: 10_001n }],
  gasLimit: 100_001n,
}
const built = {
  accountState: { node: 'a', height: 500, accountNumber: 107n, sequence: 12n },
  gasUsed: GAS_USED,
  decoded: usual,
}
const prepared = { plan, built, indexes: legs } as unknown as PreparedSwap

const sortedCalls = usual.calls.map((call) => ({ ...call, message: sortedMessage(call.message) }))

const needsPerson = 'CONFIRMATION_REQUIRED'
const rows: readonly (readonly [string, Partial<Draft>, code?: string])[] = [
  ['as it would be built now', {}],
  ['with 200 blocks left', { timeoutHeight: 700n }],
  ['with 201 blocks left', { timeoutHeight: 701n }, needsPerson],
  ['with one block left', { timeoutHeight: 501n }],
  ['after its last block', { timeoutHeight: 500n }, 'QUOTE_EXPIRED'],
  ['without a timeout height', { timeoutHeight: 0n }, needsPerson],
  ['with ten times the gas', { gasLimit: 1_000_010n }],
  ['with more than ten times the gas', { gasLimit: 1_000_011n }, needsPerson],
  ['with a fee above the gas price', { fee: [{ denom: rune, amount: 10_002n }] }, needsPerson],
  ['with a later sequence', { sequence: 15n }],
  ['with a used sequence', { sequence: 11n }, needsPerson],
  ['of another account number', { accountNumber: 108n }, needsPerson],
  ['of another key', { publicKey: usual.publicKey.map((byte) => byte ^ 1) }, needsPerson],
  ['of another sender', { sender: plan.contract }, needsPerson],
  ['of another chain', { chainId: 'other-1' }, needsPerson],
  ['in another sign mode', { isAmino: true, calls: sortedCalls }, needsPerson],
  ['with a memo', { memo: 'é'.repeat(128) }],
  ['with a memo that is too long', { memo: 'x'.repeat(257) }, 'INVALID_REQUEST'],
  ['with minimums that differ and add up to no less', { calls: callsWith(-1n, 1n) }],
  ['with greater minimums', { calls: callsWith(0n, 1n) }],
  ['with minimums that add up to less', { calls: callsWith(1n, -2n) }, 'SLIPPAGE_EXCEEDED'],
  ['with a leg less', { calls: callsWith(10n ** 18n).slice(0, 1) }, needsPerson],
  ['with a leg more', { calls: [...callsWith(), callsWith()[0]!] }, needsPerson],
]

describe('a transaction made elsewhere that no person confirms', () => {
  for (const [what, change, code] of rows)
    test(`${code === undefined ? 'is signed' : `is refused as ${code}`} ${what}`, async () => {
      const checked = requireEquivalent(chain, account, prepared, { ...usual, ...change })
      if (code === undefined) await checked
      else await assert.rejects(checked, { code })
    })

  test('is signed in the sign mode of the account', async () => {
    const amino = { ...usual, isAmino: true, calls: sortedCalls }
    await requireEquivalent(chain, { ...account, isAmino: true }, prepared, amino)
  })

  test('that demands less than a new one is refused with both amounts', async () => {
    const { output } = plan.legs[0]!
    const least = plan.legs.reduce((sum, leg) => sum + leg.least, 0n)
    const checked = requireEquivalent(chain, account, prepared, { ...usual, calls: callsWith(-1n) })
    const members = {
      limit: `${least}`,
      actual: `${least - 1n}`,
      denom: output,
      height: market.height,
    }
    await assert.rejects(checked, { code: 'SLIPPAGE_EXCEEDED', members })
  })

  test.each([701n, 0n])('is refused with the last block allowed: %s', async (timeoutHeight) => {
    const why = `the timeout height is ${timeoutHeight}, and 700 at most is expected`
    const checked = requireEquivalent(chain, account, prepared, { ...usual, timeoutHeight })
    await assert.rejects(checked, { why })
  })

  test('may cost more than a few dollars at a configured gas price, and not at one that a node names', async () => {
    const gasPrice = async () => decimal(10n ** 22n)
    const costly = { ...usual, gasLimit: 1_000_000n, fee: [{ denom: rune, amount: 10n ** 10n }] }
    const checked = (isGasPriceOfNode: boolean) =>
      requireEquivalent({ ...chain, gasPrice, isGasPriceOfNode }, account, prepared, costly)
    await checked(false)
    await assert.rejects(checked(true), { code: needsPerson, why: /^it is 100 RUNE, worth / })
  })

  test('is refused where the gas of its calls is not known', async () => {
    const unknown = { built: { ...built, gasUsed: undefined }, calls: usual.calls } as never
    await assert.rejects(requireUsual(chain, account, unknown, usual), { code: needsPerson })
  })
})
