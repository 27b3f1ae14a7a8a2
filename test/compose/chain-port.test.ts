import assert from 'node:assert/strict'
import { test } from 'vitest'
import { demo } from '../../src/chain/networks/demo.js'
import { openNodes } from '../../src/chain/rpc/nodes.js'
import { chainPort } from '../../src/compose/chain-port.js'
import { faucetAddress } from '../../src/demo-chain/genesis/known-accounts.js'
import { CHAIN_ID, correctNode } from '../chain/rpc/stage.js'
import { closing } from '../support/closing.js'

test('a malformed answer about the signer of a simulated transaction is a fault of the chain', async () => {
  // It answers queries with their own data.
  const { url } = closing(await correctNode(10))
  const nodes = closing(openNodes({ chainId: CHAIN_ID, rpc: [url], deadlineMs: 20_000 }))
  const port = chainPort({ network: demo, nodes })
  await assert.rejects(port.trial(faucetAddress('demo'), []), {
    code: 'UPSTREAM_INVALID_DATA',
    why: /^a simulated transaction: /,
  })
})
