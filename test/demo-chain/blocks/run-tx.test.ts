import assert from 'node:assert/strict'
import { MsgMultiSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { runTx } from '../../../src/demo-chain/blocks/run-tx.js'
import { accountOf } from '../../../src/demo-chain/modules/accounts.js'
import { moduleAddress } from '../../../src/demo-chain/modules/addresses.js'
import { balanceOf } from '../../../src/demo-chain/modules/bank.js'
import {
  type Coin,
  type Contract,
  ContractError,
} from '../../../src/demo-chain/modules/contract.js'
import type { TxMode } from '../../../src/demo-chain/tx/ante.js'
import {
  executeMessage,
  publicKeyOf,
  sendMessage,
  signature,
} from '../../../src/demo-chain/tx/sign.js'
import { directSignBytes } from '../../../src/demo-chain/tx/verify.js'
import { runs } from '../../support/books.js'
import { emptyState, fund, machineOf, RULES, type Signer, signedBy, signer } from '../tx/chain.js'

const alice = signer(1)
const bob = signer(2)
const carol = signer(3)
const till = signer(9).address
const rune = (amount: bigint): Coin => ({ denom: 'rune', amount })

/** A contract that stores a note, or fails, depending on the message. */
const notebook: Contract = {
  name: 'notebook',
  query: () => '{}',
  execute: ({ storage, gas }, message) => {
    const { note, fail, burn } = JSON.parse(message) as Record<string, string>
    if (note) storage.set('note', note)
    if (burn) gas.charge(BigInt(burn), 'wasm contract')
    if (fail) throw new ContractError(fail)
    return { messages: [], events: [{ type: 'noted', attributes: [['note', note ?? '']] }] }
  },
}
const machine = machineOf({ [till]: notebook })

const stateWith = (...signers: readonly Signer[]) => {
  const state = emptyState()
  for (const { address } of signers) fund(state, address, [rune(1_000n)])
  return state
}
const run = (
  state: ReturnType<typeof emptyState>,
  bytes: Uint8Array,
  mode: TxMode = 'deliver',
  rules = RULES,
) => runTx(machine, state, bytes, mode, rules)

const pay = (amount: bigint, from = alice, to = bob) =>
  sendMessage(from.address, to.address, [rune(amount)])
const call = (message: object, funds: readonly Coin[] = []) =>
  executeMessage(alice.address, till, JSON.stringify(message), funds)

/** A transaction signed by several accounts, each with an account number and a sequence. */
function signedByAll(
  signers: readonly (Signer & { number: bigint; sequence: bigint })[],
  messages: Any[],
  fee: object = { amount: [], gasLimit: 2_000_000n },
): Uint8Array {
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages })).finish()
  const authInfoBytes = AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: signers.map(({ privateKey, sequence }) => ({
        publicKey: {
          typeUrl: '/cosmos.crypto.secp256k1.PubKey',
          value: Uint8Array.of(10, 33, ...publicKeyOf(privateKey)),
        },
        modeInfo: { single: { mode: 1 } },
        sequence,
      })),
      fee,
    }),
  ).finish()
  const signatures = signers.map(({ privateKey, number }) =>
    signature(privateKey, directSignBytes(bodyBytes, authInfoBytes, 'demo-1', number)),
  )
  return TxRaw.encode(TxRaw.fromPartial({ bodyBytes, authInfoBytes, signatures })).finish()
}

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

  test('requires every sender’s signature, in the order of the messages', () => {
    const messages = [pay(1n, alice, carol), pay(2n, bob, carol), pay(3n, alice, carol)]
    const signers = [
      { ...alice, number: 0n, sequence: 0n },
      { ...bob, number: 1n, sequence: 0n },
    ]
    const state = stateWith(alice, bob)
    const result = run(state, signedByAll(signers, messages))
    assert.equal(result.log, '')
    assert.deepEqual(
      [alice, bob, carol].map(({ address }) => balanceOf(state, address, 'rune')),
      [996n, 998n, 6n],
    )
    assert.equal(accountOf(state, bob.address)?.sequence, 1n)
    assert.equal(
      run(stateWith(alice, bob), signedByAll(signers.slice(0, 1), messages)).log,
      'wrong number of signers; expected 2, got 1: unauthorized',
    )
    assert.equal(
      run(stateWith(alice, bob), signedByAll(signers.toReversed(), messages)).log,
      `pubKey does not match signer address ${alice.address} with signer index: 0: invalid pubkey`,
    )
  })

  test('may have a fee payer, who signs as well', () => {
    const state = stateWith(alice, bob)
    const fee = {
      amount: [{ denom: 'rune', amount: '9' }],
      gasLimit: 2_000_000n,
      payer: bob.address,
    }
    const signers = [
      { ...alice, number: 0n, sequence: 0n },
      { ...bob, number: 1n, sequence: 0n },
    ]
    assert.equal(run(state, signedByAll(signers, [pay(1n, alice, carol)], fee)).log, '')
    assert.equal(balanceOf(state, alice.address, 'rune'), 999n)
    assert.equal(balanceOf(state, bob.address, 'rune'), 991n)
  })
})

