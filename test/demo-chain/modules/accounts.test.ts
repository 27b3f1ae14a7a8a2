import assert from 'node:assert/strict'
import { test } from 'vitest'
import { accountOf, setAccount, touchAccount } from '../../../src/demo-chain/modules/accounts.js'
import { setBalance, transfer } from '../../../src/demo-chain/modules/bank.js'
import { emptyState } from '../tx/chain.js'

test('accounts are numbered in the order of their first coins, and keep their numbers', () => {
  const state = emptyState()
  setBalance(state, 'a', { denom: 'rune', amount: 10n })
  for (const to of ['c', 'b', 'c', 'a']) transfer(state, 'a', to, [{ denom: 'rune', amount: 1n }])
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((address) => accountOf(state, address)?.number),
    [2n, 1n, 0n, undefined],
  )
})

test('an existing account is not changed by another transfer', () => {
  const state = emptyState()
  const account = { number: 5n, sequence: 3n, pubKey: '02ab' }
  setAccount(state, 'a', account)
  assert.deepEqual(touchAccount(state, 'a'), account)
  assert.deepEqual(accountOf(state, 'a'), account)
})

test('a transfer that fails creates no account', () => {
  const state = emptyState()
  assert.throws(() => transfer(state, 'a', 'b', [{ denom: 'rune', amount: 1n }]))
  assert.equal(accountOf(state, 'b'), undefined)
})
