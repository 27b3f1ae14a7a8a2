import assert from 'node:assert/strict'
import { QueryAccountInfoResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { decodeTx } from '../../../src/chain/tx/decode-tx.js'
import { txHashOf } from '../../../src/chain/tx/unsigned-tx.js'
import { executionChain } from '../../../src/compose/execution/execution-chain.js'
import type { Entry, Intent, TxRecord } from '../../../src/execution/journal/intent.js'
import { resultOf } from '../../../src/execution/lifecycle/result.js'
import { type Tracking, track } from '../../../src/execution/lifecycle/track.js'
import {
  CHAIN_ID,
  correctAnswer,
  noPauses,
  type RpcRequest,
  requestsOf,
  send,
  stub,
} from '../../chain/rpc/stage.js'
import { recorded } from '../../demo-chain/node/recorded.js'
import { closing } from '../../support/closing.js'
import { intent as blank, tx as unsent } from '../script.js'

type Exchange = {
  readonly request: {
    readonly body?: { readonly params: { readonly tx: string } }
    readonly params?: { readonly tx: string }
  }
  // biome-ignore lint/suspicious/noExplicitAny: recorded answers are looked into freely
  readonly response: any
}
const exchange = (name: string): Exchange =>
  (name === 'code 19' ? known : recorded[name]) as Exchange

/** What the SDK's own mempool says, with a code where CometBFT has words alone. */
const known = {
  response: { result: { code: 19, codespace: 'sdk', log: 'tx already in mempool', data: '' } },
}

/** What a real node says to one transaction, in the order in which it is asked. */
type Says = {
  /** Names of what it answered to the bytes; the last one stays. */
  readonly sent: readonly string[]
  /** The transaction as it came to be in a block; it is in the index after so many looks. */
  readonly block?: string
  readonly late?: number
}

/** A node that answers with what a real one said, and a transaction that it said it of. */
async function played({ sent, block, late = 0 }: Says) {
  const { request } = exchange(block === undefined ? sent[0]! : `${block}_broadcast`)
  const { tx: base64 } = (request.body?.params ?? request.params)!
  const bytes = Buffer.from(base64, 'base64')
  const { publicKey, sequence, sender } = decodeTx(bytes)
  const included = block === undefined ? undefined : exchange(block).response.result
  const start = Number(included?.height ?? 30)
  let height = start
  let broadcasts = 0
  let looks = 0
  const isIn = () => included !== undefined && broadcasts > 0
  const answer = (asked: RpcRequest): object => {
    const { id, method, params } = asked
    if (method === 'broadcast_tx_sync') {
      const { result, error } = exchange(sent[Math.min(broadcasts++, sent.length - 1)]!).response
      // Who answers to other bytes than its own gave the same answer to these.
      const own = result && { ...result, hash: txHashOf(bytes) }
      return { jsonrpc: '2.0', id, ...(error === undefined ? { result: own } : { error }) }
    }
    if (method === 'tx') {
      if (isIn() && ++looks > late) return { jsonrpc: '2.0', id, result: included }
      return { jsonrpc: '2.0', id, error: exchange('rpc_tx_not_found').response.error }
    }
    // The node keeps no blocks: its index is all that can be read.
    if (['block', 'block_results', 'commit'].includes(method))
      return { jsonrpc: '2.0', id, error: { code: -32603, message: 'pruned' } }
    if (method !== 'abci_query') return correctAnswer(asked, height)
    const info = {
      address: sender,
      accountNumber: 3n,
      sequence: sequence + (isIn() ? 1n : 0n),
    }
    const value = QueryAccountInfoResponse.encode(
      QueryAccountInfoResponse.fromPartial({ info }),
    ).finish()
    const response = {
      code: 0,
      value: Buffer.from(value).toString('base64'),
      height: params['height'],
    }
    return { jsonrpc: '2.0', id, result: { response } }
  }
  const node = closing(
    await stub((body, _request, response) => {
      const answers = requestsOf(body).map(answer)
      send(response, body.startsWith('[') ? answers : answers[0])
    }),
  )
  const nodes = closing(
    openNodes({ chainId: CHAIN_ID, rpc: [node.url], deadlineMs: 5_000, limits: noPauses }),
  )
  const chain = executionChain({ network: demo, nodes })
  const states: string[] = []
  let now = 0
  const session = {
    chain,
    journal: { put: (intent: Intent) => void states.push(intent.txs[0]!.state) },
    clock: {
      now: () => now,
      sleep: async (ms: number) => {
        now += ms
        height += 1
      },
      time: () => '2026-11-21T16:55:07.123Z',
    },
    progress: () => {},
    interrupt: new AbortController().signal,
    isHeld: () => true,
    pollIntervalMs: 1_000,
    stallMs: 30_000,
  } as unknown as Tracking
  const tx: TxRecord = {
    ...unsent,
    hash: txHashOf(bytes),
    bytes: base64,
    public_key: Buffer.from(publicKey).toString('base64'),
    sequence: `${sequence}`,
    timeout_height: start + 15,
    signed_height: start,
  }
  const entry: Entry = {
    intent: { ...blank, address: sender, recipient: sender, txs: [tx] },
    at: 0,
  }
  const outcome = await track(session, { wait: 'included', waitMs: 20_000 }, entry)
  return { states, broadcasts: () => broadcasts, ...resultOf(entry, outcome) }
}

describe('recorded answers of a real node to an execution', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['broadcast_err_fee_too_low', 'TX_FAILED'],
    ['broadcast_err_fee_none', 'TX_FAILED'],
    ['broadcast_err_fee_funds', 'INSUFFICIENT_FUNDS'],
    ['broadcast_err_gas_too_low_ante', 'TX_FAILED'],
    ['broadcast_err_chain_id', 'TX_FAILED'],
    ['broadcast_err_account_number', 'TX_FAILED'],
    ['broadcast_err_memo_long', 'TX_FAILED'],
    ['broadcast_err_seq_high', 'TX_FAILED'],
    ['broadcast_err_seq_low', 'TX_FAILED'],
  ]
  for (const [name, code] of refused)
    test(`${name} gives ${code}, and is unknown until it is proved`, async () => {
      const { error, states, broadcasts } = await played({ sent: [name] })
      assert.equal(error?.code, 'OUTCOME_UNKNOWN')
      assert.equal(error?.members['cause'], code)
      assert.equal(error?.members['funds'], 'unknown')
      assert.equal(states[1], 'refused')
      // A node that is behind may accept a sequence that is still too high for it.
      assert.equal(broadcasts(), name === 'broadcast_err_seq_high' ? 5 : 1)
    })

  const inBlocks: readonly (readonly [string, string | undefined, RegExp])[] = [
    ['tx_router_2hop', undefined, /./],
    ['tx_err_contract_min_return', 'SLIPPAGE_EXCEEDED', /price moved/],
    ['tx_err_second_leg_min_return', 'SLIPPAGE_EXCEEDED', /price moved/],
    ['tx_err_out_of_gas', 'TX_FAILED', /out of gas/],
    ['tx_err_insufficient_funds_msg', 'TX_FAILED', /only the fee/],
    ['tx_err_no_balance', 'TX_FAILED', /only the fee/],
  ]
  for (const [name, code, words] of inBlocks)
    test(`${name}: code 0 in the mempool and ${code ?? 'done'} in the block`, async () => {
      const { error, states, report } = await played({
        sent: [`${name}_broadcast`],
        block: name,
        late: 2,
      })
      assert.equal(error?.code, code)
      if (error) assert.match(error.message, words)
      if (error) assert.equal(error.members['funds'], 'fee_only')
      assert.equal(report.status, code === undefined ? 'confirmed' : 'failed')
      assert.deepEqual(states.slice(0, 3), ['sent', 'accepted', 'included'])
    })

  test('code 19, which other versions return for known bytes: the transaction is followed', async () => {
    const { states, report } = await played({ sent: ['code 19'], block: 'tx_router_2hop' })
    assert.equal(report.status, 'confirmed')
    assert.deepEqual(states.slice(0, 3), ['sent', 'accepted', 'included'])
  })

  for (const known of ['broadcast_err_already_in_cache', 'broadcast_err_duplicate_committed'])
    test(`${known}: the node has the bytes, so the transaction is followed`, async () => {
      const { states, broadcasts, report } = await played({
        sent: [known],
        block: 'tx_router_2hop',
      })
      assert.equal(report.status, 'confirmed')
      assert.deepEqual(states.slice(0, 3), ['sent', 'accepted', 'included'])
      assert.equal(broadcasts(), 1)
    })
})
