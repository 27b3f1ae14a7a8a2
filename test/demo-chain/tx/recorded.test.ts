import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'vitest'
import { runTx } from '../../../src/demo-chain/blocks/run-tx.js'
import { addressOfKey } from '../../../src/demo-chain/modules/addresses.js'
import { type Contract, ContractError } from '../../../src/demo-chain/modules/contract.js'
import type { TxRules } from '../../../src/demo-chain/tx/coins.js'
import { decodeTx } from '../../../src/demo-chain/tx/decode.js'
import { isValidSignature, signBytes } from '../../../src/demo-chain/tx/verify.js'
import { emptyState, fund, known, machineOf, recorded } from './chain.js'

const CHAIN = 'swap-truth-1'
const rules = (gasPrice: bigint): TxRules => ({ prefix: 'thor', gasPrice, feeDenom: 'rune' })
const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64')
const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').toUpperCase()

/** The node with a minimum gas price of 0.02 atomics. */
const FEE_NODE = 2_000_000n

/** The state that a recorded check must have had. */
function stateFor({ name, tx, log, accountNumber }: (typeof recorded.checks)[number]) {
  const state = emptyState()
  const [signer] = decodeTx(bytesOf(tx)).signers
  if (!signer?.publicKey || name === 'broadcast_err_unknown_account') return state
  const address = addressOfKey('thor', signer.publicKey)
  const expected = /expected (\d+)/.exec(log)?.[1]
  known(state, address, BigInt(accountNumber ?? 3), BigInt(expected ?? signer.sequence))
  fund(state, address, [{ denom: 'rune', amount: 1_000_000n }])
  return state
}

const failed = recorded.checks.filter(({ code }) => code !== 0)
const passed = recorded.checks.filter(({ code }) => code === 0)

describe('a recorded node’s CheckTx', () => {
  for (const each of failed)
    test(`refuses with the same text: ${each.name}`, () => {
      const bytes = bytesOf(each.tx)
      assert.equal(hashOf(bytes), each.hash)
      const state = each.code === 2 ? emptyState() : stateFor(each)
      const before = JSON.stringify([...state.changes()], (_, v) => String(v))
      const machine = machineOf({}, { chainId: CHAIN })
      const price = /^broadcast_err_fee_(?!funds)/.test(each.name) ? FEE_NODE : 0n
      const { code, codespace, log, events } = runTx(machine, state, bytes, 'check', rules(price))
      // The gas to read an account is this chain's own.
      const gasless = (text: string) => text.replace(/gasUsed: \d+/, 'gasUsed: …')
      assert.deepEqual([code, codespace], [each.code, each.codespace])
      // Why bytes are no transaction is in the words of the decoder.
      if (code !== 2) assert.equal(gasless(log), gasless(each.log))
      assert.deepEqual(events, [])
      assert.equal(
        JSON.stringify([...state.changes()], (_, v) => String(v)),
        before,
      )
    })

  test('accepts what it accepted', () => {
    assert.ok(passed.length > 20)
    for (const each of passed) {
      const state = stateFor(each)
      const machine = machineOf({}, { chainId: CHAIN })
      const price = each.name === 'broadcast_ok_with_fee' ? FEE_NODE : 0n
      const result = runTx(machine, state, bytesOf(each.tx), 'check', rules(price))
      assert.equal(result.log, '', each.name)
      assert.equal(result.code, 0, each.name)
      assert.ok(result.gasUsed > 30_000n && result.gasUsed < 50_000n, String(result.gasUsed))
    }
  })
})

/** A contract that ends as the recorded one did. */
function ending({ code, codespace, log, gas_used }: (typeof recorded.committed)[number]['result']) {
  const at = Number(/message index: (\d+)/.exec(log)?.[1] ?? 0)
  const reason = /message index: \d+: (.*): execute wasm contract failed$/.exec(log)?.[1]
  const missing = /address (\S+): no such contract/.exec(log)?.[1]
  let runs = 0
  const contract: Contract = {
    query: () => '{}',
    execute: ({ gas }) => {
      const last = runs++ === at
      if (last && code === 11) gas.charge(BigInt(gas_used) - gas.used, 'wasm contract')
      if (last && codespace === 'wasm' && reason) throw new ContractError(reason)
      if (last && log.endsWith(': invalid coins'))
        return { events: [], messages: [{ kind: 'send', to: 'thor1x', coins: [] }] }
      if (last && missing)
        return {
          events: [],
          messages: [{ kind: 'execute', contract: missing, message: '{}', funds: [] }],
        }
      return { events: [], messages: [] }
    },
  }
  return { contract, missing }
}

describe('a recorded node’s transaction', () => {
  for (const each of recorded.committed)
    test(`is decoded, verified and checked as recorded: ${each.name}`, () => {
      const bytes = bytesOf(each.tx)
      assert.equal(hashOf(bytes), each.hash)
      const tx = decodeTx(bytes)
      const [signer] = tx.signers
      const number = BigInt(each.accountNumber)
      assert.ok(signer?.publicKey)
      const signed = signBytes(tx, signer, CHAIN, number)
      assert.ok(
        signed && isValidSignature(signer.publicKey, signed, tx.signatures[0] as Uint8Array),
      )

      const { code, codespace, log, data, gas_wanted, events } = each.result
      const { contract, missing } = ending(each.result)
      const state = emptyState()
      const address = addressOfKey('thor', signer.publicKey)
      known(state, address, number, signer.sequence)
      const held = /spendable balance (\d+)(\S+)/.exec(log)
      for (const message of tx.messages)
        for (const { denom, amount } of message.kind === 'send' ? message.coins : message.funds)
          fund(state, address, [{ denom, amount: amount * 10n }])
      fund(state, address, [{ denom: 'rune', amount: 10_000_000_000_000n }])
      if (held?.[2]) fund(state, address, [{ denom: held[2], amount: BigInt(held[1] ?? 0) }])
      const machine = machineOf(
        {},
        {
          chainId: CHAIN,
          contractAt: (_state, at) => (at === missing ? undefined : contract),
        },
      )
      const result = runTx(machine, state, bytes, 'deliver', rules(0n))
      assert.deepEqual(
        { code: result.code, codespace: result.codespace, log: result.log },
        { code, codespace, log },
      )
      assert.equal(Buffer.from(result.data).toString('base64'), data ?? '')
      assert.equal(String(result.gasWanted), gas_wanted)
      // The events of the contracts are unknown here: only those before the first are compared.
      const first = events.findIndex(({ type }) => type === 'execute')
      const upToContract = events.slice(0, first < 0 ? undefined : first + 1)
      assert.deepEqual(
        result.events.slice(0, code === 0 ? upToContract.length : undefined),
        upToContract.map(({ type, attributes }) => ({
          type,
          attributes: attributes.map(({ key, value }) => ({ key, value })),
        })),
      )
    })
})
