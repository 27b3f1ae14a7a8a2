import { createHash } from 'node:crypto'
import { decimal } from '../../src/engine/math/decimal.js'
import { rational } from '../../src/engine/math/rational.js'
import type {
  IndexedBlock,
  IndexedOrder,
  IndexedSwap,
  Quarantined,
} from '../../src/history/store/history-store.js'

/** A reproducible chain: every block is a function of the seed and its height. */
export type SyntheticChain = {
  readonly seed: number
  readonly block: (height: number) => IndexedBlock
}

/** Milliseconds between blocks, and the time of block 0. */
export const BLOCK_MS = 6_000
export const GENESIS_MS = Date.UTC(2026, 0, 1)

const SENDERS = 40
const CODES = ['', '', 'arb', 'tips', 'wallet']

export const senderOf = (n: number): string => `demo1sender${n.toString().padStart(4, '0')}`
export const affiliateAddress = (code: string): string => `demo1affiliate${code}`

/** @param blockMs the time between blocks: large values move the leaderboard's windows */
export const syntheticChain = (seed: number, blockMs = BLOCK_MS): SyntheticChain => ({
  seed,
  block: (height) => blockOf(seed, height, blockMs),
})

const digest = (...parts: readonly (string | number)[]): Buffer =>
  createHash('sha256').update(parts.join(' ')).digest()

const hashAt = (seed: number, height: number): string =>
  digest('block', seed, height).toString('hex').toUpperCase()

function blockOf(seed: number, height: number, blockMs: number): IndexedBlock {
  const bytes = digest('dice', seed, height)
  const count = (bytes[0] ?? 0) % 4
  const swaps = Array.from({ length: count }, (_, i) => storedSwapOf(seed, height, i))
  return {
    height,
    time: new Date(GENESIS_MS + height * blockMs).toISOString().replace('Z', '123456Z'),
    hash: hashAt(seed, height),
    parentHash: hashAt(seed, height - 1),
    swaps,
    orders: Array.from({ length: (bytes[2] ?? 0) % 3 }, (_, i) => orderOf(seed, height, i)),
    quarantined: (bytes[1] ?? 0) % 16 === 0 ? [junkOf(bytes)] : [],
    prices: new Map(
      count === 0 ? [] : [['rune', rational(BigInt(height) * 7n + 1n, 10n ** 36n)] as const],
    ),
  }
}

const junkOf = (bytes: Buffer): Quarantined => ({
  txIndex: 9,
  eventIndex: 3,
  reason: 'The attribute input_amount is not an amount',
  bytes: Buffer.concat([Buffer.from([0, 255, 254]), bytes]),
})

const ACTIONS = ['place', 'raise', 'lower', 'cancel', 'claim'] as const

function orderOf(seed: number, height: number, i: number): IndexedOrder {
  const bytes = digest('order', seed, height, i)
  const at = (n: number): number => bytes[n] ?? 0
  const side = at(0) % 2 === 0 ? 'bid' : 'ask'
  const denoms = ['rune', 'btc-btc'] as const
  return {
    txIndex: 7,
    msgIndex: i,
    eventIndex: at(2),
    txHash: digest('order tx', seed, height).toString('hex').toUpperCase(),
    pair: `demo1pair${at(1) % 4}`,
    owner: senderOf(at(3) % SENDERS),
    action: ACTIONS[at(4) % ACTIONS.length]!,
    side,
    price:
      at(5) % 3 === 0 ? { bps: at(6) - 128 } : { fixed: decimal(bytes.readBigUInt64BE(8) + 1n) },
    offerDenom: denoms[side === 'bid' ? 0 : 1],
    receiveDenom: denoms[side === 'bid' ? 1 : 0],
    sold: BigInt(at(16)),
    added: bytes.readBigUInt64BE(16),
    returned: 0n,
    received: 2n ** 128n - 1n - BigInt(at(17)),
    fee: BigInt(at(18)),
  }
}

const hopOf = (address: string, amount: bigint, denom: string) => ({
  address,
  input: { denom: 'rune', amount: `${amount}` },
  unsold: { denom: 'rune', amount: '0' },
  output: { denom, amount: `${amount * 3n}` },
  fee: { denom, amount: '0' },
  trades: 1,
})

function storedSwapOf(seed: number, height: number, i: number): IndexedSwap {
  const bytes = digest('fact', seed, height, i)
  const at = (n: number): number => bytes[n] ?? 0
  const isLoop = at(0) % 5 === 0
  const code = CODES[at(1) % CODES.length] ?? ''
  const amount = bytes.readBigUInt64BE(8)
  const output = isLoop ? 'rune' : 'btc-btc'
  return {
    // Two legs share each transaction.
    txIndex: i >> 1,
    msgIndex: i & 1,
    eventIndex: at(2),
    txHash: digest('tx', seed, height, i >> 1)
      .toString('hex')
      .toUpperCase(),
    type: isLoop ? 'arbitrage' : 'swap',
    sender: senderOf(at(3) % SENDERS),
    recipient: senderOf(at(4) % SENDERS),
    affiliate: code === '' ? undefined : { code, address: affiliateAddress(code) },
    input: { denom: 'rune', amount },
    output: { denom: output, amount: amount * 3n },
    path: ['rune', output],
    hops: [hopOf(`demo1pair${at(5)}`, amount, output)],
    fees: { protocol: amount / 100n, referral: 7n, affiliate: BigInt(at(6)) },
    volumeUsd: at(7) % 8 === 0 ? undefined : decimal(amount * 10n ** 12n),
  }
}
