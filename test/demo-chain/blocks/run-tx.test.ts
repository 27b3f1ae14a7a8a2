import assert from 'node:assert/strict'
import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { accountOf } from '../../../src/demo-chain/modules/accounts.js'
import { moduleAddress } from '../../../src/demo-chain/modules/addresses.js'
import { balanceOf } from '../../../src/demo-chain/modules/bank.js'
import { publicKeyOf } from '../../../src/demo-chain/tx/sign.js'
import { runs } from '../../support/books.js'
import { RULES, signedBy } from '../tx/chain.js'
import { alice, bob, call, pay, run, rune, stateWith, till } from './signed-txs.js'

describe('a transaction in a block', () => {
  test('moves coins, increments the sequence and stores the key', () => {
    const state = stateWith(alice)
    const result = run(state, signedBy(alice, { messages: [pay(30n)] }))
    assert.equal(result.log, '')
    assert.equal(balanceOf(state, alice.address, 'rune'), 970n)
    assert.equal(balanceOf(state, bob.address, 'rune'), 30n)
    assert.deepEqual(accountOf(state, alice.address), {
      number: 0n,
      sequence: 1n,
      pubKey: Buffer.from(publicKeyOf(alice.privateKey)).toString('hex'),
    })
    assert.equal(accountOf(state, bob.address)?.number, 1n)
    assert.equal(run(state, signedBy(alice, { messages: [pay(30n)] })).code, 32)
    assert.equal(run(state, signedBy(alice, { messages: [pay(1n)], sequence: 1n })).code, 0)
  })

  test('is atomic, but pays its fee and increments its sequence', () => {
    const step = fc.record({ amount: fc.bigInt(1n, 400n), fail: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
        const state = stateWith(alice)
        const messages = steps.flatMap(({ amount, fail }, index) => [
          pay(amount),
          call({ note: `${index}`, ...(fail && { fail: 'no' }) }, [rune(1n)]),
        ])
        const result = run(state, signedBy(alice, { messages, fee: [rune(7n)], gas: 50_000_000n }))
        const sum = steps.reduce((total, { amount }) => total + amount + 1n, 0n)
        const good = steps.every(({ fail }) => !fail) && sum <= 993n
        assert.equal(result.code === 0, good, result.log)
        assert.equal(balanceOf(state, alice.address, 'rune'), 993n - (good ? sum : 0n))
        assert.equal(state.get(`wasm/${till}`, 'note'), good ? `${steps.length - 1}` : undefined)
        assert.equal(accountOf(state, alice.address)?.sequence, 1n)
        assert.equal(balanceOf(state, moduleAddress('demo', 'fee_collector'), 'rune'), 7n)
        const numbered = result.events.filter(({ attributes }) =>
          attributes.some(({ key }) => key === 'msg_index'),
        )
        assert.equal(numbered.length > 0, good)
        if (!good) {
          assert.match(result.log, /^failed to execute message; message index: \d+: /)
          assert.equal(result.data.length, 0)
          assert.equal(result.events.length, 7)
        }
      }),
      runs(30),
    )
  })

  test('that runs out of gas keeps its fee and names the place', () => {
    const state = stateWith(alice)
    const messages = [pay(5n), call({ note: 'x', burn: '3000000' })]
    const result = run(state, signedBy(alice, { messages, fee: [rune(7n)] }))
    assert.deepEqual([result.code, result.codespace], [11, 'sdk'])
    assert.equal(
      result.log,
      `out of gas in location: wasm contract; gasWanted: 2000000, gasUsed: ${result.gasUsed}: out of gas`,
    )
    assert.ok(result.gasUsed > result.gasWanted)
    assert.equal(balanceOf(state, alice.address, 'rune'), 993n)
  })
})

describe('a simulation', () => {
  test('needs no signature, writes nothing and returns nearly the result of a block', () => {
    const state = stateWith(alice)
    const messages = [pay(5n), call({ note: 'x' }, [rune(1n)])]
    const bytes = signedBy(alice, { messages, fee: [rune(7n)] })
    const { bodyBytes } = TxRaw.decode(bytes)
    const authInfoBytes = AuthInfo.encode(
      AuthInfo.fromPartial({
        signerInfos: [{ modeInfo: { single: { mode: 0 } }, sequence: 0n }],
        fee: {},
      }),
    ).finish()
    const signatures = [new Uint8Array()]
    const trial = TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
    const before = [...state.changes()]
    const simulated = run(state, trial, 'simulate', { ...RULES, gasPrice: 10n ** 9n })
    assert.deepEqual([...state.changes()], before)
    const delivered = run(state, bytes)
    assert.equal(simulated.log, '')
    assert.equal(simulated.gasWanted, (1n << 64n) - 1n)
    const less = delivered.gasUsed - simulated.gasUsed
    assert.ok(less > 0n && less < 2_500n, String(less))
    assert.deepEqual(simulated.data, delivered.data)
    const numbered = (events: typeof simulated.events) =>
      events.filter(({ attributes }) => attributes.at(-1)?.key === 'msg_index')
    assert.deepEqual(numbered(simulated.events), numbered(delivered.events))
  })

  test('returns the failure of the message, and checks the sequence', () => {
    const state = stateWith(alice)
    const failing = signedBy(alice, { messages: [call({ fail: 'not now' })] })
    assert.equal(
      run(state, failing, 'simulate').log,
      'failed to execute message; message index: 0: not now: execute wasm contract failed',
    )
    const early = signedBy(alice, { messages: [pay(1n)], sequence: 3n })
    assert.equal(run(state, early, 'simulate').code, 32)
  })
})