describe('a multi-send', () => {
  const multi = (inputs: [Signer, bigint][], outputs: [Signer, bigint][]) => {
    const party = ([{ address }, amount]: [Signer, bigint]) => ({
      address,
      coins: [{ denom: 'rune', amount: String(amount) }],
    })
    const message = MsgMultiSend.fromPartial({
      inputs: inputs.map(party),
      outputs: outputs.map(party),
    })
    return Any.fromPartial({
      typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend',
      value: MsgMultiSend.encode(message).finish(),
    })
  }

  test('pays each recipient, with events in the order of the bank', () => {
    const state = stateWith(alice)
    const messages = [
      multi(
        [[alice, 30n]],
        [
          [bob, 10n],
          [carol, 20n],
        ],
      ),
    ]
    const result = run(state, signedBy(alice, { messages }))
    assert.equal(result.log, '')
    assert.deepEqual(
      [alice, bob, carol].map(({ address }) => balanceOf(state, address, 'rune')),
      [970n, 10n, 20n],
    )
    assert.deepEqual(
      result.events.slice(3).map(({ type }) => type),
      [
        'message',
        'coin_spent',
        'message',
        ...['coin_received', 'transfer', 'coin_received', 'transfer'],
      ],
    )
  })

  test('fails as a whole when the sums differ or the balance is too small', () => {
    const failing = (message: Any) =>
      run(stateWith(alice), signedBy(alice, { messages: [message] }))
    assert.match(failing(multi([[alice, 30n]], [[bob, 31n]])).log, /sum inputs != sum outputs$/)
    assert.match(failing(multi([[alice, 30n]], [])).log, /no outputs to send transaction$/)
    assert.match(
      failing(
        multi(
          [[alice, 2_000n]],
          [
            [bob, 1_000n],
            [carol, 1_000n],
          ],
        ),
      ).log,
      /spendable balance 1000rune is smaller than 2000rune: insufficient funds$/,
    )
  })

  test('has one sender only', () => {
    const messages = [
      multi(
        [
          [alice, 1n],
          [bob, 1n],
        ],
        [[carol, 2n]],
      ),
    ]
    const signers = [
      { ...alice, number: 0n, sequence: 0n },
      { ...bob, number: 1n, sequence: 0n },
    ]
    const result = run(stateWith(alice, bob), signedByAll(signers, messages))
    assert.deepEqual([result.code, result.codespace], [9, 'bank'])
  })
})

