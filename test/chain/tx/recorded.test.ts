import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'vitest'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { sourceOf } from '../../../src/chain/rpc/source.js'
import { broadcast } from '../../../src/chain/tx/broadcast.js'
import { findTx, scanBlocks } from '../../../src/chain/tx/lookup.js'
import { amountsIn, reasonOf, sequencesIn } from '../../../src/chain/tx/refusal.js'
import { decodeTxResult } from '../../../src/chain/tx/result.js'
import { txHashOf } from '../../../src/chain/tx/unsigned-tx.js'
import { rootCursor } from '../../../src/engine/snapshot/json-cursor.js'
import { recorded } from '../../demo-chain/node/recorded.js'
import { closing } from '../../support/closing.js'
import { CHAIN_ID, noPauses, requestsOf, send, sendCorrect, stub } from '../rpc/stage.js'

type Exchange = {
  readonly request: { readonly body: { readonly params: Record<string, string> } }
  // biome-ignore lint/suspicious/noExplicitAny: recorded answers are looked into freely
  readonly response: any
}
const exchange = (name: string): Exchange => recorded[name] as Exchange
const checked = (name: string) =>
  exchange(name).response.result as { code: number; codespace: string; log: string }

describe('the recorded refusal of a real node', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['broadcast_err_seq_low', 'sequence'],
    ['broadcast_err_seq_high', 'sequence'],
    ['broadcast_err_chain_id', 'signature'],
    ['broadcast_err_account_number', 'signature'],
    ['broadcast_err_fee_too_low', 'fee'],
    ['broadcast_err_fee_none', 'fee'],
    ['broadcast_err_fee_funds', 'funds'],
    ['broadcast_err_gas_too_low_ante', 'gas'],
    ['broadcast_err_unknown_account', 'funds'],
    ['broadcast_err_memo_long', 'memo'],
    ['broadcast_err_garbage', 'other'],
  ]
  for (const [name, reason] of cases)
    test(`${name} has the reason ${reason}`, () => assert.equal(reasonOf(checked(name)), reason))

  const inBlocks: readonly (readonly [string, string])[] = [
    ['tx_err_contract_min_return', 'price'],
    ['tx_err_second_leg_min_return', 'price'],
    ['tx_err_router_dust', 'price'],
    ['tx_err_out_of_gas', 'gas'],
    ['tx_err_insufficient_funds_msg', 'funds'],
    ['tx_err_no_balance', 'other'],
    ['tx_err_stage_not_contract', 'other'],
    ['tx_router_2hop', 'other'],
  ]
  for (const [name, reason] of inBlocks)
    test(`${name} has the reason ${reason}`, () => {
      const { tx_result } = exchange(name).response.result
      const result = decodeTxResult(rootCursor(tx_result), 1)
      assert.equal(reasonOf(result), reason)
    })

  test('has both numbers of a wrong sequence, in either direction', () => {
    assert.deepEqual(sequencesIn(checked('broadcast_err_seq_low').log), { expected: 20n, got: 0n })
    assert.deepEqual(sequencesIn(checked('broadcast_err_seq_high').log), {
      expected: 20n,
      got: 25n,
    })
  })

  test('has the minimum fee of a refused gas price', () => {
    const { tx_result } = exchange('tx_err_contract_min_return').response.result
    const amounts = amountsIn(tx_result.log)!
    assert.ok(amounts.received > 0n && amounts.expected > amounts.received)
  })

  test('may have used more gas than was wanted', () => {
    const { tx_result } = exchange('tx_err_out_of_gas').response.result
    const { gasUsed, gasWanted } = decodeTxResult(rootCursor(tx_result), 1)
    assert.ok(gasUsed > gasWanted)
  })

  test('has the coins of a transaction of two legs for each message', () => {
    const { tx_result } = exchange('tx_router_2leg_affiliate').response.result
    const { movements } = decodeTxResult(rootCursor(tx_result), 1)
    const payer = 'thor1myyjegaplclwpzk8xlrzr6dxyl0mp455t3y7yw'
    const paid = movements.filter(({ account, kind }) => account === payer && kind === 'spent')
    assert.deepEqual(
      paid.map(({ message }) => message),
      [0, 1],
    )
    const received = movements.filter(
      ({ account, kind }) => account === payer && kind === 'received',
    )
    assert.deepEqual(
      received.map(({ message, coins }) => [message, coins[0]?.denom]),
      [
        [0, 'rune'],
        [1, 'rune'],
      ],
    )
  })
})

