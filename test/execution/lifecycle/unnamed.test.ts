import assert from 'node:assert/strict'
import { QueryAccountInfoResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { describe, test } from 'vitest'
import { txHashOf } from '../../../src/chain/tx/unsigned-tx.js'
import { publicKeyOf } from '../../../src/demo-chain/tx/sign.js'
import type { TxRecord } from '../../../src/execution/journal/intent.js'
import { poll } from '../../../src/execution/lifecycle/poll.js'
import { fromBase64, toBase64 } from '../../../src/platform/encoding.js'
import { changing, funded, over, signed, twoAccounts } from '../tx-nodes.js'

/** A chain, two accounts at one sequence, and a transaction of the first that no node has yet. */
function begun() {
  const chain = funded()
  const [own, other] = twoAccounts(chain)
  const bytes = own.pay(other.address)
  const tx: TxRecord = {
    ...signed.txs[0]!,
    state: 'sent',
    hash: txHashOf(bytes),
    bytes: toBase64(bytes),
    public_key: toBase64(publicKeyOf(own.privateKey)),
    sequence: '1',
    timeout_height: chain.height + 8,
    signed_height: chain.height,
  }
  const send = (sent: Uint8Array) => {
    chain.broadcast(sent)
    for (let i = 0; i < 2; i += 1) chain.makeBlock()
  }
  return { chain, own, other, bytes, tx, send }
}

test('a block that one node has pruned is read from another one', async () => {
  const { chain, own, tx, send } = begun()
  send(own.pay(own.address))
  const pruned = changing((method, _, answer) => {
    if (!method.startsWith('block')) return
    delete answer.result
    answer.error = { code: -32603, message: 'Internal error', data: 'lowest height is 900' }
  })
  for (let i = 0; i < 10; i += 1) chain.makeBlock()
  const { session } = await over([{ chain, middleware: pruned }, { chain }])
  const scan = await session.chain.scan(
    { ...tx, address: own.address, publicKey: fromBase64(tx.public_key), sequence: 1n },
    tx.signed_height + 1,
    tx.timeout_height,
  )
  assert.equal(scan.kind, 'replaced')
})

describe('a transaction without a key that uses a sequence', () => {
  for (const [nodes, down, expected] of [
    [2, 0, 'agreed'],
    [1, 0, 'one_node'],
    [1, 1, undefined],
  ] as const)
    test(`replaces another one of its account, by ${nodes} nodes that answer and ${down} that do not: ${expected}`, async () => {
      const { chain, own, tx, send } = begun()
      const { session } = await over(Array(nodes).fill({ chain }), down)
      send(own.pay(own.address, { isKeyGiven: false }))
      const status = await poll(session.chain, tx, own.address)
      assert.equal(status.kind, expected === undefined ? 'open' : 'replaced')
      assert.equal('evidence' in status ? status.evidence : undefined, expected)
    })

  for (const type of ['wasm-any', 'tx'])
    test(`is not of an account that one of two nodes alone names in an event ${type}`, async () => {
      const { chain, own, other, bytes, tx, send } = begun()
      const event = { type, attributes: [{ key: 'acc_seq', value: `${own.address}/1` }] }
      const lying = changing((method, result) => {
        for (const each of result.txs_results ?? []) each.events.push(event)
        if (method !== 'abci_query' || result.response.value === null) return
        const { info } = QueryAccountInfoResponse.decode(fromBase64(result.response.value))
        if (info?.address !== own.address) return
        const answer = { info: { ...info, sequence: 2n } }
        result.response.value = toBase64(QueryAccountInfoResponse.encode(answer).finish())
      })
      const { session } = await over([{ chain, middleware: lying }, { chain }])
      send(other.pay(own.address, { isKeyGiven: false }))
      assert.ok(!('evidence' in (await poll(session.chain, tx, own.address))))
      send(bytes)
      assert.equal(chain.block(chain.height - 1)?.txs[0]?.result.code, 0)
    })
})