describe('the check of a transaction', () => {
  test('takes fee and sequence and runs no message', () => {
    const state = stateWith(alice)
    const messages = [call({ fail: 'not now' })]
    const result = run(state, signedBy(alice, { messages, fee: [rune(7n)] }), 'check')
    assert.deepEqual([result.code, result.events], [0, []])
    assert.equal(balanceOf(state, alice.address, 'rune'), 993n)
    assert.equal(accountOf(state, alice.address)?.sequence, 1n)
    assert.equal(run(state, signedBy(alice, { messages, sequence: 1n }), 'check').code, 0)
  })

  test('requires the minimum fee, rounded up, which a block does not', () => {
    const rules = { ...RULES, gasPrice: 150n }
    const signed = (amount: bigint, gas: bigint) =>
      signedBy(alice, { messages: [pay(1n)], fee: [rune(amount)], gas })
    const check = (amount: bigint, gas: bigint) =>
      run(stateWith(alice), signed(amount, gas), 'check', rules).log
    assert.equal(check(3n, 2_000_000n), '')
    assert.equal(
      check(3n, 2_000_001n),
      'insufficient fees; got: 3rune required: 4rune: insufficient fee',
    )
    assert.equal(check(4n, 2_000_001n), '')
    assert.equal(run(stateWith(alice), signed(0n, 2_000_000n), 'deliver', rules).log, '')
  })

  const refused: readonly (readonly [name: string, bytes: () => Uint8Array, log: RegExp])[] = [
    [
      'after its timeout height',
      () => signedBy(alice, { messages: [pay(1n)], timeoutHeight: 6n }),
      /^block height: 7, timeout height: 6: tx timeout height$/,
    ],
    [
      'without gas',
      () => signedBy(alice, { messages: [pay(1n)], gas: 0n }),
      /^out of gas in location: ReadFlat; gasWanted: 0, gasUsed: 1000: out of gas$/,
    ],
    [
      'with more gas than a block has',
      () => signedBy(alice, { messages: [pay(1n)], gas: 1n << 63n }),
      /^invalid gas supplied; 9223372036854775808 > 9223372036854775807: invalid request$/,
    ],
    [
      'with an unsorted fee',
      () => signedBy(alice, { messages: [pay(1n)], fee: [rune(1n), { denom: 'abc', amount: 1n }] }),
      /^invalid fee amount: 1rune,1abc: insufficient fee$/,
    ],
    [
      'of a type that is not served',
      () =>
        signedBy(alice, {
          messages: [Any.fromPartial({ typeUrl: '/cosmos.staking.v1beta1.MsgDelegate' })],
        }),
      /^unable to resolve type URL \/cosmos.staking.v1beta1.MsgDelegate: tx parse error/,
    ],
    [
      'from an address of another chain',
      () => signedBy(alice, { messages: [sendMessage(signer(1, 'thor').address, till, [])] }),
      /^invalid from address: invalid Bech32 prefix; expected demo, got thor: invalid address$/,
    ],
    [
      'for a contract that is no address',
      () => signedBy(alice, { messages: [executeMessage(alice.address, 'x', '{}')] }),
      /^contract: decoding bech32 failed: invalid bech32 string length 1$/,
    ],
    [
      'with a payload that is no JSON',
      () => signedBy(alice, { messages: [executeMessage(alice.address, till, '{')] }),
      /^payload msg: invalid$/,
    ],
    [
      'with zero funds',
      () => signedBy(alice, { messages: [call({}, [rune(0n)])] }),
      /^funds: coin 0rune amount is not positive$/,
    ],
    [
      'with funds twice',
      () => signedBy(alice, { messages: [call({}, [rune(1n), rune(1n)])] }),
      /^funds: duplicate denomination rune$/,
    ],
    [
      'with an impossible denom',
      () => signedBy(alice, { messages: [call({}, [{ denom: '1x', amount: 1n }])] }),
      /^funds: invalid denom: 1x$/,
    ],
    [
      'signed by another account',
      () => signedBy(bob, { messages: [pay(1n)] }),
      /^pubKey does not match signer address demo1\S+ with signer index: 0: invalid pubkey$/,
    ],
    [
      'without a message',
      () => signedBy(alice, { messages: [] }),
      /^must contain at least one message: invalid request$/,
    ],
    [
      'with more than seven signers',
      () => {
        const signers = [...Array(8).keys()].map((at) => signer(at + 1))
        return signedByAll(
          signers.map((each, at) => ({ ...each, number: BigInt(at), sequence: 0n })),
          signers.map((each) => pay(1n, each, carol)),
        )
      },
      /^signatures: 8, limit: 7: maximum number of signatures exceeded$/,
    ],
  ]
  for (const [name, bytes, log] of refused)
    test(`refuses a transaction ${name}`, () => {
      const signers = [...Array(8).keys()].map((at) => signer(at + 1))
      const state = stateWith(...signers)
      const before = [...state.changes()]
      const result = run(state, bytes(), 'check')
      assert.notEqual(result.code, 0)
      assert.match(result.log, log)
      assert.deepEqual([...state.changes()], before)
    })
})

describe('a bank send', () => {
  const failing = (message: Any) => run(stateWith(alice), signedBy(alice, { messages: [message] }))

  test('of nothing, of zero or of unsorted coins fails when it runs', () => {
    for (const coins of [[], [rune(0n)], [rune(1n), { denom: 'abc', amount: 1n }]])
      assert.equal(failing(sendMessage(alice.address, till, coins)).code, 10)
  })

  test('is refused to the fee collector and to an empty address', () => {
    const collector = moduleAddress('demo', 'fee_collector')
    assert.equal(
      failing(sendMessage(alice.address, collector, [rune(1n)])).log,
      `failed to execute message; message index: 0: ${collector} is not allowed to receive funds: unauthorized`,
    )
    assert.match(failing(sendMessage(alice.address, 'demo1', [rune(1n)])).log, /invalid to address/)
  })

  test('to an address in capitals reaches the address', () => {
    const state = stateWith(alice)
    const messages = [sendMessage(alice.address, bob.address.toUpperCase(), [rune(3n)])]
    assert.equal(run(state, signedBy(alice, { messages })).log, '')
    assert.equal(balanceOf(state, bob.address, 'rune'), 3n)
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
