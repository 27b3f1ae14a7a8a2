import { toBase64 } from '../../../platform/encoding.js'
import {
  AlreadyKnown,
  type Chain,
  inclusion,
  MempoolFull,
  type TxResult,
} from '../../blocks/chain.js'
import { txHash } from '../../blocks/hashing.js'
import { queries } from '../queries/all-queries.js'
import type { Node } from '../queries/node.js'
import { answerAbci } from '../queries/query.js'
import { type Args, type Method, method } from './arguments.js'
import { internalError } from './rpc-failure.js'
import { checkJson, noResultJson, txResultJson } from './rpc-json.js'

const TX = ['tx']

/** How long `broadcast_tx_commit` waits for a block. */
const COMMIT_MS = 10_000

/** Adds a transaction to the mempool, unless its check fails. @throws RpcFailure */
function addToMempool(chain: Chain, bytes: Uint8Array): TxResult {
  try {
    return chain.broadcast(bytes)
  } catch (error) {
    if (error instanceof AlreadyKnown || error instanceof MempoolFull)
      throw internalError(error.message)
    throw error
  }
}

function broadcastSync({ chain }: Node, args: Args) {
  const bytes = args.bytes('tx', 'base64')
  const { code, data, log, codespace } = addToMempool(chain, bytes)
  return { code, data: toBase64(data), log, codespace, hash: txHash(bytes) }
}

function broadcastAsync({ chain }: Node, args: Args) {
  const bytes = args.bytes('tx', 'base64')
  addToMempool(chain, bytes)
  return { code: 0, data: '', log: '', codespace: '', hash: txHash(bytes) }
}

async function broadcastCommit({ chain }: Node, args: Args) {
  const bytes = args.bytes('tx', 'base64')
  const hash = txHash(bytes)
  const checked = addToMempool(chain, bytes)
  const check_tx = checkJson(checked)
  if (checked.code !== 0) return { check_tx, tx_result: noResultJson, hash, height: '0' }
  const block = await inclusion(chain, hash, COMMIT_MS)
  const result = block?.txs.find((tx) => tx.hash === hash)?.result
  if (!block || !result) throw internalError('timed out waiting for tx to be included in a block')
  return { check_tx, tx_result: txResultJson(result), hash, height: String(block.header.height) }
}

function abciQuery(node: Node, args: Args) {
  const answer = answerAbci(node, queries, {
    path: args.text('path'),
    data: args.bytes('data', 'hex'),
    height: args.whole('height') ?? 0n,
  })
  return {
    response: {
      code: answer.code,
      log: answer.log,
      info: '',
      index: '0',
      key: null,
      value: answer.value ? toBase64(answer.value) : null,
      proofOps: null,
      height: String(answer.height),
      codespace: answer.codespace,
    },
  }
}

/** The number of pending transactions. */
function unconfirmed({ chain }: Node) {
  const pending = chain.pending()
  return {
    n_txs: String(pending.length),
    total: String(pending.length),
    total_bytes: String(pending.reduce((sum, tx) => sum + tx.length, 0)),
    txs: null,
  }
}

/** Methods that broadcast transactions and query the application. */
export const txMethods: Readonly<Record<string, Method>> = {
  abci_query: method(['path', 'data', 'height', 'prove'], abciQuery),
  broadcast_tx_sync: method(TX, broadcastSync),
  broadcast_tx_async: method(TX, broadcastAsync),
  broadcast_tx_commit: method(TX, broadcastCommit),
  num_unconfirmed_txs: method([], unconfirmed),
}
