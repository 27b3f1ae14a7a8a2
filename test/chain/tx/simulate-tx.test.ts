import assert from 'node:assert/strict'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { describe, test } from 'vitest'
import type { Source } from '../../../src/chain/rpc/query-source.js'
import { simulateTx } from '../../../src/chain/tx/simulate-tx.js'
import { FAUCET, faucetAddress } from '../../../src/demo-chain/genesis/known-accounts.js'
import { accountOf } from '../../../src/demo-chain/modules/accounts.js'
import { sendMessage, signedTx } from '../../../src/demo-chain/tx/sign.js'
import { MalformedDocument } from '../../../src/engine/snapshot/json-cursor.js'
import type { TrialMessage } from '../../../src/operations/chain-port.js'
import { chainOf, document, threePairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { CHAIN_ID, faultyNode, openSource } from '../rpc/stage.js'

const options = { chainId: CHAIN_ID, deadlineMs: 20_000 }
const [pair] = document.pairs.filter(({ base }) => base === 'btc-btc')
const swap: TrialMessage = {
  contract: document.router.address,
  message: {
    swap: {
      stages: [{ address: pair!.address, denom: pair!.quote }],
      min_return: { denom: pair!.quote, amount: '1' },
    },
  },
  funds: [{ denom: 'btc-btc', amount: 100_000n }],
}

test('a simulation uses the sequence that the node expects, where the account has signed meanwhile', async () => {
  const chain = chainOf({ life: false }, threePairs)
  const { rpc } = await faultyNode(chain)
  const source = closing(openSource({ ...options, rpc: [rpc] }))
  const faucet = faucetAddress('demo')
  const { height } = chain
  const { number, sequence } = accountOf(chain.stateAt(height)!, faucet)!
  const other = signedTx({
    privateKey: Buffer.from(FAUCET.privateKey, 'hex'),
    chainId: CHAIN_ID,
    accountNumber: number,
    sequence,
    gas: 200_000n,
    messages: [sendMessage(faucet, faucet, [{ denom: 'rune', amount: 1n }])],
  })
  chain.makeBlock({ before: () => [other] })
  const trial = await simulateTx(
    { ...source, newestHeight: () => Promise.resolve(height) },
    faucet,
    [swap],
  )
  assert.equal(trial.kind, 'passed', 'why' in trial ? trial.why : '')
})

test('a simulation that fails by two numbers in a contract’s words is not repeated with one as sequence', async () => {
  const chain = chainOf({ life: false }, threePairs)
  const source = closing(openSource({ ...options, rpc: [(await faultyNode(chain)).rpc] }))
  const why = 'InsufficientReturn expected 100, got 99: execute wasm contract failed'
  let asked = 0
  const refusing: Source = {
    ...source,
    async queries(questions, height) {
      if (!questions[0]!.path.endsWith('/Simulate')) return source.queries(questions, height)
      asked += 1
      return [{ ok: false, code: 6, codespace: 'sdk', text: why }]
    },
  }
  const trial = await simulateTx(refusing, faucetAddress('demo'), [swap])
  assert.deepEqual([trial, asked], [{ kind: 'failed', why }, 1])
})

/** A message whose first member is none. */
const MALFORMED = Uint8Array.of(10, 2, 10, 200)

describe('a simulation through a node that lies', () => {
  const gas = (gasUsed: bigint) =>
    SimulateResponse.encode(SimulateResponse.fromPartial({ gasInfo: { gasUsed } })).finish()
  const lies: readonly (readonly [title: string, method: string, value: Uint8Array])[] = [
    ['with no message', 'Simulate', MALFORMED],
    ['with no gas', 'Simulate', new Uint8Array(0)],
    ['with too little gas', 'Simulate', gas(49_999n)],
    ['with too much gas', 'Simulate', gas(2n ** 63n)],
    ['about the account', 'AccountInfo', MALFORMED],
  ]
  for (const [title, method, value] of lies)
    test(`${title} is that of another one`, async () => {
      const chain = chainOf({ life: false }, threePairs)
      const rpc = [(await faultyNode(chain)).rpc, (await faultyNode(chain)).rpc]
      const source = closing(openSource({ ...options, rpc }))
      const lying: Source = {
        ...source,
        async queries(questions, height) {
          const answers = await source.queries(questions, height)
          return answers.map((answer, i) =>
            questions[i]!.path.endsWith(`/${method}`) ? { ok: true, value } : answer,
          )
        },
      }
      const from = faucetAddress('demo')
      assert.deepEqual(
        await simulateTx(lying, from, [swap]),
        await simulateTx(source, from, [swap]),
      )
      const alone: Source = { ...lying, queriesOfEach: async () => [[{ ok: true, value }]] }
      const trial = simulateTx(alone, from, [swap])
      if (value === MALFORMED) await assert.rejects(trial, MalformedDocument)
      else assert.equal((await trial).kind, 'passed')
    })
})
