import { toBase64 } from '../../../platform/encoding.js'
import { AlreadyKnown, type Block, type TxResult } from '../../blocks/chain.js'
import { MempoolFull } from '../../blocks/embedded-chain.js'
import { txHash } from '../../blocks/hashing.js'
import { queries } from '../queries/all-queries.js'
import type { Node } from '../queries/node.js'
import { answerAbci } from '../queries/query.js'
import type { Args } from './arguments.js'
import { internalError } from './failure.js'
import { type Method, method } from './method.js'
import { checkJson, noResultJson, txResultJson } from './rpc-json.js'

const TX = ['tx']

/** How long `broadcast_tx_commit` waits for a block. */
const COMMIT_MS = 10_000

/** Adds a transaction to the mempool, unless its check fails. @throws RpcFailure */
function enter({ chain }: Node, bytes: Uint8Array): TxResult {
  try {
    return chain.broadcast(bytes)
  } catch (error) {
    if (error instanceof AlreadyKnown || error instanceof MempoolFull)
      throw internalError(error.message)
    throw error
  }
}

function broadcastSync(node: Node, args: Args) {
  const bytes = args.bytes('tx', 'base64')
  const { code, data, log, codespace } = enter(node, bytes)
  return { code, data: toBase64(data), log, codespace, hash: txHash(bytes) }
}

function broadcastAsync(node: Node, args: Args) {
  const bytes = args.bytes('tx', 'base64')
  enter(node, bytes)
  return { code: 0, data: '', log: '', codespace: '', hash: txHash(bytes) }
}

async function broadcastCommit(node: Node, args: Args) {
  const bytes = args.bytes('tx', 'base64')
  const hash = txHash(bytes)
  const committed = watch(node, hash)
  try {
    const checked = enter(node, bytes)
    const check_tx = checkJson(checked)
    if (checked.code !== 0) return { check_tx, tx_result: noResultJson, hash, height: '0' }
    const found = await committed.found
    return {
      check_tx,
      tx_result: txResultJson(found.result),
      hash,
      height: String(found.block.header.height),
    }
  } finally {
    committed.stop()
  }
}

type Committed = { readonly block: Block; readonly result: TxResult }

/** Waits for the block of a transaction. */
function watch({ chain }: Node, hash: string): { found: Promise<Committed>; stop(): void } {
  let stop = (): void => {}
  const found = new Promise<Committed>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(internalError('timed out waiting for tx to be included in a block')),
      COMMIT_MS,
    )
    timer.unref()
    const unsubscribe = chain.subscribe((block) => {
      const tx = block.txs.find((each) => each.hash === hash)
      if (tx) resolve({ block, result: tx.result })
    })
    stop = () => {
      clearTimeout(timer)
      unsubscribe()
    }
  })
  // A transaction that the check refuses is not awaited: ignore its timeout.
  found.catch(() => {})
  return { found, stop: () => stop() }
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
function waiting({ chain }: Node) {
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
  num_unconfirmed_txs: method([], waiting),
}