/** A node that answers correctly except for one method. */
async function nodeThat(method: string, answer: (params: Record<string, string>) => object) {
  const node = await stub((body, _request, response) => {
    const [rpcRequest] = requestsOf(body)
    if (rpcRequest?.method !== method) return sendCorrect(response, body, 50)
    return send(response, { jsonrpc: '2.0', id: rpcRequest.id, ...answer(rpcRequest.params) })
  })
  closing(node)
  return openNodes({ chainId: CHAIN_ID, rpc: [node.url], deadlineMs: 5_000, limits: noPauses })
}

describe('transaction bytes sent to a node', () => {
  const tx = exchange('broadcast_ok').request.body.params['tx']!
  const bytes = Buffer.from(tx, 'base64')
  const sent = async (name: string) => {
    const txBytes = Buffer.from(exchange(name).request.body.params['tx']!, 'base64')
    const nodes = await nodeThat('broadcast_tx_sync', () => {
      const { result, error } = exchange(name).response
      return error === undefined ? { result } : { error }
    })
    return broadcast(nodes.rpc, txBytes, 2_000)
  }

  test('are accepted with code 0', async () =>
    assert.equal((await sent('broadcast_ok')).kind, 'accepted'))

  test('are accepted when the node has them already', async () => {
    assert.equal((await sent('broadcast_err_already_in_cache')).kind, 'accepted')
    assert.equal((await sent('broadcast_err_duplicate_committed')).kind, 'accepted')
  })

  test('are accepted with code 19, which other versions return for known bytes', async () => {
    const nodes = await nodeThat('broadcast_tx_sync', () => ({
      result: { code: 19, codespace: 'sdk', log: 'tx already in mempool', hash: txHashOf(bytes) },
    }))
    assert.equal((await broadcast(nodes.rpc, bytes, 2_000)).kind, 'accepted')
  })

  test('are refused with a code of CheckTx', async () => {
    const answer = await sent('broadcast_err_seq_low')
    assert.equal(answer.kind, 'refused')
    assert.equal(answer.kind === 'refused' && answer.reason, 'sequence')
  })

  test('are in an unknown state when the node answers for another transaction', async () => {
    const nodes = await nodeThat('broadcast_tx_sync', () => ({
      result: { code: 0, codespace: '', log: '', hash: 'AB'.repeat(32) },
    }))
    assert.equal((await broadcast(nodes.rpc, bytes, 2_000)).kind, 'unknown')
  })

  test('are in an unknown state when the node returns malformed data', async () => {
    const nodes = await nodeThat('broadcast_tx_sync', () => ({ result: 'yes' }))
    assert.equal((await broadcast(nodes.rpc, bytes, 2_000)).kind, 'unknown')
  })

  test('are not sent when no connection was made', async () => {
    const closedPort = await stub(() => {})
    await closedPort.close()
    const nodes = openNodes({
      chainId: CHAIN_ID,
      rpc: [closedPort.url],
      deadlineMs: 2_000,
      limits: noPauses,
    })
    assert.equal((await broadcast(nodes.rpc, bytes, 1_000)).kind, 'unsent')
  })

  const ends: readonly (readonly [string, (response: ServerResponse) => void])[] = [
    ['closed', (response) => response.socket?.destroy()],
    ['reset', (response) => response.socket?.resetAndDestroy()],
    [
      'closed in the answer',
      (response) => response.writeHead(200, { 'content-length': 9 }).write('{'),
    ],
    ['left open', () => {}],
    ['answered by something else', (response) => void response.writeHead(502).end('<html>')],
  ]
  for (const [end, finish] of ends)
    test(`are in an unknown state when an established connection is ${end}`, async () => {
      const node = closing(
        await stub((body, _request, response) => {
          if (requestsOf(body)[0]?.method !== 'broadcast_tx_sync')
            return sendCorrect(response, body, 50)
          finish(response)
          if (end.startsWith('closed')) setTimeout(() => response.socket?.destroy(), 20)
        }),
      )
      const nodes = openNodes({
        chainId: CHAIN_ID,
        rpc: [node.url],
        deadlineMs: 2_000,
        limits: noPauses,
      })
      assert.equal((await broadcast(nodes.rpc, bytes, 500)).kind, 'unknown')
    })

  test('are in an unknown state after the deadline', async () => {
    const node = closing(
      await stub((body, _request, response) => {
        if (requestsOf(body)[0]?.method !== 'broadcast_tx_sync')
          return sendCorrect(response, body, 50)
        nodes.close()
      }),
    )
    const nodes = openNodes({
      chainId: CHAIN_ID,
      rpc: [node.url],
      deadlineMs: 2_000,
      limits: noPauses,
    })
    assert.equal((await broadcast(nodes.rpc, bytes, 1_000)).kind, 'unknown')
  })

  test('are not sent to a node of another chain', async () => {
    let offered = 0
    const node = closing(
      await stub((body, _request, response) => {
        if (requestsOf(body)[0]?.method === 'broadcast_tx_sync') offered += 1
        sendCorrect(response, body, 50, 'another-1')
      }),
    )
    const nodes = openNodes({
      chainId: CHAIN_ID,
      rpc: [node.url],
      deadlineMs: 2_000,
      limits: noPauses,
    })
    assert.equal((await broadcast(nodes.rpc, bytes, 1_000)).kind, 'unsent')
    assert.equal(offered, 0)
  })
})

