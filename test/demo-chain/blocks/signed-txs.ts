import { runTx } from '../../../src/demo-chain/blocks/run-tx.js'
import {
  type Coin,
  type Contract,
  ContractError,
} from '../../../src/demo-chain/modules/contract.js'
import type { TxMode } from '../../../src/demo-chain/tx/ante.js'
import { executeMessage, sendMessage } from '../../../src/demo-chain/tx/sign.js'
import { emptyState, fund, machineOf, RULES, type Signer, signer } from '../tx/chain.js'

export const alice = signer(1)
export const bob = signer(2)
export const carol = signer(3)
export const till = signer(9).address
export const rune = (amount: bigint): Coin => ({ denom: 'rune', amount })

/** A contract that stores a note, or fails, depending on the message. */
const notesContract: Contract = {
  query: () => '{}',
  execute: ({ storage, gas }, message) => {
    const { note, fail, burn } = JSON.parse(message) as Record<string, string>
    if (note) storage.set('note', note)
    if (burn) gas.charge(BigInt(burn), 'wasm contract')
    if (fail) throw new ContractError(fail)
    return { messages: [], events: [{ type: 'noted', attributes: [['note', note ?? '']] }] }
  },
}
const machine = machineOf({ [till]: notesContract })

export const stateWith = (...signers: readonly Signer[]) => {
  const state = emptyState()
  for (const { address } of signers) fund(state, address, [rune(1_000n)])
  return state
}
export const run = (
  state: ReturnType<typeof emptyState>,
  bytes: Uint8Array,
  mode: TxMode = 'deliver',
  rules = RULES,
) => runTx(machine, state, bytes, mode, rules)

export const pay = (amount: bigint, from = alice, to = bob) =>
  sendMessage(from.address, to.address, [rune(amount)])
export const call = (message: object, funds: readonly Coin[] = []) =>
  executeMessage(alice.address, till, JSON.stringify(message), funds)
