import { type ChainBlock, decodeBlock } from '../../../src/chain/trades/block.js'
import { rootCursor } from '../../../src/engine/snapshot/json-cursor.js'
import { fromBase64 } from '../../../src/platform/encoding.js'

/** A transaction's outcome as `block_results` has it, and its bytes in base64. */
export type TxAnswer = {
  readonly tx: string
  readonly tx_result: { readonly code: number; readonly events: readonly EventJson[] }
}
export type EventJson = {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string | null }[]
}

/** A block of these transactions, and the answer of `block_results` for it. */
export const answersOf = (txs: readonly TxAnswer[], height = 33) => ({
  block: {
    chainId: 'swap-truth-1',
    height,
    time: '2026-11-21T09:33:00.117405845Z',
    hash: 'AA'.repeat(32),
    lastBlockHash: 'BB'.repeat(32),
    dataHash: '',
    lastResultsHash: '',
    txs: txs.map(({ tx }) => fromBase64(tx)),
  },
  results: {
    height: `${height}`,
    txs_results: txs.map(({ tx_result }) => tx_result),
    finalize_block_events: [] as readonly EventJson[],
  },
})

export function blockOf(txs: readonly TxAnswer[]): ChainBlock {
  const { block, results } = answersOf(txs)
  return decodeBlock(block, rootCursor(results))
}

/** An event as a node of CometBFT 0.38 writes it. */
export const event = (
  type: string,
  attributes: Readonly<Record<string, string>>,
  message = 0,
): EventJson => ({
  type,
  attributes: [...Object.entries(attributes), ['msg_index', `${message}`]].map(([key, value]) => ({
    key: key!,
    value: value!,
  })),
})

/** The amount that each account gained of each denom in a message, from the bank's own events. */
export function gains(
  events: readonly EventJson[],
  message: number,
): (account: string, denom: string) => bigint {
  const sums = new Map<string, bigint>()
  const add = (account: string, coins: string, sign: bigint) => {
    for (const coin of coins.split(',')) {
      const [, digits = '0', denom = ''] = /^(\d+)(.*)$/.exec(coin) ?? []
      const key = `${account} ${denom}`
      sums.set(key, (sums.get(key) ?? 0n) + sign * BigInt(digits))
    }
  }
  for (const { type, attributes } of events) {
    const read = (name: string) => attributes.find(({ key }) => key === name)?.value ?? ''
    if (read('msg_index') !== `${message}`) continue
    if (type === 'coin_spent') add(read('spender'), read('amount'), -1n)
    if (type === 'coin_received') add(read('receiver'), read('amount'), 1n)
  }
  return (account, denom) => sums.get(`${account} ${denom}`) ?? 0n
}