describe('a transaction lookup', () => {
  test('finds nothing, with the error text of a real node', async () => {
    const nodes = await nodeThat('tx', () => ({
      error: exchange('rpc_tx_not_found').response.error,
    }))
    assert.equal(await findTx(nodes.rpc, '01'.repeat(32), 2_000), undefined)
  })

  test('finds a transaction with its result', async () => {
    const { result } = exchange('tx_router_2hop').response
    const nodes = await nodeThat('tx', () => ({ result }))
    const found = await findTx(nodes.rpc, result.hash, 2_000)
    assert.equal(found?.height, Number(result.height))
    assert.equal(found?.code, 0)
  })

  test('refuses the answer of a node with another transaction', async () => {
    const { result } = exchange('tx_router_2hop').response
    const nodes = await nodeThat('tx', () => ({ result }))
    assert.equal(await findTx(nodes.rpc, 'AB'.repeat(32), 2_000), undefined)
  })

  test('reads the blocks when no index has it, and also finds another with its sequence', async () => {
    const block = exchange('rpc_block').response.result
    const results = exchange('rpc_block_results_swap').response.result
    const txs = block.block.data.txs as string[]
    const { chain_id: chainId, height: text } = block.block.header as Record<string, string>
    const height = Number(text)
    const nodes = await stub((body, _request, response) => {
      const [rpcRequest] = requestsOf(body)
      if (rpcRequest?.method === 'block')
        return send(response, { jsonrpc: '2.0', id: rpcRequest.id, result: block })
      if (rpcRequest?.method === 'block_results')
        return send(response, {
          jsonrpc: '2.0',
          id: rpcRequest.id,
          result: { ...results, height: text, txs_results: txs.map(() => results.txs_results[0]) },
        })
      return sendCorrect(response, body, height, chainId)
    })
    closing(nodes)
    const source = sourceOf(
      openNodes({ chainId: chainId!, rpc: [nodes.url], deadlineMs: 5_000, limits: noPauses }),
    )
    const identity = { address: 'thor1none', publicKey: new Uint8Array(33), sequence: 0n }
    if (txs.length > 0) {
      const hash = txHashOf(Buffer.from(txs[0]!, 'base64'))
      assert.equal((await scanBlocks(source, { ...identity, hash }, height, height)).kind, 'found')
    }
    const none = { ...identity, hash: 'AB'.repeat(32) }
    assert.equal((await scanBlocks(source, none, height, height)).kind, 'absent')
    assert.equal((await scanBlocks(source, none, height, height + 1)).kind, 'incomplete')
  })
})
