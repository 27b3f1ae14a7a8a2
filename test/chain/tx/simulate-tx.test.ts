import assert from 'node:assert/strict'
import { test } from 'vitest'
import { simulateTx } from '../../../src/chain/tx/simulate-tx.js'
import { FAUCET, faucetAddress } from '../../../src/demo-chain/genesis/known-accounts.js'
import { accountOf } from '../../../src/demo-chain/modules/accounts.js'
import { sendMessage, signedTx } from '../../../src/demo-chain/tx/sign.js'
import { chainOf, document, threePairs } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { CHAIN_ID, faultyNode, openSource } from '../rpc/stage.js'

test('a simulation uses the sequence that the node expects, where the account has signed meanwhile', async () => {
  const chain = chainOf({ life: false }, threePairs)
  const { rpc } = await faultyNode(chain)
  const source = closing(openSource({ chainId: CHAIN_ID, rpc: [rpc], deadlineMs: 20_000 }))
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
  const [pair] = document.pairs.filter(({ base }) => base === 'btc-btc')
  const trial = await simulateTx(
    { ...source, newestHeight: () => Promise.resolve(height) },
    faucet,
    [
      {
        contract: document.router.address,
        message: {
          swap: {
            stages: [{ address: pair!.address, denom: pair!.quote }],
            min_return: { denom: pair!.quote, amount: '1' },
          },
        },
        funds: [{ denom: 'btc-btc', amount: 100_000n }],
      },
    ],
  )
  assert.equal(trial.kind, 'passed', 'why' in trial ? trial.why : '')
})
